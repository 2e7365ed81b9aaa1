import type { BalanceUsage, MeteredUsage } from '../../../catalog-schema/metric.ts'
import { type Parts, sum } from './slow-numbers.ts'
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

export const spending = ['Consumption', 'Deduction']

/** Whether somebody used up what remained when levels were noted last. */
export function wasUsedUp({ balance, movements, noted }: SlowBalance): boolean {
  const amounts = movements.map(({ amount }) => amount)
  const isSpent = movements.slice(noted).some(({ kind, amount }) => spending.includes(kind) && amount !== 0n)
  return !balance.isUnlimitedCredits && isSpent && sum(amounts.slice(0, noted)) > 0n && sum(amounts) <= 0n
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
