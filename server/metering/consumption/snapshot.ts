import { wireNumber } from '../../kit/decimal.ts'
import { toNullableInstant } from '../../kit/instants.ts'
import type { Course } from './course.ts'
import { bandOf, figuresOf, levelOf, remainingCredits } from './level.ts'
import { isMetered, isOpenBalance, type Meter } from './meter.ts'

/** How a settled meter stands at `now`, as usage of a limit; of a balance its credits are the limit. */
export function usageOf(course: Course, meter: Meter, now: number) {
  return {
    metric: meter.metricName,
    unit: meter.unit,
    ...figuresOf(course, meter, now),
    tiers: isMetered(meter) ? [...meter.metered.written] : [],
    suspendedUntilAt: toNullableInstant(meter.state.suspendedUntil),
  }
}

/** What is left of a settled meter at `now`: of a balance its credits, of metered usage what its limit leaves. */
export function consumptionOf(course: Course, meter: Meter, now: number) {
  const head = { metric: meter.metricName, unit: meter.unit }
  if (!isOpenBalance(meter)) {
    const { usage, limit, remaining, periodStart, periodEnd } = figuresOf(course, meter, now)
    const suspendedUntilAt = toNullableInstant(meter.state.suspendedUntil)
    return { ...head, usage, limit, remaining, periodStart, periodEnd, suspendedUntilAt }
  }
  const { credits } = meter.state
  return {
    ...head,
    isUnlimitedCredits: meter.balance.isUnlimited,
    totalCredits: wireNumber(credits.total),
    creditsUsed: wireNumber(credits.used),
    remaining: remainingCredits(meter),
    cumulativeCreditsUsed: wireNumber(credits.cumulativeUsed),
    unfundedCredits: wireNumber(credits.unfunded),
    lastUnfundedAt: toNullableInstant(credits.lastUnfundedAt),
    overageSeverityStatus: levelOf(meter),
    band: bandOf(meter)?.name ?? null,
    suspendedUntilAt: toNullableInstant(meter.state.suspendedUntil),
    lastDeposit: toNullableInstant(credits.lastDepositAt),
  }
}
