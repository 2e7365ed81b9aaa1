import { expect, test } from 'vitest'
import { planImport } from '../../catalog-schema/plan.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { selectPart } from '../../cli/selection/selecting.ts'
import { checked, environmentOf } from '../support/applied-plan.ts'

/** What comes along of `given` for these patterns, whose selection the environment takes without an error or a warning. */
function alongFor(held: Snapshot, given: Snapshot, only: string, exclude: string[] = []) {
  const environment = environmentOf(checked(held))
  const { snapshot, selection } = selectPart(environment, checked(given), { only: [only], exclude })
  expect(planImport(environment, snapshot)).toMatchObject({ errors: [], warnings: [] })
  return selection.alsoNeeded
}

const pro = { name: 'Pro', monthlyPrice: 10, currency: 'EUR' }
const set = (...plans: object[]) => ({ suiteCode: 'CAD', name: 'Standard', plans })
const cad = (name: string) => ({ productCode: 'CAD', name })
const offer = { name: 'Team', assignedPlan: { suiteCode: 'CAD', planSetName: 'Standard', planName: 'Max' } }
const setKey = 'plan-set:CAD/Standard'

/** An environment, and files that rename its product and sell a plan that is new. */
const held = { formatVersion: '1.0', products: [cad('Old')], plans: [set(pro)] } as Snapshot
const given = {
  ...held,
  products: [cad('New')],
  plans: [set(pro, { name: 'Max' })],
  entitlementOffers: [offer],
} as Snapshot

test.each([[[]], [['product:*']]])(
  'of several things that differ only that without which it is refused; excluded: %j',
  (exclude) => {
    expect(alongFor(held, given, 'offer:*', exclude)).toEqual([{ key: setKey, neededBy: 'offer:Team' }])
  },
)

test('a suite that gains a product does not take what else is new of its products with it', () => {
  const products = (name: string) => ['A', 'B'].map((productCode) => ({ productCode, name }))
  const suite = (...codes: string[]) => ({
    code: 'ALL',
    name: 'All',
    members: codes.map((productCode) => ({ productCode })),
  })
  const lines = (...codes: string[]) => [
    {
      suiteCode: 'ALL',
      name: 'Set',
      plans: [{ name: 'P', lineItems: codes.map((productCode) => ({ productCode, included: true })) }],
    },
  ]
  const held = { formatVersion: '1.0', products: products('Old'), suites: [suite('A')], plans: lines('A') } as Snapshot
  const given = { ...held, products: products('New'), suites: [suite('A', 'B')], plans: lines('A', 'B') } as Snapshot
  const along = [{ key: 'suite:ALL', neededBy: 'plan-set:ALL/Set' }]
  expect(alongFor(held, given, 'plan-set:*')).toEqual(along)
  expect(alongFor(held, given, 'plan-set:*', ['product:A'])).toEqual(along)
})

test('an add-on takes the feature whose type it is for, not the price of the plan', () => {
  const feature = (featureType: string) => ({ productCode: 'CAD', featureCode: 'SIZE', name: 'Size', featureType })
  const addOn = (value: string) => ({
    ...{ suiteCode: 'CAD', code: 'MORE', name: 'More' },
    featureValues: [{ featureCode: 'SIZE', value, operation: 'Replace', planTargets: ['Pro'] }],
  })
  const held = {
    ...{ formatVersion: '1.0', products: [cad('Old')], featureCatalog: [feature('Boolean')] },
    ...{ plans: [set(pro)], addOns: [{ ...addOn('5'), featureValues: [] }] },
  } as Snapshot
  const given = {
    ...{ formatVersion: '1.0', products: [cad('New')], featureCatalog: [feature('Numeric')] },
    ...{ plans: [set({ ...pro, monthlyPrice: 99 })], addOns: [addOn('5')] },
  } as Snapshot
  const only = alongFor(held, given, 'add-on:*')
  expect(only).toEqual([{ key: 'feature:CAD/SIZE', neededBy: 'add-on:MORE' }])
})

test('what is excluded and needed is named, and what is excluded beside it is not', () => {
  const refused = () => alongFor(held, given, 'offer:*', ['product:*', 'plan-set:*'])
  expect(refused).toThrow(/^plan-set:CAD\/Standard is excluded, but offer:Team needs it/)
})
