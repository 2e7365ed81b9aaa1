import { toInstant } from '../../kit/clock.ts'
import { type Decimal, wireNumber } from '../../kit/decimal.ts'
import type { Course } from './course.ts'
import type { Decision } from './decision.ts'
import type { Verdict } from './judging.ts'
import { figuresOf, remainingCredits } from './level.ts'
import { totalOf } from './paying.ts'
import { balanceNamed } from './reserving.ts'

/** A decision as it is answered, with the meter's figures after it. */
export function decisionOf(course: Course, meterId: string, amount: Decimal, verdict: Verdict, now: number): Decision {
  const meter = course.get(meterId)
  const { reason, ruling, charges, short, retryAt } = verdict
  const { tier, ...figures } = figuresOf(meter)
  const charged = reason === null ? [...charges.keys()].at(-1) : undefined
  const funding = charged === undefined ? short : balanceNamed(course, charged)
  const paying = funding && funding.id !== meterId ? funding : undefined
  return {
    allowed: reason === null,
    reason,
    metric: meter.metricName,
    amount: wireNumber(amount),
    ...figures,
    quotaUsagePolicy: ruling?.policy ?? figures.quotaUsagePolicy,
    tier: ruling ? (ruling.tier?.name ?? null) : tier,
    chargedCredits: reason === null ? wireNumber(totalOf(charges)) : 0,
    fundingBalanceMetric: paying?.metricName ?? null,
    fundingBalanceRemaining: paying ? remainingCredits(course.get(paying.id)) : null,
    retryAfterSeconds: retryAt === null ? null : Math.max(1, Math.ceil((retryAt - now) / 1000)),
    idempotentKey: null,
    replayed: false,
    decidedAt: toInstant(now),
  }
}
