import type { BalanceUsage } from '../../../catalog-schema/metric.ts'
import { compareDecimals, type Decimal, decimalOf } from '../../kit/decimal.ts'
import type { QuotaUsageLevel } from '../tiers/tier.ts'

/** A level of what remains of a balance: it applies while that is below `below`. */
export interface Band {
  below: Decimal
  name: string | null
  level: QuotaUsageLevel
}

/** The bands of a definition, the lowest threshold first. */
export const readBands = ({ usageQuota }: BalanceUsage): Band[] =>
  usageQuota
    .map(({ endUsage, name, quotaUsageLevel }) => ({ below: decimalOf(endUsage), name, level: quotaUsageLevel }))
    .toSorted((a, b) => compareDecimals(a.below, b.below))

/** The band that is reported: of those that apply, the one with the lowest threshold. */
export const bandAt = (bands: readonly Band[], remaining: Decimal): Band | undefined =>
  bands.find(({ below }) => compareDecimals(remaining, below) < 0)

/** Whether any band that applies is Critical: then nothing more is deducted. */
export const isBlocked = (bands: readonly Band[], remaining: Decimal): boolean =>
  bands.some(({ below, level }) => level === 'Critical' && compareDecimals(remaining, below) < 0)
