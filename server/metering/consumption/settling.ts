import { zero } from '../../kit/decimal.ts'
import { fill, giveInitial, nextFilling, waiveDebt } from '../balances/crediting.ts'
import { periodAt } from '../tiers/period.ts'
import { marksCarried } from '../tiers/ruling.ts'
import { tierAt } from '../tiers/tier.ts'
import type { Course } from './course.ts'
import { periodOf, reportLevel } from './level.ts'
import { type Balance, isMetered, isOpenBalance, type Meter, type MeteredMeter, type OpenBalance } from './meter.ts'

/**
 * Brings the meters to `now` (milliseconds): a period that is over is put aside and the next one begins, holds lapse,
 * suspensions end, balances are opened and get what is due to them, each at its own time.
 */
export function settle(course: Course, now: number): void {
  for (const { id, balance, state } of course.meters()) {
    if (state.holds.some(({ expiresAt }) => expiresAt <= now))
      course.put(course.get(id), { holds: state.holds.filter(({ expiresAt }) => expiresAt > now) })
    if (state.suspendedUntil !== null && state.suspendedUntil <= now)
      course.put(course.get(id), { suspendedUntil: null })
    const meter = course.get(id)
    if (isMetered(meter)) beginPeriod(course, meter, now)
    if (balance) settleBalance(course, id, balance, now)
    reportLevel(course, id)
  }
}

/** Begins the period of `now`; a clock that was set back begins no earlier one again. */
function beginPeriod(course: Course, meter: MeteredMeter, now: number): void {
  const { start } = periodAt(meter.metered.period, now)
  const { periodStart, usage, marks } = meter.state
  if (start === null || (periodStart !== null && start <= periodStart)) return
  if (periodStart === null) return void course.put(meter, { periodStart: start })
  // Nothing is put aside, too, where a shorter period of the same time was: what comes late is not counted in that.
  if (usage.units !== 0n || periodStart !== periodOf(meter).start)
    course.putPast({ meterId: meter.id, periodStart, usage, marks })
  // The level falls where the period ends, however many have passed since.
  const end = periodOf(meter).end!
  course.put(meter, { periodStart: end, usage: zero, marks: marksCarried(marks) })
  reportLevelAt(course, meter.id, end)
  if (start > end) course.put(course.get(meter.id), { periodStart: start })
}

/** Reports a level as of the instant at which it changed. */
function reportLevelAt(course: Course, id: string, at: number): void {
  const { by } = course
  course.by = { ...by, now: at }
  reportLevel(course, id)
  course.by = by
}

function settleBalance(course: Course, id: string, balance: Balance, now: number): void {
  giveInitial(course, id, balance, now)
  if (!balance.isUnlimited) waiveDebt(course, id, now)
  reportLevel(course, id)
  for (;;) {
    const at = nextFilling(course.get(id) as OpenBalance)
    if (at === null || at > now) return
    fill(course, id, balance, at)
    reportLevelAt(course, id, at)
  }
}

/** When time changes by itself what is known of a settled meter, in milliseconds; null when it never does. */
export function dueAt(meter: Meter): number | null {
  const instants = [meter.state.suspendedUntil, isOpenBalance(meter) ? nextFilling(meter) : null]
  if (isMetered(meter)) {
    const isCalm = (tierAt(meter.metered.tiers, zero)?.level ?? 'None') === meter.state.level
    instants.push(isCalm ? null : periodOf(meter).end)
  }
  const ahead = instants.filter((at) => at !== null)
  return ahead.length === 0 ? null : Math.min(...ahead)
}
