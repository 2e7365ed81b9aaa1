import type { quotaUsageLevels, quotaUsagePolicies } from '../../../catalog-schema/enumerations.ts'
import type { MeteredUsage } from '../../../catalog-schema/metric.ts'
import { compareDecimals, type Decimal, decimalOf, decimalText, zero } from '../../kit/decimal.ts'

export type QuotaUsageLevel = (typeof quotaUsageLevels)[number]
export type QuotaUsagePolicy = (typeof quotaUsagePolicies)[number]

/** A range of the period's usage, from `start` to just before `end` (null: without end), and what happens in it. */
export interface Tier {
  start: Decimal
  end: Decimal | null
  /** Its start as text, by which it is known from call to call. */
  key: string
  name: string | null
  level: QuotaUsageLevel
  policy: QuotaUsagePolicy
  /** Charged once when usage enters it. */
  baseCredits: Decimal
  creditsPerUnit: Decimal
  /** The metric of the balance that pays for usage in it; null when nothing is charged. */
  fundedBy: string | null
}

/** The tiers of a definition with exact bounds, in the order of their starts. */
export const readTiers = ({ usageTiers }: MeteredUsage): Tier[] =>
  usageTiers
    .map((tier): Tier => {
      const start = tier.startUsage === null ? zero : decimalOf(tier.startUsage)
      return {
        start,
        end: tier.endUsage === null ? null : decimalOf(tier.endUsage),
        key: decimalText(start),
        name: tier.name,
        level: tier.quotaUsageLevel,
        policy: tier.quotaUsagePolicy,
        baseCredits: decimalOf(tier.baseCredits),
        creditsPerUnit: decimalOf(tier.creditsPerUnitOfConsumption),
        fundedBy: tier.quotaUsagePolicy === 'AllowWithOverage' ? tier.fundingBalanceMetric || null : null,
      }
    })
    .toSorted((a, b) => compareDecimals(a.start, b.start))

/** Whether usage from `from` to `to` has a part, however small, in the tier; none has in one that ends where it starts. */
export const isTouched = ({ start, end }: Tier, from: Decimal, to: Decimal): boolean =>
  compareDecimals(to, from) > 0 &&
  compareDecimals(to, start) > 0 &&
  (end === null || (compareDecimals(from, end) < 0 && compareDecimals(start, end) < 0))

/** The tier in which usage stands: of those that it is in, the one that starts last. At the end of the last tier and past it, that tier still. */
export function tierAt(tiers: readonly Tier[], usage: Decimal): Tier | undefined {
  const standing = tiers.findLast(
    ({ start, end }) => compareDecimals(usage, start) >= 0 && (end === null || compareDecimals(usage, end) < 0),
  )
  if (standing) return standing
  const end = lastEnd(tiers)
  return end !== null && compareDecimals(usage, end) >= 0
    ? tiers.find((tier) => compareDecimals(tier.end!, end) === 0)
    : undefined
}

/** The end of the last tier to end; null when one has none, or there are no tiers. */
export function lastEnd(tiers: readonly Tier[]): Decimal | null {
  let last: Decimal | null = null
  for (const { end } of tiers) {
    if (end === null) return null
    if (last === null || compareDecimals(end, last) > 0) last = end
  }
  return last
}
