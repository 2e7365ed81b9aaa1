import { expect, test } from 'vitest'
import type { PricedPlanSet } from '../../server/catalog/plan-sets/standing.ts'
import type { StoredPlan } from '../../server/catalog/plan-sets/stored-plans.ts'
import type { AppliedPlan } from '../../server/entitlements/entitlements/stored.ts'
import { choicesOf } from '../../server/entitlements/plan-changes/choices.ts'
import { toOwnPlan } from '../../server/portal/plans/own-plan.ts'

const plan = (name: string, monthlyPrice: number | null): StoredPlan => ({
  ...{ id: `id-${name}`, name, description: null, sortOrder: 0, pricingMode: 'Absolute', monthlyPrice },
  ...{ currency: 'EUR', relativeWeight: 7, lineItems: [] },
})
const set = (id: string, status: string, ...plans: StoredPlan[]): PricedPlanSet => ({
  ...{ id, suiteId: 'suite', name: `Set ${id}`, status, plans },
})
const on = (planSetId: string, planName: string): AppliedPlan => ({
  ...{ planSetId, planSetName: `Set ${planSetId}`, planId: `id-${planName}`, planName, lineItems: [], brought: [] },
})
const standard = set('standard', 'Published', plan('Free', 0), plan('Pro', 49))
const classroom = set('classroom', 'Published', plan('Pro', 9))
const retired = set('old', 'Retired', plan('Pro', 39), plan('Max', 99))

test.each<[string, Parameters<typeof choicesOf>, string[]]>([
  ['on no plan, all that are sold', [null, undefined, [standard]], ['standard/Free 0', 'standard/Pro 49']],
  [
    'its own first, once, and not one of the same name in another set',
    [on('standard', 'Pro'), standard, [classroom, standard]],
    ['standard/Pro 49 current', 'classroom/Pro 9', 'standard/Free 0'],
  ],
  [
    'its own where its set is no longer sold, and nothing else of that set',
    [on('old', 'Pro'), retired, [standard]],
    ['old/Pro 39 current unsold', 'standard/Free 0', 'standard/Pro 49'],
  ],
  [
    'its own where no set has it any more, unpriced',
    [on('gone', 'Pro'), undefined, []],
    ['gone/Pro null current unsold'],
  ],
])('the plans of an entitlement: %s', (_, [current, currentSet, sold], expected) => {
  const said = choicesOf(current, currentSet, sold).map(({ planSetId, plan, isCurrent, isSold }) =>
    [
      `${planSetId}/${plan.name} ${plan.monthlyPrice}`,
      ...(isCurrent ? ['current'] : []),
      ...(isSold ? [] : ['unsold']),
    ].join(' '),
  )
  expect(said).toEqual(expected)
})

test('a customer reads no weights, no internal features, and nothing of what the catalog no longer has', () => {
  const value = (featureCode: string) => ({
    ...{ featureCode, metricName: null, enforcementType: 'SingleValue' as const, value: '1', usageTiers: [] },
  })
  const lines = [
    { productId: 'cad', included: true, featureValues: [value('SEATS'), value('SECRET'), value('GONE')] },
    { productId: 'gone', included: true, featureValues: [] },
  ]
  const entry = (name: string, visibility: 'Public' | 'Internal') => ({
    ...{ id: name, productId: 'cad', featureCode: name.toUpperCase(), name, units: 'seats', visibility },
    ...{ featureType: 'Numeric' as const, lifecycleStatus: 'Published' as const, enumOptions: [] },
    ...{ metricName: null, meterAggregationType: null },
  })
  const entries = [entry('Seats', 'Public'), entry('Secret', 'Internal')]
  const features = { attached: new Map(), entries: new Map(entries.map((one) => [one.featureCode, one])) }
  const answered = toOwnPlan(
    {
      ...{ planSetId: 'standard', planSetName: 'Standard', isCurrent: false, isSold: true },
      plan: { ...plan('Pro', 49), lineItems: lines },
    },
    new Map([['cad', { productCode: 'CAD', productVersion: null, name: 'Cad', features }]]),
  )
  expect(answered).toEqual({
    ...{ id: 'id-Pro', planSetId: 'standard', planSetName: 'Standard', name: 'Pro', description: null, sortOrder: 0 },
    ...{ monthlyPrice: 49, currency: 'EUR', isCurrent: false, isSold: true },
    products: [
      {
        ...{ productId: 'cad', productCode: 'CAD', productVersion: null, name: 'Cad', included: true },
        features: [{ ...value('SEATS'), name: 'Seats', units: 'seats' }],
      },
    ],
  })
})
