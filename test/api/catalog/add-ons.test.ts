import { expect, test } from 'vitest'
import { addOnContracts } from '../../../server/catalog/add-ons/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf, testCollection } from './catalog-collection.ts'
import { adminOf, pointersOf } from './things-to-sell.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  const patch = (id: string, body: object) => admin.at('PATCH', `add-ons/${id}`, body)
  const act = (id: string, action: string) => admin.at('POST', `add-ons/${id}/${action}`)
  const newAddOn = (body: object) => admin.post('add-ons', { code: `PACK-${nextNumber()}`, name: 'Pack', ...body })

  testCollection(() => server, {
    path: '/api/v1/provision/admin/add-ons',
    body: async (_server, n) => {
      const product = await admin.newProduct()
      const feature = await admin.newFeature(product.id, 'RENDER')
      return {
        productId: product.id,
        code: `RENDER-${n}`,
        name: `Render ${n}`,
        description: 'More pictures',
        features: [{ id: feature.id }],
        featureValues: [{ featureCode: 'RENDER', value: true }],
      }
    },
    rename: (n) => ({ name: `Renamed ${n}` }),
    alter: { description: 'Said elsewhere' },
    fields: ['code', 'name', 'description', 'status', 'features', 'featureValues'],
    filterable: addOnContracts.list.filterable,
    actions: ['publish', 'retire'],
  })

  test('an add-on is answered whole, with the catalog entries it is about', async () => {
    const [cad, cam] = [await admin.newProduct(), await admin.newProduct()]
    const seats = await admin.newFeature(cad.id, 'SEATS', { featureType: 'Numeric', tags: ['Sold'] })
    const render = await admin.newFeature(cam.id, 'RENDER')
    const suite = await admin.newSuite([cad.id, cam.id])
    const created = await newAddOn({
      suiteId: suite.id,
      features: [{ featureCode: 'RENDER' }, { id: seats.id.toUpperCase() }],
      featureValues: [
        {
          featureCode: 'SEATS',
          value: 10,
          operation: 'Add',
          planTargets: ['Pro'],
          usageTiers: [{ startUsage: '0', endUsage: '1e2' }],
        },
        { featureCode: 'RENDER', value: true },
      ],
    })
    const { id, code, createdAt, updatedAt, ...rest } = created
    expect([typeof id, typeof code, createdAt]).toEqual(['string', 'string', updatedAt])
    expect(rest).toEqual({
      suiteId: suite.id,
      name: 'Pack',
      description: null,
      status: 'Draft',
      features: [seats, render],
      featureValues: [
        { featureCode: 'RENDER', value: 'true', usageTiers: [], planTargets: [], operation: 'Replace' },
        {
          featureCode: 'SEATS',
          value: '10',
          usageTiers: [expect.objectContaining({ startUsage: 0, endUsage: 100, quotaUsagePolicy: 'None' })],
          planTargets: ['Pro'],
          operation: 'Add',
        },
      ],
      isDeleted: false,
      revisionNumber: 1,
    })
  })

  test('features are named by id, beside which code and product may stand, or by code and, where two products have it, product', async () => {
    const [cad, cam, other] = [await admin.newProduct(), await admin.newProduct(), await admin.newProduct()]
    const [inCad, inCam] = [await admin.newFeature(cad.id, 'BOTH'), await admin.newFeature(cam.id, 'BOTH')]
    const elsewhere = await admin.newFeature(other.id, 'ELSEWHERE')
    const suite = await admin.newSuite([cad.id, cam.id])
    const addOn = await newAddOn({ suiteId: suite.id })
    const byProduct = await must(patch(addOn.id, { features: [{ featureCode: 'BOTH', productId: cam.id }] }))
    expect(byProduct.features).toEqual([inCam])
    const beside = { id: inCad.id, featureCode: 'BOTH', productId: cad.id.toUpperCase() }
    expect((await must(patch(addOn.id, { features: [beside] }))).features).toEqual([inCad])
    await must(patch(addOn.id, { features: [{ id: inCam.id }] }))
    for (const [features, pointer] of [
      [[{}], '/features/0'],
      [[{ id: inCad.id, featureCode: 'OTHER' }], '/features/0/featureCode'],
      [[{ id: inCad.id, featureCode: 'BOTH', productId: cam.id }], '/features/0/productId'],
      [[{ productId: cad.id }], '/features/0'],
      [[{ featureCode: 'BOTH' }], '/features/0/featureCode'],
      [[{ id: inCad.id }, { featureCode: 'NONE' }], '/features/1/featureCode'],
      [[{ featureCode: 'BOTH', productId: other.id }], '/features/0/featureCode'],
      [[{ id: elsewhere.id }], '/features/0/id'],
      [[{ id: noSuchId }], '/features/0/id'],
      [[{ id: inCad.id }, { featureCode: 'BOTH', productId: cad.id }], '/features/1/featureCode'],
    ] as const)
      expect(pointersOf(await patch(addOn.id, { features }))).toEqual([400, 'license.validation_error', [pointer]])
    expect((await must(patch(addOn.id, { features: null }))).features).toEqual([inCam])
    expect((await must(patch(addOn.id, { features: [] }))).features).toEqual([])
  })

  test('feature values are about features of the suite, fit them and stand once, on every path', async () => {
    const product = await admin.newProduct({ features: [{ featureCode: 'ATTACHED' }] })
    await admin.newFeature(product.id, 'TIER', { featureType: 'Enumeration', enumOptions: [{ value: 'gold' }] })
    const addOn = await newAddOn({ productId: product.id })
    for (const [featureValues, pointer] of [
      [[{ featureCode: 'ATTACHED' }, { featureCode: 'NONE' }], '/featureValues/1/featureCode'],
      [[{ featureCode: 'TIER', value: 'lead' }], '/featureValues/0/value'],
      [[{ featureCode: 'TIER', operation: 'Multiply' }], '/featureValues/0/operation'],
      [[{ featureCode: 'TIER' }, { featureCode: 'TIER' }], '/featureValues/0'],
      [
        [{ featureCode: 'TIER', usageTiers: [{ startUsage: 2, endUsage: 1 }] }],
        '/featureValues/0/usageTiers/0/endUsage',
      ],
    ] as const) {
      const body = { code: `PACK-${nextNumber()}`, name: 'x', featureValues }
      for (const answer of [
        await admin.at('POST', 'add-ons', { productId: product.id, ...body }),
        await patch(addOn.id, { featureValues }),
        await admin.at('PUT', `add-ons/${addOn.id}`, body),
      ])
        expect(pointersOf(answer)).toEqual([400, 'license.validation_error', [pointer]])
    }
    const edited = await must(patch(addOn.id, { featureValues: [{ featureCode: 'TIER', value: 'gold' }] }))
    expect(edited.featureValues.map(({ value }: Json) => value)).toEqual(['gold'])
    expect((await must(patch(addOn.id, { featureValues: null }))).featureValues).toHaveLength(1)
    expect((await must(patch(addOn.id, { featureValues: [] }))).featureValues).toEqual([])
  })

  test('an add-on belongs to one suite for good, and its code is its own', async () => {
    const product = await admin.newProduct()
    const body = { code: `PACK-${nextNumber()}`, name: 'x' }
    for (const [owner, pointer] of [
      [{}, '/suiteId'],
      [{ suiteId: noSuchId }, '/suiteId'],
      [{ productId: noSuchId }, '/productId'],
    ] as const)
      expect(pointersOf(await admin.at('POST', 'add-ons', { ...body, ...owner }))[2]).toEqual([pointer])
    const addOn = await newAddOn({ productId: product.id })
    const other = await newAddOn({ productId: product.id })
    const { suiteId, code, name } = addOn
    expect(await must(patch(addOn.id, { suiteId: suiteId.toUpperCase() }))).toEqual(addOn)
    expect(await must(admin.at('PUT', `add-ons/${addOn.id}`, { suiteId, code, name }))).toEqual(addOn)
    for (const another of [noSuchId, (await newAddOn({ productId: (await admin.newProduct()).id })).suiteId])
      expect(pointersOf(await patch(addOn.id, { suiteId: another }))[2]).toEqual(['/suiteId'])
    expect(problemOf(await patch(addOn.id, { code: other.code }))).toEqual([409, 'catalog.duplicate_key'])
    expect((await must(patch(addOn.id, { code: `${addOn.code}-2` }))).code).toBe(`${addOn.code}-2`)
  })

  test('an add-on is published and retired, one step at a time, by action or by status', async () => {
    const product = await admin.newProduct()
    const addOn = await newAddOn({ productId: product.id })
    expect(problemOf(await act(addOn.id, 'retire'))).toEqual([409, 'catalog.invalid_transition'])
    expect(await must(act(addOn.id, 'publish'))).toMatchObject({ status: 'Published', revisionNumber: 2 })
    expect(problemOf(await patch(addOn.id, { status: 'Draft' }))).toEqual([409, 'catalog.invalid_transition'])
    expect((await must(patch(addOn.id, { status: 'Retired' }))).status).toBe('Retired')
    expect(problemOf(await act(addOn.id, 'publish'))).toEqual([409, 'catalog.invalid_transition'])
  })

  test('an imported add-on may be about a feature that is only attached to its product', async () => {
    const product = await admin.newProduct({ features: [{ featureCode: 'A/B' }] })
    const { productCode, productVersion } = product
    const code = `PACK-${nextNumber()}`
    const features = [{ productCode, productVersion, featureCode: 'A/B' }]
    const snapshot = {
      formatVersion: '1.0',
      addOns: [{ suiteCode: `${productCode}@${productVersion}`, code, name: 'Pack', features }],
    }
    expect((await admin.post('catalog/import', snapshot)).summary).toMatchObject({ create: 1, errors: 0 })
    const exported = await must(admin.at('GET', 'catalog/export?scope=addOns'))
    expect(exported.addOns.find((item: Json) => item.code === code).features).toEqual(features)
    const [addOn] = (await must(admin.at('GET', `add-ons?filter=code==${code}`))).items
    expect(addOn.features).toEqual([])
    expect((await must(patch(addOn.id, { name: 'Renamed' }))).revisionNumber).toBe(2)
    const again = await admin.post('catalog/compare?include=unchanged', snapshot)
    expect(again.items).toMatchObject([{ action: 'update', changes: [{ path: '/name' }] }])

    const entry = await admin.newFeature(product.id, 'A/B')
    const get = () => must(admin.at('GET', `add-ons/${addOn.id}`))
    expect((await get()).features).toEqual([entry])
    await must(admin.at('PATCH', `products/${product.id}`, { features: [] }))
    await must(admin.at('DELETE', `feature-catalog/${entry.id}`))
    expect((await get()).features).toEqual([])
    const later = await must(admin.at('GET', 'catalog/export?scope=addOns'))
    expect(later.addOns.find((item: Json) => item.code === code).features).toEqual([])
  })
})
