import { describe, expect, test } from 'vitest'
import { faults, type Part } from '../support/import-faults.ts'

const a = { productCode: 'A' }
const onePlan = (fields: object) => [{ name: 'P', ...fields }]

describe('a balance of the environment', () => {
  const b = { productCode: 'B' }
  const both = [a, b]
  const usageTiers = [{ fundingBalanceMetric: 'coins', quotaUsagePolicy: 'AllowWithOverage' as const }]
  const coins = (of: object, balance: object | null = {}) => ({ ...of, metricName: 'coins', balanceUsage: balance })
  const paid = { featureCode: 'F', usageTiers }
  const held: Part = {
    products: both,
    featureCatalog: both.map((product) => ({ ...product, featureCode: 'F' })),
    suites: [{ code: 'S', members: both }],
    monitoredAssets: [coins(a)],
  }
  const set = (productCode: string, status = 'Published') => ({
    suiteCode: 'S',
    name: 'N',
    status: status as 'Published',
    plans: onePlan({ lineItems: [{ productCode, featureValues: [paid] }] }),
  })
  const refused = ['catalog.in_use metric:A/coins /balanceUsage']

  test.each<[string, Part, string[]]>([
    ['a released plan', { plans: [set('A')] }, refused],
    ['a retired plan', { plans: [set('A', 'Retired')] }, refused],
    ["a plan of the suite's other product", { plans: [set('B')] }, refused],
    ['an add-on', { addOns: [{ suiteCode: 'S', code: 'X', status: 'Published', featureValues: [paid] }] }, refused],
    [
      "another product's metric",
      { monitoredAssets: [coins(a), { ...b, metricName: 'm', meteredUsage: { usageTiers } }] },
      refused,
    ],
    ['a draft', { plans: [set('A', 'Draft')] }, []],
    ['a product that has a balance of that name', { plans: [set('B')], monitoredAssets: [coins(a), coins(b)] }, []],
    ['nobody', {}, []],
  ])('stays one while it pays for %s', (_whom, users, errors) => {
    expect(faults({ monitoredAssets: [coins(a, null)] }, { ...held, ...users })).toEqual(errors)
    expect(faults({ monitoredAssets: [coins(a, { initialCreditAmount: 5 })] }, { ...held, ...users })).toEqual([])
  })

  test('is taken away together with what it pays for', () => {
    const unpaid = {
      ...set('A'),
      plans: onePlan({ lineItems: [{ productCode: 'A', featureValues: [{ featureCode: 'F', usageTiers: [] }] }] }),
    }
    expect(faults({ monitoredAssets: [coins(a, null)], plans: [unpaid] }, { ...held, plans: [set('A')] })).toEqual([])
  })
})
