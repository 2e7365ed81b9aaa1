import type { BalanceUsage, MeteredUsage } from '../../../catalog-schema/metric.ts'
import type { Parts } from './slow-numbers.ts'
import type { Bill, SlowTier } from './slow-tiers.ts'

/** A meter, as what happened to it. */
export interface SlowMeter {
  metric: string
  usage: MeteredUsage
  tiers: readonly SlowTier[]
  counted: { period: number | null; amount: Parts; at: number }[]
  accepted: { from: Parts; to: Parts; at: number }[]
  holds: { id: string; amount: Parts; expiresAt: number }[]
  suspensions: number[]
  levels: string[]
}

/** A balance, as what happened to it. */
export interface SlowBalance {
  metric: string
  balance: BalanceUsage
  movements: { kind: string; amount: Parts; at: number }[]
  /** How many of them had happened when its level was noted last. */
  noted: number
  unfunded: Parts[]
  lastUnfundedAt: number | null
  holds: { id: string; amount: Parts; expiresAt: number }[]
  levels: string[]
}

/** What is said to an amount. */
export interface SlowVerdict {
  reason: string | null
  policy: string | null
  /** What the ruling tier may be. */
  tiers: { name: string | null; level: string }[]
  charges: Bill
  payers: string[]
  retryAt: number | null
}
