import {
  addDecimals,
  compareDecimals,
  type Decimal,
  largerOf,
  smallerOf,
  subtractDecimals,
  zero,
} from '../../kit/decimal.ts'
import { lastEnd, type Tier } from '../../metering/tiers/tier.ts'

/** How much of a period's usage is in tiers that allow it as overage, or past the end of the last tier. */
export function overageOf(usage: Decimal, tiers: readonly Tier[]): Decimal {
  const allowed = tiers.filter(({ policy }) => policy === 'AllowWithOverage')
  const inTiers = allowed.map(({ start, end }) => partOf(usage, start, end)).reduce(addDecimals, zero)
  const end = lastEnd(tiers)
  return end === null ? inTiers : addDecimals(inTiers, partOf(usage, end, null))
}

function partOf(usage: Decimal, start: Decimal, end: Decimal | null): Decimal {
  const last = end === null ? usage : smallerOf(usage, end)
  return compareDecimals(last, start) <= 0 ? zero : subtractDecimals(last, largerOf(start, zero))
}
