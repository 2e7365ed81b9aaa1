import { expect, test } from 'vitest'
import { decimalOf, decimalText } from '../../server/kit/decimal.ts'
import { readTiers } from '../../server/metering/tiers/tier.ts'
import { valued } from '../../server/reports/feature-value/valuing.ts'
import { distributionOf } from '../../server/reports/ratings/distribution.ts'
import { overageOf } from '../../server/reports/usage/overage.ts'

const tiersOf = (...tiers: [start: number | null, end: number | null, policy: string][]) =>
  readTiers({
    consumptionPeriod: 'Monthly',
    accumulationMethod: 'Sliced',
    usageTiers: tiers.map(([startUsage, endUsage, quotaUsagePolicy]) => ({
      ...{ startUsage, endUsage, quotaUsagePolicy, baseCredits: 0, creditsPerUnitOfConsumption: 0 },
    })),
  } as Parameters<typeof readTiers>[0])

test.each([
  ['within what is included', 80, tiersOf([0, 100, 'None'], [100, null, 'AllowWithOverage']), '0'],
  ['into the overage', 100.5, tiersOf([0, 100, 'None'], [100, null, 'AllowWithOverage']), '0.5'],
  ['past the end', 150, tiersOf([0, 100, 'None'], [100, 120, 'AllowWithOverage']), '50'],
  ['through two overage tiers', 30, tiersOf([null, 10, 'AllowWithOverage'], [10, 20, 'AllowWithOverage']), '30'],
  ['past the end of what allows none', 7, tiersOf([0, 5, 'Deny']), '2'],
  ['where nothing is tiered', 7, [], '0'],
])('overage is what is used %s', (_words, usage, tiers, overage) => {
  expect(decimalText(overageOf(decimalOf(usage), tiers))).toBe(overage)
})

test('a feature is worth its use times its score, and one without a score nothing that is known', () => {
  const feature = (code: string, used: number, valueScore: number | null) => ({
    code,
    used: decimalOf(used),
    valueScore,
  })
  const features = [feature('A', 3, 0.1), feature('B', 1000, null), feature('C', 2, 0.45), feature('D', 9, 0)]
  expect(valued(features)).toEqual([
    { code: 'C', used: 2, valueScore: 0.45, value: 0.9, share: 0.75 },
    { code: 'A', used: 3, valueScore: 0.1, value: 0.3, share: expect.closeTo(0.25) },
    { code: 'B', used: 1000, valueScore: null, value: null, share: null },
    { code: 'D', used: 9, valueScore: 0, value: 0, share: 0 },
  ])
})

test('ratings are averaged without those who only left a remark', () => {
  const counts = [
    { rating: 5, count: 3, comments: 1 },
    { rating: 2, count: 1, comments: 0 },
    { rating: null, count: 4, comments: 4 },
  ]
  const rated = { rated1: 0, rated2: 1, rated3: 0, rated4: 0, rated5: 3 }
  expect(distributionOf(counts)).toEqual({ ratings: 4, average: 4.25, ...rated, comments: 5 })
  expect(distributionOf(counts.slice(2))).toMatchObject({ ratings: 0, average: null, comments: 4 })
})
