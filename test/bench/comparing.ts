import { execFileSync } from 'node:child_process'
import { latencies, requestsPerSecond, type Shot } from './load.ts'
import { alternate, isQuick, quantile, type Row, rounds } from './measuring.ts'

/** How many requests are under way at a time. */
export const connections = 64

const warmingMillis = 2000

/** What is asked, by what the table calls it. */
export type Shots<Kind extends string> = Record<Kind, Shot>

/** What remains to be said of two rates: the unit is `/s` and each request counts for 1 unless told. */
export type Told = Omit<Row, 'value' | 'floor' | 'unit'> & { unit?: string; each?: number }

/** Requests a second of each kind, ours and the floor's in turn. One that fails is told at once and has no row. */
export async function compareRates<Kind extends string>(
  kinds: readonly Kind[],
  ours: Shots<NoInfer<Kind>>,
  floors: Shots<NoInfer<Kind>>,
  tell: (kind: Kind, rate: number) => Told | Promise<Told>,
  millis?: number,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const kind of kinds) {
    try {
      rows.push(await compare(ours[kind], floors[kind], (rate) => tell(kind, rate), millis))
    } catch (error) {
      console.error(`${kind}: ${error instanceof Error ? error.stack : error}`)
      process.exitCode = 1
    }
  }
  return rows
}

async function compare(ours: Shot, floor: Shot, tell: (rate: number) => Told | Promise<Told>, millis?: number) {
  const rateOf = (shot: Shot) => () => {
    writeOut()
    return rateAt(shot, connections, millis)
  }
  // Just-in-time compilers have done their work by then, of the larger program, too.
  for (const shot of [ours, floor]) await rateAt(shot, connections, warmingMillis)
  const rate = await alternate(rounds, { ours: rateOf(ours), floor: rateOf(floor) })
  const { each = 1, unit = '/s', ...told } = await tell(rate.ours)
  return { ...told, value: rate.ours * each, floor: rate.floor * each, unit }
}

/** Has the machine write what the one measured before has left in memory: else the next one's first commit waits for it. */
const writeOut = () => execFileSync('sync')

/** Requests a second over so many connections, for so long. */
export const rateAt = (shot: Shot, connections: number, millis = 500): Promise<number> =>
  requestsPerSecond(shot.origin, shot, { connections, millis: isQuick ? 200 : millis })

/** How long one takes at a third of the rate that is possible. */
export async function latencyNote(shot: Shot, possible: number): Promise<string> {
  const taken = await latencies(shot.origin, shot, { perSecond: Math.min(1000, possible / 3), millis: 1500 })
  return `p50 ${quantile(taken, 0.5).toFixed(1)} ms, p99 ${quantile(taken, 0.99).toFixed(1)} ms`
}
