import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId } from '../catalog/catalog-collection.ts'
import { pointersOf } from '../catalog/things-to-sell.ts'
import { plannedEntitlements, valuesOf } from './planned-entitlements.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const scene = plannedEntitlements(server)
  const { admin, made, newEntitlement } = scene

  const policies = {
    licensePolicy: { licenseModel: 'NodeLocked', maxDeviceActivations: 3 },
    renewalPolicy: { period: 'Monthly', autoRenew: true },
    keyIssuancePolicy: { template: '{random:8}' },
  }
  const newOffer = async (body: object = {}): Promise<Json> =>
    admin.post('entitlements/offers', {
      ...{ name: `Offer ${nextNumber()}`, assignedPlanSetId: made.set.id, assignedPlanName: 'Pro', ...policies },
      products: [{ productId: made.cad.id, features: [{ featureCode: 'SCRIPTS', value: 'true' }] }],
      ...body,
    })
  /** An entitlement with a plan, a value by hand, an add-on, a customer and a tag. */
  const newRich = async (): Promise<Json> => {
    const customer = await admin.post('customers', { name: 'C' })
    const { id } = await newEntitlement({ customerId: customer.id, tags: ['beta'], trialPolicy: {}, ...policies })
    await must(scene.applyPlan(id, 'Pro'))
    await must(admin.at('PATCH', `entitlements/${id}`, { features: [{ featureCode: 'SEATS', value: '7' }] }))
    const pack = await scene.newAddOn([{ featureCode: 'SEATS', value: '2', operation: 'Add', planTargets: [] }])
    await must(scene.addOn('POST', id, pack.id))
    return scene.read(id)
  }
  const places = async (): Promise<string[]> => {
    const [rich, offer] = [await newRich(), await newOffer()]
    return [`entitlements/${rich.id}`, `entitlements/${offer.id}`, `entitlements/offers/${offer.id}`]
  }

  test('what was read can be put back as it is, and nothing moves; a field that nobody knows is refused still', async () => {
    for (const place of await places()) {
      const read: Json = await must(admin.at('GET', place))
      const put = await admin.at('PUT', place, read)
      expect([place, put.status, put.body.errors]).toEqual([place, 200, undefined])
      expect(await must(admin.at('GET', place))).toEqual(read)
      expect(pointersOf(await admin.at('PUT', place, { ...read, nmae: 1 }))[2]).toEqual(['/nmae'])
    }
  })

  test('an offer without products can be put back without what is read-only', async () => {
    const offer = await newOffer({ products: [] })
    expect([offer.products, offer.features]).toEqual([[], []])
    const { name, description, features, products } = offer
    for (const place of [`entitlements/${offer.id}`, `entitlements/offers/${offer.id}`])
      expect(await must(admin.at('PUT', place, { name, description, features, products }))).toEqual(offer)
    const given = { name, features: [{ featureCode: 'SEATS', value: '1' }] }
    expect(pointersOf(await admin.at('PUT', `entitlements/${offer.id}`, given))[2]).toEqual(['/features'])
  })

  test('a field that was changed meanwhile is written, and nothing beside it', async () => {
    for (const place of await places()) {
      const read: Json = await must(admin.at('GET', place))
      const put = await must(admin.at('PUT', place, { ...read, description: place }))
      expect(put).toEqual({
        ...{ ...read, description: place, revisionNumber: read.revisionNumber + 1 },
        updatedAt: expect.any(String),
      })
    }
  })

  test('a lease that nothing is said of follows the model, though it was read and put back', async () => {
    const { id } = await newRich()
    await must(admin.at('PUT', `entitlements/${id}`, await scene.read(id)))
    const changed = await must(admin.at('PATCH', `entitlements/${id}`, { licensePolicy: { licenseModel: 'Floating' } }))
    expect(changed.licensePolicy.leaseTime).toBe('PT10M')
  })

  test('a policy that was read and put back is no change, and its defaults stay defaults', async () => {
    const { id } = await newRich()
    const offer = await newOffer()
    for (const owner of [`entitlements/${id}`, `entitlements/offers/${offer.id}`])
      for (const kind of ['license', 'renewal', 'key-issuance']) {
        const before = await must(admin.at('GET', owner))
        const read: Json = await must(admin.at('GET', `${owner}/policies/${kind}`))
        expect(await must(admin.at('PUT', `${owner}/policies/${kind}`, read))).toEqual(read)
        expect(await must(admin.at('GET', owner))).toEqual(before)
        const stale = { 'if-match': `"${before.revisionNumber + 1}"` }
        expect((await admin.at('PUT', `${owner}/policies/${kind}`, read, stale)).status).toBe(412)
      }
    const changed = await must(admin.at('PATCH', `entitlements/${id}`, { licensePolicy: { licenseModel: 'Floating' } }))
    expect(changed.licensePolicy.leaseTime).toBe('PT10M')
    const explicit = { ...(await must(admin.at('GET', `entitlements/${id}/policies/license`))), leaseTime: 'P1D' }
    expect((await must(admin.at('PUT', `entitlements/${id}/policies/license`, explicit))).leaseTime).toBe('P1D')
    // Nothing is read of a trial that there is not: to put what it would be makes one.
    const { trialPolicy } = await must(admin.at('PATCH', `entitlements/${id}`, { clearTrialPolicy: true }))
    expect(trialPolicy).toBeNull()
    const defaults = await must(admin.at('GET', `entitlements/${id}/policies/trial`))
    await must(admin.at('PUT', `entitlements/${id}/policies/trial`, defaults))
    expect((await must(admin.at('GET', `entitlements/${id}`))).trialPolicy).not.toBeNull()
  })

  test('products and features that were read and then changed are refused, with where they are written', async () => {
    for (const place of await places()) {
      const read: Json = await must(admin.at('GET', place))
      const [first, ...others] = read.features
      const more = [...read.products, made.viewer]
      const wrongs = [
        [{ products: more }, '/products'],
        [{ products: [] }, '/products'],
        [{ products: [{ productId: made.viewer.id }] }, '/products'],
        [{ features: others }, '/features'],
        [{ features: [{ ...first, value: '99' }, ...others] }, '/features'],
      ] as const
      for (const [wrong, pointer] of wrongs) {
        const { status, body } = await admin.at('PUT', place, { ...read, ...wrong })
        expect([place, status, body.errors.map((error: Json) => error.pointer)]).toEqual([place, 400, [pointer]])
        if (pointer === '/products') expect(body.detail).toContain('POST …/products/{productId}')
      }
      expect(await must(admin.at('GET', place))).toEqual(read)
    }
  })

  test('a request that was not read writes products and features as ever', async () => {
    const { id, name } = await newRich()
    const put = await must(
      admin.at('PUT', `entitlements/${id}`, {
        ...{ name, products: [{ productId: made.cad.id }, { productId: made.viewer.id }] },
        features: [{ featureCode: 'RENDER', value: 'false' }],
      }),
    )
    expect(valuesOf(put)).toMatchObject({ SEATS: '9', RENDER: 'false', PAGES: 'off' })
    const offer = await newOffer()
    const features = [{ productId: made.cad.id, featureCode: 'SEATS', value: '4' }]
    for (const place of [`entitlements/${offer.id}`, `entitlements/offers/${offer.id}`])
      expect(pointersOf(await admin.at('PUT', place, { name: offer.name, features }))[2]).toEqual(['/features'])
  })

  test("another record's id in the body is refused", async () => {
    for (const place of await places()) {
      const read: Json = await must(admin.at('GET', place))
      const refused = pointersOf(await admin.at('PUT', place, { ...read, id: noSuchId }))
      expect(refused).toEqual([400, 'license.validation_error', ['/id']])
      expect((await admin.at('PUT', place, { ...read, id: read.id.toUpperCase() })).status).toBe(200)
    }
  })
})
