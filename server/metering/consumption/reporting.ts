import { addDecimals, type Decimal, zero } from '../../kit/decimal.ts'
import { periodAt } from '../tiers/period.ts'
import { chargesOf } from '../tiers/pricing.ts'
import { marksEntered } from '../tiers/ruling.ts'
import type { Course, PeriodAsked } from './course.ts'
import { count } from './deciding.ts'
import { periodOf } from './level.ts'
import { asBalance, isMetered, type Meter, type MeteredMeter } from './meter.ts'
import { pay, payFrom } from './paying.ts'

/**
 * Counts usage that has happened already, at `occurredAt` (milliseconds), whatever the tiers say to it: in the period that it
 * belongs to, and priced there. What a balance cannot pay of it is unfunded.
 */
export function report(course: Course, meterId: string, amount: Decimal, occurredAt: number, now: number): void {
  const meter = course.get(meterId)
  if (!isMetered(meter)) payFrom(course, asBalance(meter), amount, now, 'reported')
  else if (isPast(meter, occurredAt)) countInPast(course, meter, amount, occurredAt, now)
  else {
    const { usage } = meter.state
    count(course, meter, amount, Math.min(occurredAt, now))
    pay(course, chargesOf(meter.metered, usage, addDecimals(usage, amount)), now, 'reported')
  }
}

/** The period that a settled meter's usage at `occurredAt` belongs to, when that is over; else undefined. */
export const pastPeriodOf = (meter: Meter, occurredAt: number): PeriodAsked | undefined =>
  isMetered(meter) && isPast(meter, occurredAt) ? periodAsked(meter, occurredAt) : undefined

/** Of a Lifetime nothing is over. */
function periodAsked({ id, metered }: MeteredMeter, occurredAt: number): PeriodAsked {
  const { start, end } = periodAt(metered.period, occurredAt)
  return { meterId: id, periodStart: start!, periodEnd: end! }
}

/** The period may have begun before the meter came to count in it, by shorter ones until then. */
function isPast(meter: MeteredMeter, occurredAt: number): boolean {
  const { start } = periodOf(meter)
  return start !== null && occurredAt < start
}

/** Counts in what was put aside of the period last: it may have been under a later start, when shorter periods went before. */
function countInPast(course: Course, meter: MeteredMeter, amount: Decimal, occurredAt: number, now: number): void {
  const asked = periodAsked(meter, occurredAt)
  const { periodStart, usage, marks } = course.past(asked) ?? { ...asked, usage: zero, marks: {} }
  const after = addDecimals(usage, amount)
  course.putPast({
    meterId: meter.id,
    periodStart,
    usage: after,
    marks: marksEntered(meter.metered.tiers, marks, usage, after, occurredAt),
  })
  pay(course, chargesOf(meter.metered, usage, after), now, 'reported')
}
