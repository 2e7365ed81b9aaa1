import { parentPort, workerData } from 'node:worker_threads'
import { rateOfAll } from './load.ts'

/** Sends one heavy request after another, the next one of these each time, until it is told to stop: a thread of its own. */
const { origin, requests } = workerData as { origin: string; requests: Uint8Array[] }

let isGoing = true
parentPort!.once('message', () => {
  isGoing = false
})
for (let round = 0; isGoing; round++)
  await rateOfAll(origin, [Buffer.from(requests[round % requests.length]!.buffer)], 1)
