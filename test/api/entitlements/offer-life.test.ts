import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { catalogRevision, must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'

const collection = 'entitlements/offers'
type Json = ReturnType<typeof JSON.parse>

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

  test('what only an entitlement has is refused of an offer, as one, and is not there for a neighbour', async () => {
    const { id } = await newOffer({ trialPolicy: {} })
    const user = await admin.post('users', { email: `user-${nextNumber()}@x.example` })
    for (const [method, path, body] of [
      ['GET', `admin/entitlements/${id}/activation-codes`],
      ['POST', `admin/entitlements/${id}/activation-codes`, {}],
      ['POST', `operational/entitlements/${id}/activation-codes`, {}],
      ['POST', `admin/entitlements/${id}/principals/${user.id}`],
      ['POST', `admin/entitlements/${id}/add-ons/${noSuchId}`],
      ['POST', `admin/entitlements/${id}/renew`, {}],
      ['PUT', `operational/entitlements/${id}/policies/trial/restart-trial`],
      ['POST', `operational/entitlements/${id}/balances/credits/deposit`, { amount: 1 }],
    ] as const) {
      const refused = await server.api(method, `/api/v1/provision/${path}`, { body })
      expect([path, ...problemOf(refused)]).toEqual([path, 404, 'license.record_not_found'])
      expect([path, refused.body.detail]).toEqual([path, expect.stringContaining('This is an offer')])
      const theirs = await server.api(method, `/api/v1/provision/${path}`, { body, tenant: 'neighbour' })
      expect([path, theirs.status, theirs.body.detail]).toEqual([path, 404, 'There is no such entitlement.'])
    }
  })

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
    for (const absent of [await apply('Free'), await apply('Pro', noSuchId)])
      expect(problemOf(absent)).toEqual([404, 'license.record_not_found'])
    const planned = await must(apply('Pro'))
    expect(planned).toMatchObject({ assignedPlanSetId: set.id, assignedPlanName: 'Pro', revisionNumber: 2 })
    expect(await must(apply('Pro'))).toEqual(planned)
    expect(await get(offer.id)).toEqual(planned)
  })

  const patch = (id: string, body: object, headers = {}) => admin.at('PATCH', `entitlements/${id}`, body, headers)
  const assetsOf = async (id: string) =>
    (await must(admin.at('GET', `monitored-assets?filter=entitlementId==${id}`))).items

  /** A product with two features and a balance, and the plan Pro of its own suite. */
  async function newGoods() {
    const product = await admin.newProduct({
      features: [
        { featureCode: 'SEATS', featureType: 'Numeric', value: 1 },
        { featureCode: 'EXPORT', value: true },
      ],
    })
    const balanceUsage = { initialCreditAmount: 100 }
    await admin.post('monitored-assets', {
      productId: product.id,
      metricName: 'renders',
      name: 'Renders',
      balanceUsage,
    })
    const set = await admin.newPlanSet({ productId: product.id }, { plans: [{ name: 'Pro' }] })
    await admin.post(`usage-plans/plan-sets/${set.id}/publish`)
    return { product, plan: { assignedPlanSetId: set.id, assignedPlanName: 'Pro' } }
  }

  test('a Draft entitlement becomes an offer, with the values of its own, and an entitlement again', async () => {
    const { product, plan } = await newGoods()
    const products = [{ productId: product.id, features: [{ featureCode: 'SEATS', value: '7' }] }]
    const fields = { name: `Turned ${nextNumber()}`, version: '1', tags: ['Turned'], orderId: 'O-1' }
    const trialPolicy = { duration: 'P7D', startsOn: 'Creation' }
    const draft = await admin.post('entitlements', { ...fields, products, ...plan, trialPolicy })
    const other = await admin.post('entitlements', fields)
    const revision = await catalogRevision(server)
    expect(await must(patch(draft.id, { isOffer: null }))).toEqual(draft)
    expect(await must(patch(draft.id, { isOffer: false }))).toEqual(draft)
    expect((await patch(draft.id, { isOffer: true }, { 'if-match': '"9"' })).status).toBe(412)
    expect(pointersOf(await patch(draft.id, { isOffer: true, features: [] }))[2]).toEqual(['/features'])
    const offer = await must(patch(draft.id, { isOffer: true, description: 'Sold' }, { 'if-match': '"1"' }))
    expect(offer).toMatchObject({
      ...{ ...fields, ...plan, isOffer: true, status: 'Draft', description: 'Sold', revisionNumber: 2 },
      ...{ trialStartedAt: null, sourceOfferId: null, createdAt: draft.createdAt },
    })
    expect(offer.features.map(({ featureCode, value }: Json) => [featureCode, value])).toEqual([
      ['SEATS', '7'],
      ['EXPORT', 'true'],
    ])
    expect(offer.products[0].monitoredAssets[0].entitlementId).toBe(null)
    expect(await get(draft.id)).toEqual(offer)
    expect(await assetsOf(draft.id)).toEqual([])
    const exported = await must(admin.at('GET', 'catalog/export?scope=entitlementOffers'))
    const item = exported.entitlementOffers.find(({ name }: Json) => name === fields.name)
    expect(item.products[0].features).toEqual([expect.objectContaining({ featureCode: 'SEATS', value: '7' })])
    expect(await must(patch(draft.id, { isOffer: true }))).toEqual(offer)
    expect(await catalogRevision(server)).toBe(revision + 1)
    expect(problemOf(await patch(other.id, { isOffer: true }))).toEqual([409, 'catalog.duplicate_key'])
    const renamed = { name: `Turned ${nextNumber()}`, isOffer: true }
    expect(await must(admin.at('PUT', `entitlements/${other.id}`, renamed))).toMatchObject(renamed)
    const again = await must(patch(draft.id, { isOffer: false }, { 'if-match': '"2"' }))
    expect(again).toMatchObject({
      ...{ ...fields, ...plan, isOffer: false, status: 'Draft', description: 'Sold', revisionNumber: 3 },
      ...{ isEntitlementTrial: true, trialStartedAt: expect.any(String) },
    })
    expect(Object.fromEntries(again.features.map(({ featureCode, value }: Json) => [featureCode, value]))).toEqual({
      ...{ EXPORT: 'true', SEATS: '7' },
    })
    expect(await assetsOf(draft.id)).toHaveLength(1)
    expect(await catalogRevision(server)).toBe(revision + 3)
    expect((await admin.at('GET', `${collection}/${draft.id}`)).status).toBe(404)
    const active = await must(patch(draft.id, { status: 'Active', clearAssignedPlan: true }))
    expect([active.status, active.assignedPlanSetId]).toEqual(['Active', null])
    const refused = await patch(draft.id, { isOffer: true })
    expect([...problemOf(refused), refused.body.detail]).toEqual([
      ...[409, 'catalog.in_use', 'The entitlement stays one: it is Active, no Draft.'],
    ])
  })

  test('what something hangs on stays what it is, and the refusal says what that is', async () => {
    const { product } = await newGoods()
    const campaign = await admin.post('campaigns', { name: `Campaign ${nextNumber()}` })
    const refusalOf = async (id: string, isOffer: boolean) => {
      const answer = await patch(id, { isOffer })
      expect(problemOf(answer)).toEqual([409, 'catalog.in_use'])
      return answer.body.detail
    }
    const body = { products: [{ productId: product.id }], campaignId: campaign.id }
    const { id } = await admin.post('entitlements', { name: 'Held', ...body })
    await admin.post(`entitlements/${id}/activation-codes`, {})
    const user = await admin.post('users', { email: `u${nextNumber()}@example.com` })
    await must(admin.at('POST', `entitlements/${id}/principals/${user.id}`))
    const deposit = `/api/v1/provision/operational/entitlements/${id}/balances/renders/deposit`
    await must(server.api('POST', deposit, { body: { amount: 5 } }))
    expect(await refusalOf(id, true)).toBe(
      'The entitlement stays one: it has activation codes, users who are assigned to it, movements of its balances, a campaign.',
    )
    const offer = await newOffer()
    const cloneOf = () => admin.post(`${collection}/from-offer`, { entitlementOfferId: offer.id })
    const clones = [(await cloneOf()).entitlement, (await cloneOf()).entitlement]
    expect(await refusalOf(offer.id, false)).toBe(
      `The offer stays one: entitlement:${offer.name} and others were cloned from it.`,
    )
    for (const clone of clones) await must(admin.at('DELETE', `entitlements/${clone.id}`))
    expect(await must(patch(offer.id, { isOffer: false, status: 'Active' }))).toMatchObject({
      ...{ isOffer: false, status: 'Active' },
    })
    const sold = await newOffer({ status: 'Active' })
    expect(await refusalOf(sold.id, false)).toBe('The offer stays one: it is Active, no Draft.')
    const theirs = { tenant: 'neighbour', body: { isOffer: false } } as const
    expect((await server.api('PATCH', `/api/v1/provision/admin/entitlements/${sold.id}`, theirs)).status).toBe(404)
  })
})
