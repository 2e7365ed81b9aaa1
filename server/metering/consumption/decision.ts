import type { QuotaUsageLevel, QuotaUsagePolicy } from '../tiers/tier.ts'

/** Why consumption is refused. */
export type DecisionReason = 'denied' | 'insufficient_credits' | 'balance_blocked' | 'suspended' | 'rate_limited'

/** What was decided of an amount, as it is answered: numbers with exactly their digits, instants as RFC 3339. */
export interface Decision {
  allowed: boolean
  reason: DecisionReason | null
  metric: string
  amount: number
  /** As they are after the decision. */
  usage: number
  limit: number | null
  remaining: number | null
  periodStart: string | null
  periodEnd: string | null
  /** Of the tier (or band) in which usage stands after the decision; of a refusal that of the tier that ruled, where one did. */
  quotaUsageLevel: QuotaUsageLevel
  /** Of the tier that ruled. */
  quotaUsagePolicy: QuotaUsagePolicy
  tier: string | null
  chargedCredits: number
  fundingBalanceMetric: string | null
  fundingBalanceRemaining: number | null
  retryAfterSeconds: number | null
  idempotentKey: string | null
  replayed: boolean
  decidedAt: string
}
