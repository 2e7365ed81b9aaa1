import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serveBuilt } from '../support/built-server.ts'
import { kinds, sell, shotsAtLicet } from './activations.ts'
import { requestsPerSecond } from './load.ts'
import { alternate, type Bench, type Row } from './measuring.ts'
import { withServer } from './served.ts'

const rounds = 5
const connections = 64
const relaxed = pathToFileURL(join(import.meta.dirname, 'relaxed-durability.mjs')).href

/** What durability costs, and what a second process on the same database brings. */
export const benchSideBySide: Bench = async () => [...(await measureDurability()), ...(await measureTwoProcesses())]

const measureDurability = () =>
  withServer('sqlite', (durable) =>
    withServer(
      'sqlite',
      async (other) => {
        const [ours, floors] = [
          await shotsAtLicet(durable, await sell(durable)),
          await shotsAtLicet(other, await sell(other)),
        ]
        const rows: Row[] = []
        for (const kind of kinds) {
          const rate = await alternate(rounds, {
            ours: () => requestsPerSecond(ours[kind].origin, ours[kind], { connections }),
            floor: () => requestsPerSecond(floors[kind].origin, floors[kind], { connections }),
          })
          rows.push({
            ...{ name: `${kind}, durable, sqlite`, value: rate.ours, floor: rate.floor, unit: '/s' },
            floorName: 'itself with synchronous=NORMAL',
            target: { id: 'T4', of: 'ratio', atLeast: 0.9 },
          })
        }
        return rows
      },
      ['--import', relaxed],
    ),
  )

const measureTwoProcesses = () =>
  withServer('postgres', async (served) => {
    const second = await serveBuilt(served.databaseUrl)
    try {
      const sold = await sell(served)
      const one = await shotsAtLicet(served, sold)
      const other = await shotsAtLicet({ ...served, server: second }, sold)
      const rows: Row[] = []
      for (const kind of kinds) {
        const half = { connections: connections / 2 }
        const rate = await alternate(rounds, {
          both: async () => {
            const rates = [one[kind], other[kind]].map((shot) => requestsPerSecond(shot.origin, shot, half))
            return (await Promise.all(rates)).reduce((sum, each) => sum + each, 0)
          },
          alone: () => requestsPerSecond(one[kind].origin, one[kind], { connections }),
        })
        rows.push({
          ...{ name: `${kind}, two processes, postgres`, value: rate.both, floor: rate.alone, unit: '/s' },
          floorName: 'one process; 1.5 wants a core free',
          target: { id: 'T15', of: 'ratio', atLeast: 1.5 },
        })
      }
      return rows
    } finally {
      await second.close()
    }
  })
