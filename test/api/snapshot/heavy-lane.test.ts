import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import type { RequestContext } from '../../../server/kit/context.ts'
import { type HeavyLane, type HeavyRequest, openHeavyLane } from '../../../server/kit/heavy-lane.ts'

/** A thread that does what the job's name says, and tells how many jobs it had begun and ended before. */
const thread = `
const { parentPort } = require('node:worker_threads')
let begun = 0, ended = 0
parentPort.on('message', async ({ name, reply }) => {
  const seen = [begun++, ended]
  const answer = () => {
    ended++
    reply.postMessage({ say: 'answer', body: new TextEncoder().encode(JSON.stringify(seen)), headers: {} })
  }
  if (name === 'die') process.exit(1)
  if (name === 'throw') throw new Error('poisoned')
  if (name === 'slow') return setTimeout(answer, 50)
  if (name === 'hang') return
  if (name === 'write' || name === 'die writing' || name === 'die waiting') {
    const granted = new Promise((resolve) => reply.once('message', resolve))
    reply.postMessage({ say: 'want-writer' })
    if (name === 'die waiting') return setTimeout(() => process.exit(1), 30)
    await granted
    if (name === 'die writing') process.exit(1)
    reply.postMessage({ say: 'done-writing' })
  }
  answer()
})`

/** A database of which nothing is known but who has the writer. */
function writerOnly() {
  let tail: Promise<unknown> = Promise.resolve()
  const lendWriter = <T>(work: () => Promise<T>) => {
    const turn = tail.then(work)
    tail = turn.catch(() => undefined)
    return turn
  }
  return { lendWriter } as unknown as Database
}

const nobody = {} as RequestContext
const request = (bytes = 0): HeavyRequest => ({
  params: {},
  query: {},
  body: bytes === 0 ? undefined : [new Uint8Array(bytes)],
  bodyHeaders: {},
})

describe('the heavy lane', () => {
  let lane: HeavyLane
  let started = 0
  afterEach(() => lane.close())

  const open = (database = writerOnly()) => {
    started = 0
    lane = openHeavyLane(database, () => {
      started += 1
      return new Worker(thread, { eval: true, stderr: true })
    })
    return database
  }
  const run = async (name: string, bytes?: number) =>
    JSON.parse(Buffer.from((await lane.run(name, nobody, request(bytes))).body).toString()) as [number, number]

  test('runs operations in turn on one thread', async () => {
    open()
    const seen = await Promise.all(['slow', 'quick', 'slow', 'quick'].map((name) => run(name)))
    expect(seen).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
    ])
    expect(started).toBe(1)
  })

  test.each(['die', 'throw', 'die writing', 'die waiting'])(
    'answers 503 for the operation under which the thread dies (%s), and runs the next on a new one',
    async (name) => {
      open()
      const [lost, next] = await Promise.allSettled([run(name), run('write')])
      expect(lost).toMatchObject({ reason: { codeName: 'server.unavailable', status: 503 } })
      expect(next).toMatchObject({ status: 'fulfilled', value: [0, 0] })
      expect(await run('quick')).toEqual([1, 1])
      expect(started).toBe(2)
    },
  )

  test.each(['die writing', 'die waiting'])('gives the writer back when the thread dies (%s)', async (name) => {
    const database = open()
    const before =
      name === 'die waiting' ? database.lendWriter(() => new Promise((done) => setTimeout(done, 100))) : undefined
    await expect(run(name)).rejects.toThrow()
    await before
    expect(await database.lendWriter(async () => 'mine')).toBe('mine')
  })

  test('refuses what would be too much to keep waiting, and takes it once there is room', async () => {
    open()
    const first = run('slow', 200 * 1024 * 1024)
    await expect(run('quick', 60 * 1024 * 1024)).rejects.toMatchObject({ codeName: 'server.unavailable', status: 503 })
    await first
    expect(await run('quick', 60)).toEqual([1, 1])
  })

  test('closing cuts off what hangs, and starts nothing more', async () => {
    open()
    const waiting = Promise.allSettled([run('hang'), run('quick')])
    await new Promise((resolve) => setTimeout(resolve, 50))
    await lane.close()
    for (const outcome of await waiting) expect(outcome).toMatchObject({ reason: { codeName: 'server.unavailable' } })
    await expect(run('quick')).rejects.toMatchObject({ codeName: 'server.unavailable' })
    expect(started).toBe(1)
  })
})
