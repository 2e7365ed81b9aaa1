import {
  addDecimals,
  compareDecimals,
  type Decimal,
  largerOf,
  subtractDecimals,
  wireNumber,
  zero,
} from '../../kit/decimal.ts'
import { toNullableInstant } from '../../kit/instants.ts'
import { bandAt } from '../balances/band.ts'
import { type Period, periodAt } from '../tiers/period.ts'
import { limitAt } from '../tiers/ruling.ts'
import { type QuotaUsageLevel, tierAt } from '../tiers/tier.ts'
import type { Course, Crossing } from './course.ts'
import {
  heldOf,
  isMetered,
  isOpenBalance,
  type Meter,
  type MeteredMeter,
  type OpenBalance,
  remainingOf,
} from './meter.ts'
import { spendableOf } from './reserving.ts'

/** The level that a meter stands at: of the tier in which its usage is, of the band in which its balance is. */
export function levelOf(meter: Meter): QuotaUsageLevel {
  if (isMetered(meter)) return tierAt(meter.metered.tiers, meter.state.usage)?.level ?? 'None'
  return bandOf(meter)?.level ?? 'None'
}

/**
 * Reports the level of a meter when it is another than the one last reported; the first is no change. A balance that has used
 * up the credits it had `before` is reported, too, whatever the band.
 */
export function reportLevel(course: Course, id: string, before?: OpenBalance): void {
  const meter = course.get(id)
  const level = levelOf(meter)
  const previousLevel = meter.state.level
  if (level !== previousLevel) course.put(meter, { level })
  const isOther = level !== previousLevel && previousLevel !== null
  if (isOther || (before && !isUsedUp(before) && isUsedUp(meter)))
    course.tell(tellCrossing(course, meter, previousLevel ?? 'None', level))
}

/** Whether nothing remains of a balance. */
const isUsedUp = (meter: Meter) =>
  isOpenBalance(meter) && !meter.balance.isUnlimited && compareDecimals(remainingOf(meter.state.credits), zero) <= 0

/** That a meter stands at another level, or is used up: metered usage tells its tier and period, a balance its band. */
function tellCrossing(course: Course, meter: Meter, previousLevel: QuotaUsageLevel, level: QuotaUsageLevel): Crossing {
  const { id, entitlementId, productId, metricName } = meter
  const crossing = { entitlementId, monitoredAssetId: id, productId, metricName, previousLevel, level }
  const { usage, limit, remaining, tier, periodStart, periodEnd } = figuresOf(course, meter, course.by.now)
  if (!isMetered(meter))
    return {
      type: 'CreditBalance.StatusChanged',
      entityId: id,
      data: { ...crossing, remaining: remainingCredits(meter), totalCredits: limit, band: tier },
    }
  return {
    type: 'MeteredUsage.OverageStatusChanged',
    entityId: id,
    data: { ...crossing, usage, limit, remaining, tier, periodStart, periodEnd },
  }
}

/** The figures of a settled meter at `now` as they are told everywhere; a balance's usage is what is used of its credits. */
export function figuresOf(course: Course, meter: Meter, now: number) {
  if (isMetered(meter)) {
    const period = periodOf(meter)
    const { tiers, end } = meter.metered
    const limit = limitAt(meter.metered, meter.state, now)
    const isAtEnd = end !== null && compareDecimals(meter.state.usage, end) >= 0
    const tier = tierAt(tiers, meter.state.usage)
    return {
      usage: wireNumber(meter.state.usage),
      limit: limit && wireNumber(limit),
      remaining:
        limit && wireNumber(positiveOf(subtractDecimals(limit, addDecimals(meter.state.usage, heldOf(meter.state))))),
      periodStart: toNullableInstant(period.start),
      periodEnd: toNullableInstant(period.end),
      quotaUsageLevel: tier?.level ?? 'None',
      // Past the end of the last tier usage is denied.
      quotaUsagePolicy: isAtEnd ? 'Deny' : (tier?.policy ?? 'None'),
      tier: tier?.name ?? null,
    }
  }
  const credits = isOpenBalance(meter) ? meter.state.credits : undefined
  return {
    usage: wireNumber(credits?.used ?? meter.state.usage),
    limit: credits && !meter.balance?.isUnlimited ? wireNumber(credits.total) : null,
    remaining: freeCredits(course, meter),
    periodStart: null,
    periodEnd: null,
    quotaUsageLevel: levelOf(meter),
    quotaUsagePolicy: 'None' as const,
    tier: bandOf(meter)?.name ?? null,
  }
}

/** What is neither used nor held of a balance, for itself or for what it pays for; null without an end to it. */
const freeCredits = (course: Course, meter: Meter): number | null =>
  isOpenBalance(meter) && !meter.balance.isUnlimited ? wireNumber(positiveOf(spendableOf(course, meter))) : null

/** The credits that remain of a balance; null without an end to them, or of what is none. */
export const remainingCredits = (meter: Meter): number | null =>
  isOpenBalance(meter) && !meter.balance.isUnlimited ? wireNumber(remainingOf(meter.state.credits)) : null

/** The band that a balance is in. */
export const bandOf = (meter: Meter) =>
  isOpenBalance(meter) && !meter.balance.isUnlimited
    ? bandAt(meter.balance.bands, remainingOf(meter.state.credits))
    : undefined

/** A decimal, or zero where it is below that. */
export const positiveOf = (decimal: Decimal): Decimal => largerOf(decimal, zero)

/** The period that a settled meter counts in. */
export const periodOf = ({ metered, state }: MeteredMeter): Period =>
  state.periodStart === null ? { start: null, end: null } : periodAt(metered.period, state.periodStart)
