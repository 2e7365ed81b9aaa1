import { expect, test } from 'vitest'
import { editFeatures, type FeatureEdit } from '../../server/entitlements/entitlements/editing-features.ts'
import type { AppliedPlan, Layers, StoredFeature } from '../../server/entitlements/entitlements/stored.ts'

const feature = (featureCode: string, fields: Partial<StoredFeature> = {}): StoredFeature => ({
  ...{ id: featureCode, featureCode, productId: 'p1', featureType: 'Numeric', moduleName: null, featurePath: null },
  ...{ name: null, description: null, value: '1', version: null, usageMetric: null, isEnabled: true },
  ...{ includeInLicenseToken: true, isAvailableDuringTrialPeriod: true, isAvailableDuringGracePeriod: true },
  ...{ isPaidFeature: false, canModifyValueOnEntitlement: true, featureExpiration: null, ...fields },
})
const given = (featureCode: string, value: string | null) => ({
  ...{ featureCode, metricName: null, enforcementType: 'SingleValue' as const, value, usageTiers: [] },
})
const plan = (brought: StoredFeature[] = []): AppliedPlan => ({
  ...{ planSetId: 's', planSetName: 'S', planId: 'l', planName: 'Pro', brought },
  lineItems: [
    { productId: 'p1', included: true, featureValues: [given('SEATS', '5'), given('TIERED', null)] },
    { productId: 'p2', included: true, featureValues: [given('SEATS', '6')] },
  ],
})
const none: Layers = { plan: null, addOns: [] }

const edit = (
  { own, layers = none, effective = {} }: { own: StoredFeature[]; layers?: Layers; effective?: object },
  ...changes: Omit<FeatureEdit, 'productId'>[]
) =>
  editFeatures(
    { own, layers },
    changes.map((change, index) => ({ productId: 'p1', pointer: `/features/${index}`, ...change })),
    ({ featureCode }) => (effective as Record<string, string>)[featureCode],
    ({ featureCode }) => (featureCode === 'CATALOG' ? feature('CATALOG') : undefined),
  )

test('an edit changes what it names, of the feature that it names', () => {
  const own = [feature('SEATS'), feature('EXPORT')]
  const edited = edit({ own }, { featureCode: 'SEATS', value: '4', isEnabled: false })
  expect(edited.own).toEqual([feature('SEATS', { value: '4', isEnabled: false }), feature('EXPORT')])
  expect(edited.layers).toEqual(none)
  expect(own[0]).toEqual(feature('SEATS'))
})

test('a feature of the same code of another product stays', () => {
  const other = feature('SEATS', { productId: 'p2' })
  expect(edit({ own: [other, feature('SEATS')] }, { featureCode: 'SEATS', value: '4' }).own[0]).toBe(other)
})

test("a value given stands in the plan's place too, where the plan gives one", () => {
  const layers = { plan: plan(), addOns: [] }
  const edited = edit({ own: [feature('SEATS'), feature('TIERED')], layers }, { featureCode: 'SEATS', value: '9' })
  expect(edited.layers.plan!.lineItems.map(({ featureValues }) => featureValues[0]!.value)).toEqual(['9', '6'])
  const tiered = edit({ own: [feature('TIERED')], layers }, { featureCode: 'TIERED', value: '9' })
  expect(tiered.layers.plan!.lineItems).toEqual(plan().lineItems)
  expect(tiered.own[0]!.value).toBe('9')
})

test('the value that holds already is no value given: the plan goes on giving it', () => {
  const layers = { plan: plan(), addOns: [] }
  const same = edit(
    { own: [feature('SEATS')], layers, effective: { SEATS: '5' } },
    { featureCode: 'SEATS', value: '5' },
  )
  expect([same.own, same.layers]).toEqual([[feature('SEATS')], layers])
})

test('a feature that only the plan or an add-on brings is edited where it stands', () => {
  const addOn = {
    addOnId: 'a',
    code: 'A',
    name: 'A',
    productIds: ['p1'],
    featureValues: [],
    brought: [feature('ADDED')],
  }
  const layers = { plan: plan([feature('BROUGHT')]), addOns: [addOn] }
  const brought = edit({ own: [], layers }, { featureCode: 'BROUGHT', isEnabled: false })
  expect([brought.own, brought.layers.plan!.brought]).toEqual([[], [feature('BROUGHT', { isEnabled: false })]])
  const added = edit({ own: [], layers }, { featureCode: 'ADDED', version: '2' })
  expect([added.own, added.layers.addOns[0]!.brought]).toEqual([[], [feature('ADDED', { version: '2' })]])
})

test('a feature that only the catalog has becomes the entitlement’s own', () => {
  const edited = edit({ own: [feature('SEATS')] }, { featureCode: 'CATALOG', value: '3' })
  expect(edited.own).toEqual([feature('SEATS'), feature('CATALOG', { value: '3' })])
})

test.each([
  ['a feature that nobody knows', { featureCode: 'NONE', value: '1' }, '/features/0/featureCode'],
  ['another value of a fixed one', { featureCode: 'FIXED', value: '2' }, '/features/0/value'],
])('%s is an error at its place', (_what, change, pointer) => {
  const own = [feature('FIXED', { canModifyValueOnEntitlement: false })]
  const { errors, own: after } = edit({ own, effective: { FIXED: '1' } }, change)
  expect(errors.map((error) => error.pointer)).toEqual([pointer])
  expect(after).toEqual(own)
})

test('a fixed feature may be switched off, and be told the value that it has', () => {
  const own = [feature('FIXED', { canModifyValueOnEntitlement: false })]
  const change = { featureCode: 'FIXED', value: '1', isEnabled: false, clearFeatureExpiration: true }
  const { errors, own: after } = edit({ own, effective: { FIXED: '1' } }, change)
  expect([errors, after[0]!.isEnabled]).toEqual([[], false])
})

test('a feature that is edited twice is an error at its second place', () => {
  const twice = [{ featureCode: 'SEATS', value: '2' }, { featureCode: 'EXPORT' }, { featureCode: 'SEATS', value: '3' }]
  const { errors } = edit({ own: [feature('SEATS'), feature('EXPORT')] }, ...twice)
  expect(errors.map(({ pointer }) => pointer)).toEqual(['/features/2'])
})
