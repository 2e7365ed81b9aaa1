import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { catalogRevision, must, nextNumber, noSuchId } from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'

const collection = 'entitlements/offers'

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  const patch = (id: string, body: object) => admin.at('PATCH', `${collection}/${id}`, body)
  const newOffer = (body: object = {}) => admin.post(collection, { name: `Offer ${nextNumber()}`, ...body })
  const get = (id: string) => must(admin.at('GET', `${collection}/${id}`))

  test.each([
    ['the offers', collection],
    ['the entitlements', 'entitlements'],
  ])('what an entitlement says of its holder an offer says too, written at the path of %s', async (_whose, path) => {
    const customer = await admin.post('customers', { name: `Customer ${nextNumber()}` })
    const campaign = await admin.post('campaigns', { name: `Campaign ${nextNumber()}` })
    const held = {
      customerContactEmail: 'ada@example.com',
      customerContactName: 'Ada',
      customerId: customer.id,
      customerExternalReference: 'C-1',
      orderId: 'O-1',
      licenseKey: 'KEY-1',
    }
    const [name, features] = [`Offer ${nextNumber()}`, [{ productId: noSuchId, featureCode: 'SEATS' }]]
    const body = { name, isOffer: true, ...held, customerId: customer.id.toUpperCase(), campaignId: campaign.id }
    const offer = await admin.post(path, body)
    expect(offer).toMatchObject({ ...held, campaignId: campaign.id, isOffer: true })
    expect(await get(offer.id)).toEqual(offer)
    expect(await must(admin.at('GET', `entitlements/${offer.id}`))).toEqual(offer)
    expect((await must(admin.at('GET', `campaigns/${campaign.id}/touches`))).items).toEqual([])
    const revision = await catalogRevision(server)
    const nulls = Object.fromEntries([...Object.keys(held), 'campaignId'].map((field) => [field, null]))
    for (const [method, same] of [
      ['PATCH', nulls],
      ['PUT', { ...nulls, name }],
      ['PATCH', { ...held, campaignId: noSuchId }],
    ] as const)
      expect(await must(admin.at(method, `${path}/${offer.id}`, same))).toEqual(offer)
    const edited = await must(admin.at('PUT', `${path}/${offer.id}`, { name, orderId: 'O-2', licenseKey: '' }))
    expect(edited).toMatchObject({ ...held, orderId: 'O-2', licenseKey: null, revisionNumber: 2 })
    const cleared = { clearCustomerId: true, clearExpirationDate: true, expirationDateTime: null }
    expect(await must(admin.at('PATCH', `${path}/${offer.id}`, cleared))).toMatchObject({ customerId: null })
    expect(await catalogRevision(server)).toBe(revision)
    for (const [wrong, pointer] of [
      [{ customerId: noSuchId }, '/customerId'],
      [{ customerContactEmail: 1 }, '/customerContactEmail'],
      [{ customerContactEmail: 'nope' }, '/customerContactEmail'],
      [{ features }, '/features'],
    ] as const)
      for (const answer of [
        await admin.at('POST', path, { name: 'x', isOffer: true, ...wrong }),
        await admin.at('PATCH', `${path}/${offer.id}`, wrong),
      ])
        expect(pointersOf(answer)).toEqual([400, 'license.validation_error', [pointer]])
    const unknown = { name: 'x', isOffer: true, campaignId: noSuchId }
    expect(pointersOf(await admin.at('POST', path, unknown))[2]).toEqual(['/campaignId'])
    await must(patch(offer.id, { status: 'Active' }))
    await must(patch(offer.id, { customerId: customer.id }))
    const clone = await admin.post(`${collection}/from-offer`, { entitlementOfferId: offer.id })
    expect(clone.entitlement).toMatchObject(nulls)
    await must(admin.at('DELETE', `customers/${customer.id}`))
  })

  test('an end is cleared by either of its words', async () => {
    for (const word of ['clearExpirationDate', 'clearExpirationDateTime']) {
      const offer = await newOffer({ expirationDateTime: '2099-01-01T00:00:00Z' })
      expect(await must(patch(offer.id, { [word]: true }))).toMatchObject({ expirationDateTime: null })
    }
  })
})
