import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MeteredUsage } from '../../../catalog-schema/metric.ts'
import type { UsageTier } from '../../../catalog-schema/usage-tier.ts'
import { addDecimals, decimalText } from '../../../server/kit/decimal.ts'
import { readMetered } from '../../../server/metering/consumption/definitions.ts'
import { type Charges, chargesOf, mostChargesOf } from '../../../server/metering/tiers/pricing.ts'
import { tier } from '../../support/layered-entitlements.ts'
import { amount } from './courses.ts'
import { ladder } from './ladders.ts'
import { parts, written } from './slow-numbers.ts'
import { bill, slowTiers } from './slow-tiers.ts'

const paid = (start: number | null, end: number | null, price: number, fields: Partial<UsageTier> = {}) =>
  tier(start, end, {
    quotaUsagePolicy: 'AllowWithOverage',
    creditsPerUnitOfConsumption: price,
    fundingBalanceMetric: 'credits',
    ...fields,
  })
const priced = (usageTiers: UsageTier[], accumulationMethod: MeteredUsage['accumulationMethod'] = 'Sliced') => ({
  consumptionPeriod: 'Monthly' as const,
  accumulationMethod,
  usageTiers,
})
const told = (charges: Charges) =>
  Object.fromEntries([...charges].map(([metric, credits]) => [metric, decimalText(credits)]))
const cost = (usage: MeteredUsage, from: string | number, to: string | number) =>
  told(chargesOf(readMetered(usage), amount(from), amount(to)))

describe('Sliced', () => {
  const tiers = [
    tier(0, 10),
    paid(10, 20, 2, { baseCredits: 5 }),
    paid(20, null, 0.5, { baseCredits: 1, fundingBalanceMetric: 'extra' }),
  ]
  test.each([
    ['within what is included', 0, 10, {}],
    ['the first part of a tier pays for entering it', 10, '10.1', { credits: '5.2' }],
    ['the next does not', '10.1', 11, { credits: '1.8' }],
    ['each unit in its own tier', 8, 12, { credits: '9' }],
    ['up to the start of a tier does not enter it', 15, 20, { credits: '10' }],
    ['from the start of a tier enters it', 20, 22, { extra: '2' }],
    ['through a tier, charged to each balance', 5, 24, { credits: '25', extra: '3' }],
  ])('%s', (_, from, to, charges) => {
    expect(cost(priced(tiers), from, to)).toEqual(charges)
  })

  test('a tier that is funded by nobody, or by none but AllowWithOverage, costs nothing', () => {
    expect(cost(priced([paid(0, null, 2, { fundingBalanceMetric: null })]), 0, 5)).toEqual({})
    expect(cost(priced([paid(0, null, 2, { fundingBalanceMetric: '' })]), 0, 5)).toEqual({})
    expect(cost(priced([paid(0, null, 2, { quotaUsagePolicy: 'AllowWithGrace' })]), 0, 5)).toEqual({})
  })
})

describe('Volume', () => {
  const tiers = [paid(0, 10, 2), paid(10, 20, 1, { baseCredits: 3, fundingBalanceMetric: 'extra' }), tier(20, 30)]
  test.each([
    ['all units at the tier reached', 5, 15, { extra: '13' }],
    ['a tier is reached by its first part, not by its start', 5, 10, { credits: '10' }],
    ['one that was entered before is not paid for again', 12, 15, { extra: '3' }],
    ['what reaches a tier that costs nothing costs nothing', 5, 25, {}],
  ])('%s', (_, from, to, charges) => {
    expect(cost(priced(tiers, 'Volume'), from, to)).toEqual(charges)
  })
})

const tenths = fc.integer({ min: 0, max: 400 }).map((count) => count / 10)
const range = fc.tuple(tenths, tenths).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)

test('every call costs what its words say', () => {
  fc.assert(
    fc.property(ladder, fc.constantFrom('Sliced' as const, 'Volume' as const), range, (tiers, method, [from, to]) => {
      const expected = bill(slowTiers(priced(tiers)), method === 'Volume', parts(from), parts(to))
      expect(cost(priced(tiers, method), from, to)).toEqual(
        Object.fromEntries([...expected].map(([metric, credits]) => [metric, written(credits)])),
      )
    }),
    { numRuns: 1000 },
  )
})

const together = (all: readonly Charges[]) => {
  const sums = new Map<string, ReturnType<typeof amount>>()
  for (const charges of all)
    for (const [metric, credits] of charges) sums.set(metric, addDecimals(sums.get(metric) ?? amount(0), credits))
  return sums
}

test('Sliced, usage costs the same in whatever calls it comes', () => {
  fc.assert(
    fc.property(ladder, range, fc.array(tenths), (tiers, [from, to], between) => {
      const pricing = readMetered(priced(tiers))
      const stops = [from, ...between.filter((stop) => from < stop && stop < to).sort((a, b) => a - b), to]
      const pieces = stops.slice(1).map((stop, index) => chargesOf(pricing, amount(stops[index]!), amount(stop)))
      expect(told(together(pieces))).toEqual(told(chargesOf(pricing, amount(from), amount(to))))
    }),
    { numRuns: 500 },
  )
})

test('no calls cost more than the most that usage can cost', () => {
  fc.assert(
    fc.property(ladder, range, fc.array(tenths), (tiers, [from, to], between) => {
      const pricing = readMetered(priced(tiers, 'Volume'))
      const most = mostChargesOf(pricing, amount(from), amount(to))
      const stops = [from, ...between.filter((stop) => from < stop && stop < to).sort((a, b) => a - b), to]
      const pieces = stops.slice(1).map((stop, index) => chargesOf(pricing, amount(stops[index]!), amount(stop)))
      for (const [metric, credits] of together(pieces))
        expect(parts(decimalText(credits))).toBeLessThanOrEqual(parts(decimalText(most.get(metric) ?? amount(0))))
    }),
    { numRuns: 500 },
  )
})
