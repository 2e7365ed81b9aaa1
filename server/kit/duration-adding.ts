import { readDuration } from '../../catalog-schema/duration.ts'

/**
 * The instant (milliseconds) that an ISO 8601 duration later; months first, in UTC, a day that the month has not being its
 * last. NaN when the text is no duration, or the instant is out of a Date's range.
 */
export const addDuration = (at: number, duration: string): number => shift(at, duration, 1)

/** The instant that an ISO 8601 duration earlier, worked out alike. */
export const subtractDuration = (at: number, duration: string): number => shift(at, duration, -1)

function shift(at: number, duration: string, sign: 1 | -1): number {
  const span = readDuration(duration)
  if (!span) return Number.NaN
  const start = new Date(at)
  const day = start.getUTCDate()
  const monthAway = new Date(at)
  monthAway.setUTCDate(1)
  monthAway.setUTCMonth(monthAway.getUTCMonth() + sign * span.months)
  const days = new Date(Date.UTC(monthAway.getUTCFullYear(), monthAway.getUTCMonth() + 1, 0)).getUTCDate()
  monthAway.setUTCDate(Math.min(day, days))
  return new Date(monthAway.getTime() + sign * span.millis).getTime()
}
