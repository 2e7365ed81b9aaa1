import type { MeteredUsage } from '../../../catalog-schema/metric.ts'
import { least, most, type Parts, parts, times } from './slow-numbers.ts'

/** The contract's words on tiers and periods, followed one by one and as slowly as they read. */
export interface SlowTier {
  start: Parts
  /** Null without end. */
  end: Parts | null
  name: string | null
  policy: string
  level: string
  base: Parts
  price: Parts
  payer: string | null
}

export const slowTiers = ({ usageTiers }: MeteredUsage): SlowTier[] =>
  usageTiers
    .map((tier) => ({
      start: parts(tier.startUsage ?? 0),
      end: tier.endUsage === null ? null : parts(tier.endUsage),
      name: tier.name,
      policy: tier.quotaUsagePolicy as string,
      level: tier.quotaUsageLevel as string,
      base: parts(tier.baseCredits),
      price: parts(tier.creditsPerUnitOfConsumption),
      payer: tier.quotaUsagePolicy === 'AllowWithOverage' ? tier.fundingBalanceMetric : null,
    }))
    .sort((a, b) => (a.start < b.start ? -1 : 1))

/** How much of [from, to) lies in the tier. */
export const overlap = ({ start, end }: SlowTier, from: Parts, to: Parts): Parts =>
  most(0n, (end === null ? to : least(to, end)) - most(from, start))

/** Where usage stands; who has used up the last tier stands in it still. */
export function standing(tiers: readonly SlowTier[], usage: Parts): SlowTier | undefined {
  const found = tiers.find(({ start, end }) => start <= usage && (end === null || usage < end))
  return found ?? (isUsedUp(tiers, usage) ? tiers.find(({ end }) => end === endOf(tiers)) : undefined)
}

/** Whether usage has come to the end of all tiers. */
export function isUsedUp(tiers: readonly SlowTier[], usage: Parts): boolean {
  const end = endOf(tiers)
  return end !== null && usage >= end
}

/** The end of all tiers: null without tiers, or when one never ends. */
export function endOf(tiers: readonly SlowTier[]): Parts | null {
  if (tiers.length === 0 || tiers.some(({ end }) => end === null)) return null
  return tiers.map(({ end }) => end!).reduce(most)
}

/** Where the first of the refusing tiers begins that usage has not passed, or all end. */
export function slowLimit(tiers: readonly SlowTier[], usage: Parts): Parts | null {
  const bounds = tiers
    .filter(({ policy, end }) => (policy === 'Deny' || policy === 'SuspendUsage') && (end === null || usage < end))
    .map(({ start }) => start)
  const end = endOf(tiers)
  if (end !== null) bounds.push(end)
  return bounds.length === 0 ? null : bounds.reduce(least)
}

/** Credits by payer, in the order in which units come to be paid; none of them zero. */
export type Bill = Map<string, Parts>

/** What a call from `from` to `to` costs: Sliced, the cost of all usage to `to` less that of all usage to `from`. */
export function bill(tiers: readonly SlowTier[], isVolume: boolean, from: Parts, to: Parts): Bill {
  const bills: Bill = new Map()
  const charge = ({ payer }: SlowTier, credits: Parts) => {
    if (payer !== null && credits !== 0n) bills.set(payer, (bills.get(payer) ?? 0n) + credits)
  }
  if (isVolume) {
    const reached = tiers.filter((tier) => overlap(tier, from, to) > 0n).at(-1)
    if (reached) charge(reached, times(to - from, reached.price) + (from <= reached.start ? reached.base : 0n))
  } else for (const tier of tiers) charge(tier, wholeCost(tier, to) - wholeCost(tier, from))
  return bills
}

const wholeCost = (tier: SlowTier, usage: Parts): Parts =>
  times(overlap(tier, 0n, usage), tier.price) + (usage > tier.start ? tier.base : 0n)

type PeriodName = MeteredUsage['consumptionPeriod']

/** The first instant of the calendar's period, found by its name in UTC; null of a Lifetime. */
export function firstInstant(period: PeriodName, instant: number): number | null {
  const name = `${period} ${instant}`
  if (!found.has(name)) found.set(name, seekFirstInstant(period, instant))
  return found.get(name)!
}

const found = new Map<string, number | null>()

function seekFirstInstant(period: PeriodName, instant: number): number | null {
  const text = new Date(instant).toISOString()
  if (period === 'Lifetime') return null
  if (period === 'Hourly') return Date.parse(`${text.slice(0, 13)}:00:00Z`)
  let day = Date.parse(text.slice(0, 10))
  const belongs = (date: Date) =>
    period === 'Daily' ||
    (period === 'Weekly' && date.getUTCDay() === 1) ||
    (period === 'Monthly' && date.getUTCDate() === 1) ||
    (period === 'Quarterly' && date.getUTCDate() === 1 && [0, 3, 6, 9].includes(date.getUTCMonth())) ||
    (period === 'Yearly' && date.getUTCDate() === 1 && date.getUTCMonth() === 0)
  while (!belongs(new Date(day))) day -= 86_400_000
  return day
}

/** The first instant of the next one. */
export function nextInstant(period: PeriodName, instant: number): number | null {
  const start = firstInstant(period, instant)
  if (start === null) return null
  const step = period === 'Hourly' ? 3_600_000 : 86_400_000
  let next = start + (period === 'Yearly' ? 365 : 1) * step
  while (seekFirstInstant(period, next) === start) next += step
  return next
}
