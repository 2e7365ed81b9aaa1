import { type Decimal, wireNumber } from '../../kit/decimal.ts'
import { toInstant } from '../../kit/instants.ts'
import type { Course } from './course.ts'
import type { Decision } from './decision.ts'
import type { Verdict } from './judging.ts'
import { figuresOf, remainingCredits } from './level.ts'
import { balanceNamed } from './reserving.ts'

/** A decision as it is answered, with the meter's figures after it. */
export function decisionOf(
  course: Course,
  meterId: string,
  { amount, charged }: { amount: Decimal; charged: Decimal },
  verdict: Verdict,
  now: number,
): Decision {
  const meter = course.get(meterId)
  const { reason, ruling, charges, short, retryAt } = verdict
  const { tier, ...figures } = figuresOf(course, meter, now)
  const metric = reason === null ? [...charges.keys()].at(-1) : undefined
  const funding = metric === undefined ? short : { metric, balance: balanceNamed(course, metric) }
  const payer = funding?.balance?.id === meterId ? undefined : funding
  return {
    allowed: reason === null,
    reason,
    metric: meter.metricName,
    amount: wireNumber(amount),
    ...figures,
    quotaUsageLevel: reason !== null && ruling ? (ruling.tier?.level ?? 'None') : figures.quotaUsageLevel,
    quotaUsagePolicy: ruling?.policy ?? figures.quotaUsagePolicy,
    tier: ruling ? (ruling.tier?.name ?? null) : tier,
    chargedCredits: wireNumber(charged),
    fundingBalanceMetric: payer?.metric ?? null,
    fundingBalanceRemaining: payer?.balance ? remainingCredits(payer.balance) : null,
    retryAfterSeconds: retryAt === null ? null : Math.max(1, Math.ceil((retryAt - now) / 1000)),
    idempotentKey: null,
    replayed: false,
    decidedAt: toInstant(now),
  }
}
