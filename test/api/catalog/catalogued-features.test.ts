import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'
import { bodyOf, catalogOf, snapshotOf } from '../snapshot/scene.ts'
import { must, noSuchId } from './catalog-collection.ts'
import { adminOf, pointersOf } from './things-to-sell.ts'

type Json = ReturnType<typeof JSON.parse>

const said = {
  name: 'Seats',
  units: 'seats',
  metricName: 'seats-used',
  featureType: 'Numeric',
  meterAggregationType: 'CumulativeCounter',
  visibility: 'Internal',
}
const { metricName: usageMetric, ...others } = said
const seats = { featureCode: 'SEATS', ...others, usageMetric }

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)
  const devices = devicesOf(server)
  const catalog = catalogOf(server)

  const attach = (product: Json, ...features: object[]) => admin.at('PATCH', `products/${product.id}`, { features })
  const featuresOf = async (product: Json) => (await must(admin.at('GET', `products/${product.id}`))).features
  const licensedOf = async (product: Json) => {
    const entitlement = await devices.newEntitlement({ products: [{ productId: product.id }] })
    const { token } = await devices.newDevice((await devices.newCode(entitlement.id)).activationCode)
    return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()).features
  }

  test('what a request leaves out of a feature is as the feature catalog says, in the signed licence too', async () => {
    const product = await admin.newProduct()
    const entry = await admin.newFeature(product.id, 'SEATS', said)
    const { features } = await must(attach(product, { featureCode: 'SEATS', value: '3', units: null }))
    expect(features).toMatchObject([{ ...seats, value: '3', featureCatalogId: entry.id }])
    expect(await licensedOf(product)).toMatchObject([{ code: 'SEATS', type: 'Numeric', value: '3' }])
    const own = { featureCode: 'SEATS', name: 'Places', units: 'people', usageMetric: 'places', visibility: 'Public' }
    expect((await must(attach(product, own))).features).toMatchObject([{ ...seats, ...own, value: null }])
  })

  test('an option of the entry is what an Enumeration can have', async () => {
    const product = await admin.newProduct()
    const enumOptions = [{ value: 'S', description: 'Small' }, { value: 'M' }]
    await admin.newFeature(product.id, 'SIZE', { featureType: 'Enumeration', enumOptions })
    const { features } = await must(attach(product, { featureCode: 'SIZE', value: 'M' }))
    expect(features).toMatchObject([{ enumOptions: [enumOptions[0], { value: 'M', description: null }] }])
    const refused = await attach(product, { featureCode: 'SIZE', value: 'XL' })
    expect(pointersOf(refused)).toEqual([400, 'license.validation_error', ['/features/0/value']])
  })

  test('a feature is named by its entry as well as by its code', async () => {
    const product = await admin.newProduct()
    const { id } = await admin.newFeature(product.id, 'SEATS', said)
    const byId = (await must(attach(product, { featureCatalogId: id.toUpperCase(), value: '3' }))).features
    expect(byId).toMatchObject([{ ...seats, value: '3' }])
    const both = { featureCatalogId: id, featureCode: 'SEATS', featureType: 'Numeric', value: '3' }
    expect((await must(attach(product, both))).features).toEqual(byId)
    const byCode = { featureCatalogId: null, featureCode: 'SEATS', value: '3' }
    expect((await must(attach(product, byCode))).features).toEqual(byId)
  })

  test("a type that is not the entry's, and an entry that is not the feature's, are refused", async () => {
    const [product, other] = [await admin.newProduct(), await admin.newProduct()]
    const { id } = await admin.newFeature(product.id, 'SEATS', said)
    const foreign = await admin.newFeature(other.id, 'SEATS', said)
    for (const [features, pointers] of [
      [[{ featureCode: 'SEATS', featureType: 'Boolean' }], ['/features/0/featureType']],
      [[{ featureCatalogId: id, featureType: 'Text' }], ['/features/0/featureType']],
      [[{ featureCode: 'OTHER', featureCatalogId: id }], ['/features/0/featureCatalogId']],
      [[{ featureCatalogId: foreign.id }], ['/features/0/featureCatalogId']],
      [
        [{ featureCode: 'A' }, { featureCatalogId: noSuchId }, {}],
        ['/features/1/featureCatalogId', '/features/2'],
      ],
      [[{ featureCatalogId: 'SEATS' }], ['/features/0/featureCatalogId']],
      [[{ featureCode: 'SEATS' }, { featureCatalogId: id }], ['/features/0']],
    ] as const)
      expect(pointersOf(await attach(product, ...features))).toEqual([400, 'license.validation_error', pointers])
    expect(await featuresOf(product)).toEqual([])
    const created = await admin.at('POST', 'products', {
      ...{ productCode: 'NEW', name: 'New', features: [{ featureCatalogId: id }] },
    })
    expect(pointersOf(created)).toEqual([400, 'license.validation_error', ['/features/0/featureCatalogId']])
  })

  test('an entry made after its feature was attached says what type it has, and what the product leaves open', async () => {
    const product = await admin.newProduct({ features: [{ featureCode: 'SEATS', name: 'Places', value: '3' }] })
    const { id } = await admin.newFeature(product.id, 'SEATS', said)
    const [feature] = await featuresOf(product)
    const { visibility: _visibility, ...shown } = seats
    expect(feature).toMatchObject({ ...shown, name: 'Places', value: '3', featureCatalogId: id })
    expect(await licensedOf(product)).toMatchObject([{ code: 'SEATS', type: 'Numeric', value: '3' }])
    const { featureType, name, units, value } = feature
    await must(attach(product, { featureCode: 'SEATS', featureType, name, units, value }))
    await must(admin.at('PATCH', `products/${product.id}`, { description: 'Otherwise' }))
  })

  test("in a snapshot the entry's type counts too, and what is exported compares as unchanged", async () => {
    const name = { productCode: 'FILED', productVersion: null }
    const given = snapshotOf({
      products: [{ ...name, features: [{ featureCode: 'SEATS', value: '3' }] }],
      featureCatalog: [{ ...name, featureCode: 'SEATS', featureType: 'Numeric', name: 'Seats' }],
    })
    expect(bodyOf(await catalog.import(given)).warnings).toEqual([])
    const { items } = await must(admin.at('GET', 'products?filter=productCode==FILED'))
    expect(items[0].features).toMatchObject([{ featureType: 'Numeric', name: 'Seats', value: '3' }])
    expect(await licensedOf(items[0])).toMatchObject([{ type: 'Numeric', value: '3' }])
    const later = await admin.newProduct({ features: [{ featureCode: 'SEATS', value: '3' }] })
    await admin.newFeature(later.id, 'SEATS', said)
    for (const deed of [
      async () => {},
      () => must(attach(items[0], { featureCode: 'SEATS', value: '3' })),
      () => must(attach(later, { featureCode: 'SEATS', value: '3' })),
    ]) {
      await deed()
      const exported = bodyOf(await catalog.export())
      const { summary } = bodyOf(await catalog.compare(exported))
      expect(summary).toMatchObject({ create: 0, update: 0 })
      expect(bodyOf(await catalog.import(exported)).summary).toMatchObject({ create: 0, update: 0 })
      expect(bodyOf(await catalog.export())).toEqual({ ...exported, exportedAt: expect.any(String) })
    }
    expect(bodyOf(await catalog.compare(given)).summary).toMatchObject({ create: 0, update: 0 })
  })
})
