import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { catalogRevision, must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'

const collection = 'entitlements/offers'

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  const newOffer = (body: object = {}) => admin.post(collection, { name: `Offer ${nextNumber()}`, ...body })
  const get = (id: string) => must(admin.at('GET', `${collection}/${id}`))

  test.each([
    ['its own', collection],
    ["the entitlements'", 'entitlements'],
  ])(
    'an offer is activated, suspended, resumed and cancelled at %s path, as a status that is written is',
    async (_whose, path) => {
      const offer = await newOffer()
      const act = (action: string, id = offer.id) => admin.at('POST', `${path}/${id}/${action}`)
      expect(problemOf(await act('resume'))).toEqual([409, 'catalog.invalid_transition'])
      for (const [action, status, wrong] of [
        ['activate', 'Active', 'activate'],
        ['suspend', 'Suspended', 'activate'],
        ['resume', 'Active', 'resume'],
        ['cancel', 'Cancelled', 'resume'],
      ] as const) {
        const revision = await catalogRevision(server)
        expect(await must(act(action))).toMatchObject({ id: offer.id, status, isOffer: true })
        expect(await catalogRevision(server)).toBe(revision + 1)
        expect(problemOf(await act(wrong))).toEqual([409, 'catalog.invalid_transition'])
      }
      const stale = await admin.at('POST', `${path}/${offer.id}/cancel`, undefined, { 'if-match': '"1"' })
      expect(problemOf(stale)).toEqual([412, 'request.precondition_failed'])
      expect(await get(offer.id)).toMatchObject({ status: 'Cancelled', revisionNumber: 5 })
      const draft = await newOffer()
      for (const action of ['activate', 'suspend', 'resume', 'cancel']) {
        expect(problemOf(await act(action, noSuchId))).toEqual([404, 'license.record_not_found'])
        const theirs = `/api/v1/provision/admin/${path}/${draft.id}/${action}`
        expect((await server.api('POST', theirs, { tenant: 'neighbour' })).status).toBe(404)
      }
      expect(await must(act('cancel', draft.id))).toMatchObject({ status: 'Cancelled' })
      expect(problemOf(await admin.at('POST', `entitlements/${draft.id}/renew`))[0]).toBe(404)
    },
  )

  test("an entitlement takes no step at the offers' path", async () => {
    const { id } = await admin.post('entitlements', { name: `Licence ${nextNumber()}` })
    for (const action of ['activate', 'suspend', 'resume', 'cancel'])
      expect(problemOf(await admin.at('POST', `${collection}/${id}/${action}`))[0]).toBe(404)
    for (const [method, body] of [['GET'], ['PUT', {}]] as const)
      expect(problemOf(await admin.at(method, `${collection}/${id}/policies/license`, body))[0]).toBe(404)
  })

  test('an offer starts on the plan that is applied to it', async () => {
    const product = await admin.newProduct()
    const set = await admin.newPlanSet({ productId: product.id }, { plans: [{ name: 'Pro' }] })
    const offer = await newOffer()
    const apply = (planName: string, planSetId = set.id) =>
      admin.at('POST', `entitlements/${offer.id}/apply-plan`, { planSetId, planName })
    expect(pointersOf(await apply('Pro'))[2]).toEqual(['/planSetId'])
    await admin.post(`usage-plans/plan-sets/${set.id}/publish`)
    expect(pointersOf(await apply('Free'))[2]).toEqual(['/planName'])
    expect(pointersOf(await apply('Pro', noSuchId))[2]).toEqual(['/planSetId'])
    const planned = await must(apply('Pro'))
    expect(planned).toMatchObject({ assignedPlanSetId: set.id, assignedPlanName: 'Pro', revisionNumber: 2 })
    expect(await must(apply('Pro'))).toEqual(planned)
    expect(await get(offer.id)).toEqual(planned)
  })
})
