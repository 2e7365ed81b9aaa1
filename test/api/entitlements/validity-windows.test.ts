import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'

const [begin, later] = ['2090-01-01T00:00:00.000Z', '2091-01-01T00:00:00.000Z']

forEachStore((store) => {
  const admin = adminOf(serveTests(store))

  test.each([
    ['an entitlement', 'entitlements', {}],
    ['an offer among entitlements', 'entitlements', { isOffer: true }],
    ['an offer', 'entitlements/offers', {}],
  ])('%s ends after it begins', async (_what, path, kind) => {
    const name = `Window ${nextNumber()}`
    const refused = [400, 'license.validation_error', ['/expirationDateTime']]
    for (const expirationDateTime of [begin, '2089-12-31T23:59:59Z']) {
      const window = { notValidBeforeDateTime: begin, expirationDateTime }
      expect(pointersOf(await admin.at('POST', path, { name, ...kind, ...window }))).toEqual(refused)
    }
    const { id } = await admin.post(path, { name, ...kind, expirationDateTime: begin })
    const patch = (body: object) => admin.at('PATCH', `${path}/${id}`, body)
    expect(pointersOf(await patch({ notValidBeforeDateTime: begin }))).toEqual(refused)
    const put = await admin.at('PUT', `${path}/${id}`, { name, notValidBeforeDateTime: later })
    expect(pointersOf(put)).toEqual(refused)
    const moved = { notValidBeforeDateTime: begin, expirationDateTime: later }
    expect(await must(patch(moved))).toMatchObject(moved)
    expect(await must(patch({ notValidBeforeDateTime: later, clearExpirationDate: true }))).toMatchObject({
      notValidBeforeDateTime: later,
      expirationDateTime: null,
    })
  })

  test('a clone whose end is not after the beginning of its offer is refused', async () => {
    const offer = await admin.post('entitlements/offers', { name: `O ${nextNumber()}`, notValidBeforeDateTime: begin })
    const entitlementParameters = { expirationDateTime: begin }
    const cloning = { entitlementOfferId: offer.id, entitlementParameters }
    expect(pointersOf(await admin.at('POST', 'entitlements/offers/from-offer', cloning))[2]).toEqual([
      '/entitlementParameters/expirationDateTime',
    ])
  })
})
