import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serveBuilt } from '../support/built-server.ts'
import { kinds, shotsAtLicet } from './activations.ts'
import { compareRates, connections, rateAt, type Shots } from './comparing.ts'
import { alternate, type Bench, type Row, rounds } from './measuring.ts'
import { makeProduct, sell } from './selling.ts'
import { type Served, withServer } from './served.ts'

const relaxed = pathToFileURL(join(import.meta.dirname, 'relaxed-durability.mjs')).href

/** What is asked of servers beside each other: made ready once for a database, then the same at every server on it. */
export interface Subject<Kind extends string> {
  kinds: readonly Kind[]
  prepare(served: Served): Promise<(origin: string) => Shots<Kind> | Promise<Shots<Kind>>>
  millis?: number
}

const sessions: Subject<(typeof kinds)[number]> = {
  kinds,
  async prepare(served) {
    const sold = await sell(served, await makeProduct(served))
    return (origin) => shotsAtLicet(origin, served.base, sold)
  },
}

/** What durability costs, and what a second process on the same database brings, for what devices ask of their sessions. */
export const benchSideBySide: Bench = async () => [
  ...(await measureDurability(sessions)),
  ...(await measureTwoProcesses(sessions)),
]

/** A server against one whose SQLite does not wait for the disk. */
export const measureDurability = <Kind extends string>({ kinds, prepare, millis }: Subject<Kind>): Promise<Row[]> =>
  withServer('sqlite', (durable) =>
    withServer(
      'sqlite',
      async (other) => {
        const ours = await (await prepare(durable))(durable.server.origin)
        const floors = await (await prepare(other))(other.server.origin)
        const tell = (kind: Kind) => ({
          name: `${kind}, durable, sqlite`,
          floorName: 'itself with synchronous=NORMAL',
          target: { id: 'T4', of: 'ratio', atLeast: 0.9 } as const,
        })
        return compareRates(kinds, ours, floors, tell, millis)
      },
      ['--import', relaxed],
    ),
  )

/** Two server processes on one PostgreSQL, half of the connections at each, against one with all of them. */
export const measureTwoProcesses = <Kind extends string>({ kinds, prepare, millis }: Subject<Kind>): Promise<Row[]> =>
  withServer('postgres', async (served) => {
    const second = await serveBuilt(served.databaseUrl)
    try {
      const shotsAt = await prepare(served)
      const [one, other] = [await shotsAt(served.server.origin), await shotsAt(second.origin)]
      const rows: Row[] = []
      for (const kind of kinds) {
        const rate = await alternate(rounds, {
          both: async () => {
            const rates = [one[kind], other[kind]].map((shot) => rateAt(shot, connections / 2, millis))
            return (await Promise.all(rates)).reduce((sum, each) => sum + each, 0)
          },
          alone: () => rateAt(one[kind], connections, millis),
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
