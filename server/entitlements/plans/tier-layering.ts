import type { AddOnFeatureValue } from '../../../catalog-schema/add-on.ts'
import type { UsageTier } from '../../../catalog-schema/usage-tier.ts'
import {
  addDecimals,
  type Decimal,
  decimalOf,
  decimalText,
  largerOf,
  multiplyDecimals,
  wireNumber,
  zero,
} from '../../kit/decimal.ts'
import { limitIn, numberOf, operate, unlimited } from './add-on-operations.ts'
import type { Voices } from './voices.ts'

type Limit = { value: string | null; tiers: UsageTier[] | null }

/** The tiers that a plan gives in place of `own`; null when the value alone limits, as a number does, and any where nobody gives tiers. */
export function planTiers(own: readonly UsageTier[], plan: Voices['plan']): UsageTier[] | null {
  if (typeof plan !== 'object') return orNone(adjoined(own))
  const { enforcementType, value } = plan
  const usageTiers = adjoined(plan.usageTiers)
  if (enforcementType === 'TieredAbsolute' && usageTiers.length > 0)
    return usageTiers.map((tier) => (isByUsage(tier) ? { ...tier, startPercentage: null, endPercentage: null } : tier))
  if (enforcementType === 'TieredPercentage' && usageTiers.length > 0)
    return usageTiers.map((tier) => (isByPercentage(tier) ? { ...tier, startUsage: null, endUsage: null } : tier))
  if (enforcementType === 'SingleValue' && numberOf(value) !== undefined) return null
  return orNone(usageTiers.length > 0 ? usageTiers : adjoined(own))
}

/** The tiers with the starts that they leave out: each begins where the one before it ends, if it ends after that. */
export const adjoined = (tiers: readonly UsageTier[]): UsageTier[] =>
  tiers.map((tier, index) => {
    const before = tiers[index - 1]
    if (!before) return tier
    const after = (endBefore: number | null, end: number | null) =>
      endBefore !== null && (end === null || end > endBefore) ? endBefore : null
    return {
      ...tier,
      startUsage: isByPercentage(tier) ? tier.startUsage : (tier.startUsage ?? after(before.endUsage, tier.endUsage)),
      startPercentage: isByUsage(tier)
        ? tier.startPercentage
        : (tier.startPercentage ?? after(before.endPercentage, tier.endPercentage)),
    }
  })

/** Of a tier that only has bounds of the other kind those count: without any it would allow, or deny, whatever comes. */
const isByUsage = ({ startUsage, endUsage }: UsageTier) => startUsage !== null || endUsage !== null
const isByPercentage = ({ startPercentage, endPercentage }: UsageTier) =>
  startPercentage !== null || endPercentage !== null

/** What is added to a tier may be the same at both of its bounds; as a tier that is none. */
const hasWidth = (tier: UsageTier) =>
  bounds.every(([start, end]) => tier[end] === null || tier[end] > (tier[start] ?? 0))

const orNone = (tiers: UsageTier[]) => (tiers.length > 0 ? tiers : null)

/** The tiers after an add-on: Replace puts its own in their place, Add moves their bounds up, Max keeps the larger bounds; a value alone moves them with it. */
export function changeTiers({ value, tiers }: Limit, change: AddOnFeatureValue): UsageTier[] | null {
  const { operation, usageTiers } = change
  if (usageTiers.length === 0) return tiers && moved(value, tiers, change)
  if (operation === 'Replace') return adjoined(usageTiers)
  const before = tiers ?? tiersOfValue(value)
  if (before.length === 0) return orNone(adjoined(usageTiers).filter(hasWidth))
  const alike = inOneKind(before, usageTiers, operate(operation, value, change.value))
  if (!alike) return tiers
  return operation === 'Add' ? raised(...alike) : widened(...alike)
}

/**
 * Tiers and an add-on's as they can be compared: where one has bounds by usage and the other by percentage, the percentages of
 * both are worked out of the value; undefined when that is no number, or without limit.
 */
function inOneKind(
  tiers: readonly UsageTier[],
  others: readonly UsageTier[],
  value: string | null,
): [readonly UsageTier[], readonly UsageTier[]] | undefined {
  const isMixed = tiers.some((tier, index) => {
    const other = others[index] ?? nothing
    if (!isByUsage(other) && !isByPercentage(other)) return false
    const isSame = isByUsage(tier) === isByUsage(other) && isByPercentage(tier) === isByPercentage(other)
    return !isSame && (isByPercentage(tier) || isByPercentage(other))
  })
  if (!isMixed) return [tiers, others]
  const of = numberOf(value)
  if (!of || of === unlimited) return undefined
  const byUsage = (some: readonly UsageTier[]) =>
    tiersWorkedOut({ value, tiers: [...some] }).map((tier) => ({ ...tier, startPercentage: null, endPercentage: null }))
  return [byUsage(tiers), byUsage(others)]
}

/** The tiers with their bounds moved by a value: with Add by all of it, else until the first one ends at it, with Max only up. Percentages follow the value by themselves. */
function moved(before: string | null, tiers: UsageTier[], { operation, value }: AddOnFeatureValue): UsageTier[] {
  const by = numberOf(value)
  const first = tiers[0]!
  const end = first.endUsage ?? (operation === 'Replace' ? takenAway(before, first) : null)
  if (!by || end === null) return tiers
  if (by === unlimited) return [{ ...first, endUsage: null }]
  if (end === unlimited) return [{ ...first, endUsage: exactly(by) }]
  const rest = operation === 'Add' ? by : addDecimals(by, negated(decimalOf(end)))
  if (operation === 'Max' && rest.units <= 0n) return tiers
  return raised(tiers, [{ ...nothing, endUsage: wireNumber(rest) }])
}

