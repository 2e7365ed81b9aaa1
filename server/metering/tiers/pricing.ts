import {
  addDecimals,
  compareDecimals,
  type Decimal,
  largerOf,
  multiplyDecimals,
  smallerOf,
  subtractDecimals,
  zero,
} from '../../kit/decimal.ts'
import { isTouched, type Tier } from './tier.ts'

/** Credits by the metric of the balance that they are charged to; none of them zero. */
export type Charges = ReadonlyMap<string, Decimal>

/** How usage is counted and priced: its tiers, and whether all units of a call cost what the tier reached says. */
export interface Pricing {
  tiers: readonly Tier[]
  isVolume: boolean
}

/** What one call that takes usage from `from` to `to` costs. */
export function chargesOf({ tiers, isVolume }: Pricing, from: Decimal, to: Decimal): Charges {
  const charges = new Map<string, Decimal>()
  const touched = tiers.filter((tier) => isTouched(tier, from, to))
  for (const tier of isVolume ? touched.slice(-1) : touched) {
    const units = isVolume ? subtractDecimals(to, from) : unitsIn(tier, from, to)
    addCharge(charges, tier, addDecimals(multiplyDecimals(units, tier.creditsPerUnit), entryFee(tier, from)))
  }
  return charges
}

/**
 * The most that usage from `from` to `to` can cost in whatever calls and order it comes. With tiers priced one by one that
 * is what it does cost; where a call is priced by the tier it reaches, all of it at each balance's dearest.
 */
export function mostChargesOf(pricing: Pricing, from: Decimal, to: Decimal): Charges {
  if (!pricing.isVolume) return chargesOf(pricing, from, to)
  const charges = new Map<string, Decimal>()
  const touched = pricing.tiers.filter((tier) => tier.fundedBy !== null && isTouched(tier, from, to))
  for (const [metric, tiers] of Map.groupBy(touched, ({ fundedBy }) => fundedBy!)) {
    const dearest = tiers.map(({ creditsPerUnit }) => creditsPerUnit).reduce(largerOf)
    const fees = tiers.map((tier) => entryFee(tier, from)).reduce(addDecimals)
    const credits = addDecimals(multiplyDecimals(subtractDecimals(to, from), dearest), fees)
    if (credits.units !== 0n) charges.set(metric, credits)
  }
  return charges
}

function addCharge(charges: Map<string, Decimal>, { fundedBy }: Tier, credits: Decimal): void {
  if (fundedBy !== null && credits.units !== 0n)
    charges.set(fundedBy, addDecimals(charges.get(fundedBy) ?? zero, credits))
}

/** How much of usage from `from` to `to` lies in the tier. */
function unitsIn({ start, end }: Tier, from: Decimal, to: Decimal): Decimal {
  return subtractDecimals(end === null ? to : smallerOf(end, to), largerOf(start, from))
}

/** What is charged once, by the call whose first unit in the tier is the first of all. */
const entryFee = ({ start, baseCredits }: Tier, from: Decimal) =>
  compareDecimals(from, start) <= 0 ? baseCredits : zero
