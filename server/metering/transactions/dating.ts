import { subtractDuration } from '../../kit/duration-adding.ts'
import { toInstant } from '../../kit/instants.ts'

/** How far the clock of a device may be ahead. */
const aheadMillis = 30_000

/**
 * Why usage at `occurredAt` is not taken at `now` (milliseconds): it is older than the ISO 8601 `tolerance` allows, or is
 * still to come. Nothing when it is taken; usage exactly as old as allowed is.
 */
export function refusalOfDate(occurredAt: number, tolerance: string, now: number): string | undefined {
  if (occurredAt > now + aheadMillis)
    return `The usage lies in the future, at ${toInstant(occurredAt)}; a clock may be at most 30 seconds ahead.`
  if (occurredAt < subtractDuration(now, tolerance))
    return `The usage of ${toInstant(occurredAt)} is too old; it may be ${tolerance} old when it is reported.`
  return undefined
}
