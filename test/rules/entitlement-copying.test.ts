import { expect, test } from 'vitest'
import type { ProductFeature } from '../../catalog-schema/product.ts'
import { type CopiedProduct, copyFeature, copyFeatures } from '../../server/entitlements/entitlements/copying.ts'

const attached = (featureCode: string, fields: Partial<ProductFeature> = {}): ProductFeature => ({
  ...{ featureCode, featurePath: null, moduleName: null, name: null, description: null, usageMetric: null },
  ...{ units: null, featureType: 'Numeric', enumOptions: [], value: '1', version: '1.0', isEnabled: true },
  ...{ includeInLicenseToken: true, isAvailableDuringTrialPeriod: true, isAvailableDuringGracePeriod: true },
  ...{ isPaidFeature: false, canModifyValueOnEntitlement: true, meterAggregationType: null },
  ...{ visibility: 'Public', sortOrder: 0, ...fields },
})
const entry = (featureCode: string, metricName: string | null = null) => ({
  ...{ id: `entry ${featureCode}`, productId: 'p1', featureCode, name: `Name of ${featureCode}`, metricName },
  ...{ featureType: 'Metered' as const, enumOptions: [], lifecycleStatus: 'Draft' as const, units: null },
  ...{ visibility: 'Public' as const, meterAggregationType: null },
})
const offered = (featureCode: string, fields: object = {}) => ({
  ...{ featureCode, value: null, version: null, isEnabled: true, featureExpiration: null, ...fields },
})

const byCode = <F extends { featureCode: string }>(features: F[]) =>
  new Map(features.map((feature) => [feature.featureCode, feature]))

const product: CopiedProduct = {
  productId: 'p1',
  attached: byCode([attached('SEATS', { moduleName: 'core', includeInLicenseToken: false }), attached('EXPORT')]),
  entries: byCode([entry('SEATS', 'seats'), entry('RENDER', 'renders'), entry('HIDDEN')]),
}

let ids = 0
const newId = () => `id ${++ids}`
const codesOf = (features: { featureCode: string }[]) => features.map(({ featureCode }) => featureCode)

test('an entitlement has what is attached to a product, and of its catalog only what the offer gives', () => {
  expect(codesOf(copyFeatures(product, [], newId))).toEqual(['SEATS', 'EXPORT'])
  expect(codesOf(copyFeatures(product, [offered('RENDER')], newId))).toEqual(['SEATS', 'EXPORT', 'RENDER'])
  expect(codesOf(copyFeatures(product, [offered('GONE')], newId))).toEqual(['SEATS', 'EXPORT'])
})

test("the offer's values stand before the product's, and what it does not say is the product's", () => {
  const said = { value: '5', isEnabled: false, featureExpiration: '2030-01-01T00:00:00.000Z' }
  const [seats, exported] = copyFeatures(product, [offered('SEATS', said), offered('EXPORT')], newId)
  expect(seats).toMatchObject({ ...said, version: '1.0', moduleName: 'core', includeInLicenseToken: false })
  expect(exported).toMatchObject({ value: '1', version: '1.0', isEnabled: true, featureExpiration: null })
})

test('each copy has an id of its own, the type that the catalog says, and the metric and name that product or catalog give', () => {
  const [first, exported] = copyFeatures(product, [], newId)
  const [again] = copyFeatures(product, [], newId)
  expect(first!.id).not.toBe(again!.id)
  expect(first).toMatchObject({ name: 'Name of SEATS', usageMetric: 'seats', featureType: 'Metered' })
  expect(exported).toMatchObject({ name: null, usageMetric: null, featureType: 'Numeric' })
  expect(copyFeature(product, 'RENDER', newId)).toMatchObject({
    ...{ featureType: 'Metered', usageMetric: 'renders', value: null, isEnabled: true, includeInLicenseToken: true },
  })
  expect(copyFeature(product, 'GONE', newId)).toBeUndefined()
})
