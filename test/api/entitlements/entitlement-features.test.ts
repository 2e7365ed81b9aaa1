import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'

const collection = 'entitlements'
type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  const patch = (id: string, body: object) => admin.at('PATCH', `${collection}/${id}`, body)
  const newEntitlement = (body: object = {}) => admin.post(collection, { name: `Licence ${nextNumber()}`, ...body })
  const get = (id: string) => must(admin.at('GET', `${collection}/${id}`))
  const featureOf = (entitlement: Json, featureCode: string) =>
    entitlement.features.find((feature: Json) => feature.featureCode === featureCode)

  const newCad = () =>
    admin.newProduct({
      features: [
        { featureCode: 'SEATS', featureType: 'Numeric', value: 1 },
        { featureCode: 'FIXED', value: true, canModifyValueOnEntitlement: false },
      ],
    })

  test('products are attached and detached one at a time, their features and monitored assets with them', async () => {
    const [cad, cam] = [await newCad(), await admin.newProduct({ features: [{ featureCode: 'MILL', value: true }] })]
    await admin.post('monitored-assets', { productId: cam.id, metricName: 'mills', name: 'Mills' })
    const entitlement = await newEntitlement({ products: [{ productId: cad.id }] })
    const where = `${collection}/${entitlement.id}/products`
    const both = await admin.post(`${where}/${cam.id.toUpperCase()}`)
    expect(both.products.map(({ id }: Json) => id)).toEqual([cad.id, cam.id])
    expect(both.features.map(({ featureCode }: Json) => featureCode)).toEqual(['SEATS', 'FIXED', 'MILL'])
    expect(both.products[1].monitoredAssets).toMatchObject([{ entitlementId: entitlement.id, metricName: 'mills' }])
    expect(both.revisionNumber).toBe(2)
    expect(await admin.post(`${where}/${cam.id}`)).toEqual(both)
    const gone = await admin.at('DELETE', `${where}/${cam.id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    const left = await get(entitlement.id)
    expect(left).toMatchObject({ products: [{ id: cad.id }], features: entitlement.features, revisionNumber: 3 })
    const assets = await must(admin.at('GET', `monitored-assets?filter=entitlementId==${entitlement.id}`))
    expect(assets.totalCount).toBe(0)
    for (const [method, product, id] of [
      ['DELETE', cam.id, entitlement.id],
      ['POST', noSuchId, entitlement.id],
      ['POST', cam.id, noSuchId],
      ['DELETE', cad.id, noSuchId],
    ] as const)
      expect(problemOf(await admin.at(method, `${collection}/${id}/products/${product}`))).toEqual([
        404,
        'license.record_not_found',
      ])
    const stale = await admin.at('POST', `${where}/${cam.id}`, undefined, { 'if-match': '"1"' })
    expect(problemOf(stale)).toEqual([412, 'request.precondition_failed'])
  })

  test('a list of products replaces the stored one, and keeps the features of those that stay', async () => {
    const [cad, cam] = [await newCad(), await newCad()]
    const features = [{ featureCode: 'SEATS', value: 4, isEnabled: false }]
    const entitlement = await newEntitlement({ products: [{ productId: cad.id, features }] })
    expect(featureOf(entitlement, 'SEATS')).toMatchObject({ value: '4', isEnabled: false })
    const replaced = await must(patch(entitlement.id, { products: [{ productId: cam.id }, { productId: cad.id }] }))
    expect(replaced.products.map(({ id }: Json) => id)).toEqual([cam.id, cad.id])
    expect(replaced.features.filter(({ productId }: Json) => productId === cad.id)).toEqual(entitlement.features)
    expect((await must(patch(entitlement.id, { products: [] }))).features).toEqual([])
  })

  test('features are edited by product and code; those that are not named stay', async () => {
    const cad = await newCad()
    await admin.newFeature(cad.id, 'EXTRA', { featureType: 'Enumeration', enumOptions: [{ value: 'gold' }] })
    const entitlement = await newEntitlement({ products: [{ productId: cad.id }] })
    const change = (feature: object) => patch(entitlement.id, { features: [{ productId: cad.id, ...feature }] })
    const edited = await must(
      change({ featureCode: 'SEATS', value: 12, version: '2', featureExpiration: '2099-01-01T00:00:00+01:00' }),
    )
    expect(featureOf(edited, 'SEATS')).toEqual({
      ...featureOf(entitlement, 'SEATS'),
      ...{ value: '12', version: '2', featureExpiration: '2098-12-31T23:00:00.000Z' },
    })
    expect(featureOf(edited, 'FIXED')).toEqual(featureOf(entitlement, 'FIXED'))
    expect(await must(change({ featureCode: 'SEATS', value: '12', isEnabled: null }))).toEqual(edited)
    const unending = await must(change({ featureCode: 'SEATS', clearFeatureExpiration: true }))
    expect(featureOf(unending, 'SEATS')).toMatchObject({ value: '12', featureExpiration: null })
    expect(
      featureOf(await must(change({ featureCode: 'FIXED', value: true, isEnabled: false })), 'FIXED'),
    ).toMatchObject({ value: 'true', isEnabled: false })
    expect(pointersOf(await change({ featureCode: 'FIXED', value: false }))[2]).toEqual(['/features/0/value'])
    expect(pointersOf(await change({ featureCode: 'EXTRA', value: 'lead' }))[2]).toEqual(['/features/0/value'])
    const gold = await must(change({ featureCode: 'EXTRA', value: 'gold' }))
    expect(featureOf(gold, 'EXTRA')).toMatchObject({ value: 'gold', catalogLifecycleStatus: 'Draft' })
    expect(gold.features).toHaveLength(3)
  })

  test('a product is given by its id as by productId, and a feature by its code where one product has it', async () => {
    const [cad, cam] = [await newCad(), await admin.newProduct({ features: [{ featureCode: 'MILL', value: true }] })]
    const features = [{ featureCode: 'SEATS', value: '9' }]
    const sold = await newEntitlement({ products: [{ id: cad.id.toUpperCase() }, { productId: cam.id }], features })
    expect(sold.products.map(({ id }: Json) => id)).toEqual([cad.id, cam.id])
    expect(featureOf(sold, 'SEATS').value).toBe('9')
    const offered = [{ id: cad.id, features: [{ featureCode: 'SEATS', value: '4' }] }]
    const offer = await admin.post('entitlements/offers', { name: `Offer ${nextNumber()}`, products: offered })
    expect(featureOf(offer, 'SEATS').value).toBe('4')
    const other = await newCad()
    for (const [body, ...pointers] of [
      [{ products: [{}] }, '/products/0/productId'],
      [{ products: [{ id: noSuchId }] }, '/products/0/id'],
      [{ products: [{ id: cad.id, productId: cam.id }] }, '/products/0/id'],
      [{ products: [{ id: cad.id }, { productId: cad.id }] }, '/products/1/productId'],
      [{ features: [{ featureCode: 'NONE', value: '1' }] }, '/features/0/productId'],
      [{ products: [{ id: cad.id }, { id: other.id }], features }, '/features/0/productId'],
    ] as const)
      expect(pointersOf(await patch(sold.id, body))).toEqual([400, 'license.validation_error', pointers])
  })

  test("a value given by hand stands in the plan's place, before add-ons, until another plan is applied", async () => {
    const cad = await newCad()
    const lineItems = (value: string) => [{ included: true, featureValues: [{ featureCode: 'SEATS', value }] }]
    const set = await admin.newPlanSet(
      { productId: cad.id },
      {
        plans: [
          { name: 'Pro', lineItems: lineItems('5') },
          { name: 'Max', lineItems: lineItems('50') },
        ],
      },
    )
    const [plan, other] = ['Pro', 'Max'].map((name) => ({ assignedPlanSetId: set.id, assignedPlanName: name }))
    const entitlement = await newEntitlement({ products: [{ productId: cad.id }], ...plan })
    expect(featureOf(entitlement, 'SEATS').value).toBe('5')
    const features = [{ productId: cad.id, featureCode: 'SEATS', value: '7' }]
    const given = await must(patch(entitlement.id, { features }))
    expect(featureOf(given, 'SEATS').value).toBe('7')
    expect(await must(patch(entitlement.id, { ...plan }))).toEqual(given)
    const moved = await must(patch(entitlement.id, { assignedPlanName: 'Max' }))
    expect(moved).toMatchObject(other!)
    expect(featureOf(moved, 'SEATS').value).toBe('50')
    const both = await must(patch(entitlement.id, { ...plan, features }))
    expect(featureOf(both, 'SEATS').value).toBe('7')
    const unplanned = await must(patch(entitlement.id, { clearAssignedPlan: true }))
    expect(unplanned).toMatchObject({ assignedPlanSetId: null, assignedPlanName: null })
    expect(featureOf(unplanned, 'SEATS').value).toBe('7')
    const wrong = await patch(entitlement.id, { assignedPlanSetId: set.id, assignedPlanName: 'None' })
    expect(pointersOf(wrong)[2]).toEqual(['/assignedPlanName'])
  })
})
