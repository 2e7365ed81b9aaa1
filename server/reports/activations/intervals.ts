import { periodAt } from '../../metering/tiers/period.ts'

export const intervals = ['Day', 'Week', 'Month'] as const
export type Interval = (typeof intervals)[number]

const dayMillis = 86_400_000

/** What happened on a day of the UTC calendar, counted in days since 1970; before the window apart from what was in it. */
interface DayCount {
  day: number
  count: number
  isBefore: 0 | 1
}

/** When the interval began (milliseconds) that an instant is in: by the UTC calendar, weeks from Monday. */
export const startOfInterval = (interval: Interval, at: number): number => periodAt(periodOf[interval], at).start!

/** When the next interval begins. */
export const nextInterval = (interval: Interval, start: number): number => periodAt(periodOf[interval], start).end!

const periodOf = { Day: 'Daily', Week: 'Weekly', Month: 'Monthly' } as const

/** One interval: what happened in it, and how many seats were held when it was over, or are now. */
interface IntervalLine {
  start: number
  activations: number
  released: number
  revoked: number
  lapsed: number
  seats: number
}

/** How sessions began to hold a seat, and how they ceased to: given back, taken away, or lapsed with time. */
interface SeatMoves {
  activations: readonly DayCount[]
  released: readonly DayCount[]
  revoked: readonly DayCount[]
  lapsed: readonly DayCount[]
}

/** The seats that came free with time until `now`, of these that end by themselves (null: they do not). */
export const lapsesIn = (
  { from, now }: { from: number | null; now: number },
  ends: readonly { until: number | null }[],
): DayCount[] =>
  ends.flatMap(({ until }) =>
    until === null || until > now
      ? []
      : [{ day: Math.floor(until / dayMillis), count: 1, isBefore: from !== null && until < from ? 1 : 0 }],
  )

/**
 * The intervals from the first in which anything happened, or the one of `from`, to the one before `to`, those without
 * any included. What happened before the window counts for the seats alone.
 */
export function intervalLines(moves: SeatMoves, interval: Interval, from: number | null, to: number): IntervalLine[] {
  const byStart = new Map<number, IntervalLine>()
  for (const kind of kinds)
    for (const { day, count, isBefore } of moves[kind]) {
      const start = startOfInterval(interval, day * dayMillis)
      const line = byStart.get(start) ?? { start, ...nothing }
      if (!isBefore) line[kind] += count
      line.seats += kind === 'activations' ? count : -count
      byStart.set(start, line)
    }
  const starts = [...byStart.keys()].sort((a, b) => a - b)
  if (starts.length === 0) return []
  const lines: IntervalLine[] = []
  let seats = 0
  for (let start = starts[0]!; start < to; start = nextInterval(interval, start)) {
    const line = byStart.get(start) ?? { start, ...nothing }
    seats += line.seats
    if (from === null || start >= startOfInterval(interval, from)) lines.push({ ...line, seats })
  }
  return lines
}

const kinds = ['activations', 'released', 'revoked', 'lapsed'] as const
const nothing = { activations: 0, released: 0, revoked: 0, lapsed: 0, seats: 0 }
