import { setTimeout as sleep } from 'node:timers/promises'
import { largeCatalog } from '../support/large-catalog.ts'
import { shotsAtLicet } from './activations.ts'
import { connections, rateAt } from './comparing.ts'
import { type Bench, isQuick, median, residentMegabytes } from './measuring.ts'
import { makeProduct, sell } from './selling.ts'
import { withServer } from './served.ts'
import { storeSessions } from './stored-sessions.ts'

const catalog = '/api/v1/provision/admin/catalog'
const sessionsStored = isQuick ? 1000 : 100_000
const roundMillis = 5000
const roundsOfLoad = 4

/** The server's memory: fresh, beside many sessions under steady load, and after a heavy operation, which must not slow it for good. */
export const benchMemory: Bench = () =>
  withServer('sqlite', async (served) => {
    const { server, base, tenantId } = served
    const resident = () => residentMegabytes(server.process.pid!)
    const fresh = resident()
    const sold = await sell(served, await makeProduct(served))
    await storeSessions(served, { ...sold, tenantId }, sessionsStored)
    const checkIn = (await shotsAtLicet(server.origin, base, sold))['check-in']
    const load = () => rateAt(checkIn, connections, roundMillis)
    await load()
    const early = resident()
    const before: number[] = []
    for (let round = 1; round < roundsOfLoad; round++) before.push(await load())
    const late = resident()
    const text = JSON.stringify(largeCatalog(10_000))
    await served.ask('POST', `${catalog}/import`, text)
    for (let round = 0; round < 3; round++) await served.ask('POST', `${catalog}/compare`, text)
    const peak = resident()
    const after = await load()
    await sleep(500)
    return [
      { name: 'memory, fresh', value: fresh, unit: 'MB' },
      {
        name: `memory, ${sessionsStored.toLocaleString('en')} sessions, after ${(roundsOfLoad * roundMillis) / 1000} s of check-ins`,
        value: late,
        floor: early,
        floorName: `after ${roundMillis / 1000} s: flat is 1`,
        unit: 'MB',
        target: { id: 'T16', of: 'value', atMost: 200 },
      },
      { name: 'memory after importing and comparing 10,000 items', value: peak, unit: 'MB' },
      { name: 'the same, a little later', value: resident(), unit: 'MB', note: 'its thread ends after a minute idle' },
      { name: 'check-ins after that', value: after, floor: median(before), floorName: 'before it', unit: '/s' },
    ]
  })
