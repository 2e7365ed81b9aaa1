import { toNullableInstant } from '../../kit/clock.ts'
import { wireNumber } from '../../kit/decimal.ts'
import { bandOf, figuresOf, levelOf, remainingCredits } from './level.ts'
import { isMetered, isOpenBalance, type Meter } from './meter.ts'

/** How a settled meter stands, as usage of a limit; of a balance its credits are the limit. */
export function usageOf(meter: Meter) {
  return {
    metric: meter.metricName,
    unit: meter.unit,
    ...figuresOf(meter),
    tiers: isMetered(meter) ? [...meter.metered.written] : [],
    suspendedUntilAt: toNullableInstant(meter.state.suspendedUntil),
  }
}

/** What is left of a settled meter: of a balance its credits, of metered usage what its limit leaves. */
export function consumptionOf(meter: Meter) {
  const head = { metric: meter.metricName, unit: meter.unit }
  if (!isOpenBalance(meter)) {
    const { usage, limit, remaining, periodStart, periodEnd } = figuresOf(meter)
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
