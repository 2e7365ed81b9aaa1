import { toNullableInstant } from '../../kit/clock.ts'
import { type Decimal, largerOf, subtractDecimals, wireNumber, zero } from '../../kit/decimal.ts'
import { bandAt } from '../balances/band.ts'
import { type Period, periodAt } from '../tiers/period.ts'
import { type QuotaUsageLevel, tierAt } from '../tiers/tier.ts'
import type { Course } from './course.ts'
import { heldOf, isMetered, isOpenBalance, type Meter, type MeteredMeter, remainingOf } from './meter.ts'

/** The level that a meter stands at: of the tier in which its usage is, of the band in which its balance is. */
export function levelOf(meter: Meter): QuotaUsageLevel {
  if (isMetered(meter)) return tierAt(meter.metered.tiers, meter.state.usage)?.level ?? 'None'
  if (isOpenBalance(meter) && !meter.balance.isUnlimited)
    return bandAt(meter.balance.bands, remainingOf(meter.state.credits))?.level ?? 'None'
  return 'None'
}

/** Reports the level of a meter when it is another than the one last reported; the first is no change. */
export function reportLevel(course: Course, id: string): void {
  const meter = course.get(id)
  const level = levelOf(meter)
  const previousLevel = meter.state.level
  if (level === previousLevel) return
  course.put(meter, { level })
  if (previousLevel === null) return
  const about = {
    entitlementId: meter.entitlementId,
    monitoredAssetId: meter.id,
    productId: meter.productId,
    metricName: meter.metricName,
    previousLevel,
    level,
  }
  if (isMetered(meter))
    course.happenings.push({
      type: 'MeteredUsage.OverageStatusChanged',
      entityId: meter.id,
      data: { ...about, ...meteredFigures(meter) },
    })
  else if (isOpenBalance(meter))
    course.happenings.push({
      type: 'CreditBalance.StatusChanged',
      entityId: meter.id,
      data: {
        ...about,
        remaining: meter.balance.isUnlimited ? null : wireNumber(remainingOf(meter.state.credits)),
        totalCredits: wireNumber(meter.state.credits.total),
        band: bandAt(meter.balance.bands, remainingOf(meter.state.credits))?.name ?? null,
      },
    })
}

/** The figures of metered usage as they are told everywhere. */
export function meteredFigures(meter: MeteredMeter) {
  const period = periodOf(meter)
  return {
    usage: wireNumber(meter.state.usage),
    limit: meter.metered.limit && wireNumber(meter.metered.limit),
    remaining: remainingUsage(meter),
    tier: tierAt(meter.metered.tiers, meter.state.usage)?.name ?? null,
    periodStart: toNullableInstant(period.start),
    periodEnd: toNullableInstant(period.end),
  }
}

/** How much more can be used: what is neither used nor held below the limit; null without one. */
export function remainingUsage({ metered: { limit }, state }: MeteredMeter): number | null {
  if (limit === null) return null
  return wireNumber(positiveOf(subtractDecimals(subtractDecimals(limit, state.usage), heldOf(state))))
}

/** A decimal, or zero where it is below that. */
export const positiveOf = (decimal: Decimal): Decimal => largerOf(decimal, zero)

/** The period that a settled meter counts in. */
export const periodOf = ({ metered, state }: MeteredMeter): Period =>
  state.periodStart === null ? { start: null, end: null } : periodAt(metered.period, state.periodStart)