/** The end that a tier by usage has not, where the value says that there is no limit. */
const takenAway = (value: string | null, tier: UsageTier) =>
  numberOf(value) === unlimited && !isByPercentage(tier) ? unlimited : null

/**
 * The tiers with bounds added to theirs, one after another, none below zero and no end before its start; where none is given, a
 * bound moves as far as the one before it.
 */
function raised(tiers: readonly UsageTier[], additions: readonly UsageTier[]): UsageTier[] {
  const carried = { Usage: zero, Percentage: zero }
  return tiers.map((tier, index) => {
    const addition = additions[index] ?? nothing
    const next = (kind: keyof typeof carried, bound: number | null, added: number | null) => {
      if (added !== null) carried[kind] = decimalOf(added)
      return bound === null ? null : exactly(largerOf(zero, addDecimals(decimalOf(bound), carried[kind])))
    }
    const startUsage = next('Usage', tier.startUsage, addition.startUsage)
    const startPercentage = next('Percentage', tier.startPercentage, addition.startPercentage)
    return {
      ...tier,
      startUsage,
      endUsage: notBefore(startUsage, next('Usage', tier.endUsage, addition.endUsage)),
      startPercentage,
      endPercentage: notBefore(startPercentage, next('Percentage', tier.endPercentage, addition.endPercentage)),
    }
  })
}

/** The tiers with the larger of their bounds and others'; one that began where the tier before it ended still does, and is gone where that has no end any more. */
function widened(tiers: readonly UsageTier[], others: readonly UsageTier[]): UsageTier[] {
  const wide: UsageTier[] = []
  for (const [index, tier] of tiers.entries()) {
    const moved = { ...tier }
    const [before, ahead] = [tiers[index - 1], wide[index - 1]]
    for (const [start, end] of bounds) {
      if (!before || !ahead || before[end] === null || tier[start] !== before[end]) continue
      if (ahead[end] === null) return wide
      moved[start] = ahead[end]
      moved[end] = tier[end] === null ? null : largerBound(tier[end], ahead[end])
    }
    wide.push(larger(moved, others[index]))
  }
  return wide
}

const bounds = [
  ['startUsage', 'endUsage'],
  ['startPercentage', 'endPercentage'],
] as const

/** The tier with the larger of its bounds and another's; no end is the largest, no start the smallest. */
function larger(tier: UsageTier, other: UsageTier | undefined): UsageTier {
  if (!other) return tier
  const start = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : largerBound(a, b))
  const end = (a: number | null, b: number | null) => (a === null || b === null ? null : largerBound(a, b))
  return !isByPercentage(tier)
    ? { ...tier, startUsage: start(tier.startUsage, other.startUsage), endUsage: end(tier.endUsage, other.endUsage) }
    : {
        ...tier,
        startPercentage: start(tier.startPercentage, other.startPercentage),
        endPercentage: end(tier.endPercentage, other.endPercentage),
      }
}

/** The tiers with their percentages worked out as usage, exactly, of the value; of a value that is no number they are of 0. */
export function tiersWorkedOut({ value, tiers }: Limit): UsageTier[] {
  const of = limitIn(value) ?? zero
  return (tiers ?? tiersOfValue(value)).flatMap((tier) => {
    const { startUsage, endUsage, startPercentage, endPercentage } = tier
    if (startPercentage === null && endPercentage === null) return [tier]
    if (of === unlimited) return startPercentage ? [] : [{ ...tier, startUsage: startUsage ?? startPercentage }]
    return [
      { ...tier, startUsage: startUsage ?? share(startPercentage, of), endUsage: endUsage ?? share(endPercentage, of) },
    ]
  })
}

function share(percentage: number | null, of: Decimal): number | null {
  if (percentage === null) return null
  const { units, exponent } = multiplyDecimals(of, decimalOf(percentage))
  return exactly({ units, exponent: exponent - 2 })
}

/** The one tier of a limit that a value alone sets; none when the value is no number. */
function tiersOfValue(value: string | null): UsageTier[] {
  const limit = limitIn(value)
  if (!limit) return []
  return [{ ...nothing, startUsage: 0, endUsage: limit === unlimited ? null : exactly(limit) }]
}

/** A tier that says nothing. */
const nothing: UsageTier = {
  name: null,
  startUsage: null,
  endUsage: null,
  startPercentage: null,
  endPercentage: null,
  baseCredits: 0,
  creditsPerUnitOfConsumption: 0,
  quotaUsageLevel: 'None',
  quotaUsagePolicy: 'None',
  fundingBalanceMetric: null,
}

/** The tiers of what is not to be had: every use of it is denied. */
export const deniedTiers: readonly UsageTier[] = [{ ...nothing, startUsage: 0, quotaUsagePolicy: 'Deny' }]

const negated = ({ units, exponent }: Decimal): Decimal => ({ units: -units, exponent })
const notBefore = (start: number | null, end: number | null) => (end === null ? null : largerBound(start ?? 0, end))
const largerBound = (a: number, b: number) => wireNumber(largerOf(decimalOf(a), decimalOf(b)))

/** A number with exactly a decimal's digits; of one beyond every double the largest of these. */
export const exactly = (decimal: Decimal) =>
  Number(decimalText(decimal)) === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : wireNumber(decimal)
