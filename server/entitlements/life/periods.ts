import { addDuration } from '../../kit/duration-adding.ts'
import { type ConsumptionPeriod, monthsIn } from '../../metering/tiers/period.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { renewalPolicyOf } from '../policies/effective.ts'
import { isTrial, type TrialColumn } from './trials.ts'

const hours: Partial<Record<ConsumptionPeriod, number>> = { Hourly: 1, Daily: 24, Weekly: 168 }
const hour = 3_600_000
/** Missed renewals are made up one by one up to this many; of more, which only an end given far in the past brings, the oldest are left out. */
const mostMissed = 1000

/** Whether the next period begins by itself when one ends. A trial's does not: it is over or is renewed. */
export function renewsItself(row: Pick<EntitlementRow, 'renewal_policy' | TrialColumn>): boolean {
  const policy = renewalPolicyOf(row)
  return policy?.autoRenew === true && policy.period !== 'Lifetime' && !isTrial(row)
}

/** The period that follows an end (milliseconds) by itself. */
export function renewalOf(row: EntitlementRow, end: number, now: number) {
  const { period } = renewalPolicyOf(row)!
  const anchor = anchorOf(end, row.period_anchor_at)
  const longest = (hours[period] ?? 31 * 24 * (monthsIn[period] ?? Number.POSITIVE_INFINITY)) * hour
  const missed = Math.floor((now - end) / longest)
  const start = missed > mostMissed ? endAfter(end, anchor, period, missed)! : end
  return { start, end: endAfter(start, anchor, period, 1), anchor }
}

/**
 * The instant (milliseconds) that is `count` periods after `end`. Months are counted from the anchor while `end` is one of
 * its ends: those after 31 January are 28 February and 31 March. Null for a Lifetime, which has no end.
 */
export function endAfter(end: number, anchor: number | null, period: ConsumptionPeriod, count: number): number | null {
  const inHours = hours[period]
  if (inHours !== undefined) return addDuration(end, `PT${inHours * count}H`)
  const inMonths = monthsIn[period]
  if (inMonths === undefined) return null
  const from = anchorOf(end, anchor)
  return addDuration(from, `P${monthsBetween(from, end) + inMonths * count}M`)
}

/** What the ends of periods are counted from: the stored anchor if the end is one of its ends, else the end itself (it was given by hand). */
export function anchorOf(end: number, anchor: number | null): number {
  if (anchor === null || anchor > end) return end
  return addDuration(anchor, `P${monthsBetween(anchor, end)}M`) === end ? anchor : end
}

function monthsBetween(from: number, to: number): number {
  const [start, end] = [new Date(from), new Date(to)]
  return (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth()
}
