import { expect, test } from 'vitest'
import { type PlanInUse, runRatesOf } from '../../server/reports/revenue/run-rate.ts'

const plan = (planName: string, more: Partial<PlanInUse>): PlanInUse => ({
  suiteCode: 'CAD',
  productId: 'p1',
  productCode: 'CAD',
  productVersion: null,
  planSetId: 's1',
  planSetName: 'Standard',
  planName,
  pricingMode: 'Absolute',
  currency: null,
  monthlyPrice: null,
  relativeWeight: null,
  entitlements: 1,
  trials: 0,
  ...more,
})
const priced = (monthlyPrice: number, currency: string, more: Partial<PlanInUse> = {}) =>
  plan(`at ${monthlyPrice}`, { monthlyPrice, currency, ...more })
const weighted = (relativeWeight: number, entitlements: number) =>
  plan(`of ${relativeWeight}`, { pricingMode: 'Relative', relativeWeight, entitlements })

test('a plan brings its price for each entitlement, exactly, and twelve times that a year', () => {
  const { plans, currencies } = runRatesOf([
    priced(0.1, 'EUR', { entitlements: 3 }),
    priced(19.99, 'EUR', { entitlements: 100_000 }),
  ])
  expect(plans.map(({ monthlyRunRate, yearlyRunRate }) => [monthlyRunRate, yearlyRunRate])).toEqual([
    [0.3, 3.6],
    [1_999_000, 23_988_000],
  ])
  expect(currencies).toEqual([
    { currency: 'EUR', entitlements: 100_003, monthlyRunRate: 1_999_000.3, yearlyRunRate: 23_988_003.6 },
  ])
})

test('sums keep all the digits that a double would lose', () => {
  const { currencies } = runRatesOf([priced(9_007_199_254_740_991, 'JPY'), priced(0.01, 'JPY')])
  expect(JSON.stringify(currencies[0]!.monthlyRunRate)).toBe('9007199254740991.01')
})

test('currencies are never added up, and a suite of several products is a line of its own', () => {
  const { products, currencies } = runRatesOf([
    priced(10, 'EUR'),
    priced(10, 'USD'),
    priced(20, 'EUR', { entitlements: 2 }),
    priced(7, 'EUR', { suiteCode: 'SUITE', productId: null, productCode: null }),
  ])
  expect(currencies.map((sum) => [sum.currency, sum.monthlyRunRate])).toEqual([
    ['EUR', 57],
    ['USD', 10],
  ])
  expect(products.map((sum) => [sum.suiteCode, sum.productCode, sum.currency, sum.monthlyRunRate])).toEqual([
    ['CAD', 'CAD', 'EUR', 50],
    ['CAD', 'CAD', 'USD', 10],
    ['SUITE', null, 'EUR', 7],
  ])
})

test('a plan without a price stands apart and is no free one', () => {
  const { plans, unpricedPlans, currencies } = runRatesOf([priced(0, 'EUR'), plan('soon', { currency: 'EUR' })])
  expect(plans).toMatchObject([{ planName: 'at 0', currency: null, monthlyRunRate: 0, yearlyRunRate: 0 }])
  expect(unpricedPlans).toMatchObject([{ planName: 'soon', monthlyRunRate: null, yearlyRunRate: null, share: null }])
  expect(currencies).toEqual([])
})

test('trials bring nothing', () => {
  expect(runRatesOf([priced(49, 'EUR', { entitlements: 0, trials: 5 })]).plans).toMatchObject([
    { monthlyRunRate: 0, trials: 5 },
  ])
})

test.each([
  ['weights become shares by how many are on each', [weighted(1, 10), weighted(3, 10)], [0.25, 0.75]],
  ['a weight of 0 counts nothing', [weighted(0, 10), weighted(2, 1)], [0, 1]],
  ['weights that nobody pays for are no part of anything', [weighted(1, 0), weighted(2, 0)], [0, 0]],
])('%s', (_words, plans, shares) => {
  expect(runRatesOf(plans).weightedPlans.map(({ share }) => share)).toEqual(shares)
})

test('a plan without a weight stands apart, and is none of weight 0', () => {
  const rates = runRatesOf([weighted(1, 1), plan('new', { pricingMode: 'Relative' })])
  expect(rates.unpricedPlans.map(({ planName }) => planName)).toEqual(['new'])
  expect(rates.weightedPlans.map(({ share }) => share)).toEqual([1])
})
