import { readDuration } from '../../catalog-schema/duration.ts'

/**
 * The instant (milliseconds) that an ISO 8601 duration later; months first, in UTC, a day that the month has not being its
 * last. NaN when the text is no duration, or the instant is out of a Date's range.
 */
export function addDuration(at: number, duration: string): number {
  const span = readDuration(duration)
  if (!span) return Number.NaN
  const start = new Date(at)
  const day = start.getUTCDate()
  const monthLater = new Date(at)
  monthLater.setUTCDate(1)
  monthLater.setUTCMonth(monthLater.getUTCMonth() + span.months)
  const days = new Date(Date.UTC(monthLater.getUTCFullYear(), monthLater.getUTCMonth() + 1, 0)).getUTCDate()
  monthLater.setUTCDate(Math.min(day, days))
  return new Date(monthLater.getTime() + span.millis).getTime()
}
