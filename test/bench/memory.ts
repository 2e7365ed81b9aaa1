import { setTimeout as sleep } from 'node:timers/promises'
import { largeCatalog } from '../support/large-catalog.ts'
import { requestsPerSecond, shot } from './load.ts'
import { type Bench, residentMegabytes } from './measuring.ts'
import { withServer } from './served.ts'

const admin = '/api/v1/provision/admin'

/** The server's memory: fresh, after steady small requests, and after a heavy operation on top. */
export const benchMemory: Bench = () =>
  withServer('sqlite', async (served) => {
    const { server, base, token } = served
    const resident = () => residentMegabytes(server.process.pid!)
    const fresh = resident()
    const list = shot(server.origin, 'GET', `${base}${admin}/tags`, { headers: { authorization: `Bearer ${token}` } })
    await requestsPerSecond(server.origin, list, { millis: 3000 })
    const early = resident()
    await requestsPerSecond(server.origin, list, { millis: 6000 })
    const late = resident()
    const text = JSON.stringify(largeCatalog(10_000))
    await served.ask('POST', `${admin}/catalog/import`, text)
    for (let round = 0; round < 3; round++) await served.ask('POST', `${admin}/catalog/compare`, text)
    const peak = resident()
    await requestsPerSecond(server.origin, list, { millis: 1000 })
    await sleep(500)
    return [
      { name: 'memory, fresh', value: fresh, unit: 'MB' },
      {
        name: 'memory after 9 s of steady requests',
        value: late,
        floor: early,
        floorName: 'after 3 s: flat is 1',
        unit: 'MB',
        target: { id: 'T16', of: 'value', atMost: 200 },
      },
      { name: 'memory after importing and comparing 10,000 items', value: peak, unit: 'MB' },
      { name: 'the same, a little later', value: resident(), unit: 'MB', note: 'its thread ends after a minute idle' },
    ]
  })
