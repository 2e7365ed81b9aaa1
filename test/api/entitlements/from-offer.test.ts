import { expect, test, vi } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { catalogRevision, must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'

const fromOffer = 'entitlements/offers/from-offer'
const operational = '/api/v1/provision/operational/entitlements/from-offer'
type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  const newOffer = (body: object = {}) => admin.post('entitlements/offers', { name: `Offer ${nextNumber()}`, ...body })
  const clone = async (body: object): Promise<Json> => (await admin.post(fromOffer, body)).entitlement
  const eventsOf = async (id: string) => {
    const database = openDatabase(server.databaseUrl)
    try {
      const rows = await database.read
        .selectFrom('events')
        .select('type')
        .where('entity_id', '=', id)
        .orderBy('id')
        .execute()
      return rows.map(({ type }) => type)
    } finally {
      await database.close()
    }
  }

  /** An offer of a product with features, a monitored asset and a plan, and what belongs to it. */
  async function newWholeOffer() {
    const product = await admin.newProduct({
      tags: ['Of the catalog'],
      features: [
        { featureCode: 'SEATS', featureType: 'Numeric', value: 1, moduleName: 'core', isPaidFeature: true },
        { featureCode: 'EXPORT', value: true, includeInLicenseToken: false },
      ],
    })
    await admin.newFeature(product.id, 'SEATS', { featureType: 'Numeric', lifecycleStatus: 'Published' })
    await admin.newFeature(product.id, 'RENDER', { featureType: 'Metered', metricName: 'renders' })
    await admin.newFeature(product.id, 'NOT_GIVEN')
    await admin.post('monitored-assets', {
      ...{ productId: product.id, metricName: 'renders', name: 'Renders' },
      balanceUsage: { name: 'Credits', initialCreditAmount: 100 },
    })
    const set = await admin.newPlanSet(
      { productId: product.id },
      {
        plans: [
          { name: 'Pro', lineItems: [{ included: true, featureValues: [{ featureCode: 'SEATS', value: '25' }] }] },
          { name: 'Free', lineItems: [{ included: true, featureValues: [] }] },
        ],
      },
    )
    const features = [
      { featureCode: 'SEATS', value: 5 },
      { featureCode: 'RENDER', value: 'fast', featureExpiration: '2099-01-01T00:00:00.000Z' },
    ]
    const offer = await newOffer({
      ...{ version: '1', description: 'For teams', legalNoticeHtml: '<p>No</p>', metadata: '{}', reference: 'PL' },
      ...{ externalReference: 'SHOP-1', issueOnUserRegistration: true, allowAnonymousTry: true },
      ...{ status: 'Active', expirationDateTime: '2099-01-01T00:00:00.000Z', tags: [`Team ${nextNumber()}`] },
      activationPolicy: { allowedIpCidr: ['10.0.0.0/8'] },
      licensePolicy: { licenseModel: 'Floating', maxDeviceActivations: 3 },
      anonymousTryPolicy: { maxDevices: 2 },
      renewalPolicy: { period: 'Yearly' },
      keyIssuancePolicy: { template: 'T-{random:8}' },
      products: [{ productId: product.id, features }],
      ...{ assignedPlanSetId: set.id, assignedPlanName: 'Pro' },
    })
    return { product, set, offer }
  }

  test('a clone has all that the offer has, and is a Draft', async () => {
    const { product, offer } = await newWholeOffer()
    const revision = await catalogRevision(server)
    const answer = await admin.post(fromOffer, { entitlementOfferId: offer.id.toUpperCase() })
    expect([answer.activationWorkflow, answer.activationCode]).toEqual([null, null])
    const { entitlement } = answer
    expect(entitlement.id).not.toBe(offer.id)
    const copied = ['name', 'version', 'description', 'legalNoticeHtml', 'metadata', 'reference', 'expirationDateTime']
    const policies = ['activation', 'license', 'trial', 'anonymousTry', 'renewal', 'keyIssuance']
    for (const field of [...copied, ...policies.map((policy) => `${policy}Policy`), 'tags', 'assignedPlanSetId'])
      expect([field, entitlement[field]]).toEqual([field, offer[field]])
    expect(entitlement).toMatchObject({
      ...{ isOffer: false, sourceOfferId: offer.id, status: 'Draft', subscriptionStatus: 'Pending' },
      ...{ externalReference: null, issueOnUserRegistration: false, allowAnonymousTry: false },
      ...{ assignedPlanName: 'Pro', isEntitlementTrial: false, revisionNumber: 1 },
    })
    expect(entitlement.products.map(({ id }: Json) => id)).toEqual([product.id])
    expect([product.tags, entitlement.products[0].tags]).toEqual([['Of the catalog'], []])
    expect(await must(admin.at('GET', `entitlements/${entitlement.id}`))).toEqual(entitlement)
    const [asset] = entitlement.products[0].monitoredAssets
    expect(asset).toMatchObject({ entitlementId: entitlement.id, metricName: 'renders' })
    expect(asset.balanceUsage).toMatchObject({ totalCredits: 100, creditsUsed: 0 })
    expect(asset.id).not.toBe(product.monitoredAssets?.[0]?.id)
    const byCode = Object.fromEntries(entitlement.features.map((feature: Json) => [feature.featureCode, feature]))
    expect(Object.keys(byCode).sort()).toEqual(['EXPORT', 'RENDER', 'SEATS'])
    expect(byCode.SEATS).toMatchObject({
      ...{ value: '25', moduleName: 'core', isPaidFeature: true, productId: product.id },
      ...{ catalogLifecycleStatus: 'Published', meteredAssetId: null },
    })
    expect(byCode.EXPORT).toMatchObject({ value: 'true', catalogLifecycleStatus: null })
    const expiring = { value: 'fast', featureExpiration: '2099-01-01T00:00:00.000Z', meteredAssetId: asset.id }
    expect(byCode.RENDER).toMatchObject(expiring)
    const again = await clone({ entitlementOfferId: offer.id })
    expect(again.features[0].id).not.toBe(entitlement.features[0].id)
    expect(await catalogRevision(server)).toBe(revision)
    expect(await eventsOf(entitlement.id)).toEqual(['Entitlement.PlanApplied'])
  })

  test('what becomes of the offer, its product and its plan later changes nothing of a clone', async () => {
    const { product, set, offer } = await newWholeOffer()
    const entitlement = await clone({ entitlementOfferId: offer.id })
    await must(admin.at('PATCH', `products/${product.id}`, { features: [{ featureCode: 'EXPORT', value: false }] }))
    await must(
      admin.at('PATCH', `entitlements/offers/${offer.id}`, {
        ...{ licensePolicy: { maxDeviceActivations: 9 }, tags: [], products: [], clearAssignedPlan: true },
      }),
    )
    const featureValues = [{ featureCode: 'SEATS', value: '99' }]
    const lineItems = [{ productId: product.id, included: true, featureValues }]
    await must(admin.at('PATCH', `usage-plans/plan-sets/${set.id}`, { plans: [{ name: 'Pro', lineItems }] }))
    const after = await must(admin.at('GET', `entitlements/${entitlement.id}`))
    expect(after.features.map(({ catalogLifecycleStatus: _live, ...feature }: Json) => feature)).toEqual(
      entitlement.features.map(({ catalogLifecycleStatus: _live, ...feature }: Json) => feature),
    )
    expect([after.licensePolicy, after.tags, after.revisionNumber]).toEqual([
      entitlement.licensePolicy,
      entitlement.tags,
      1,
    ])
  })

  test('entitlementParameters have the last word', async () => {
    const { product, offer } = await newWholeOffer()
    const customer = await admin.post('customers', { name: `Customer ${nextNumber()}` })
    const campaign = await admin.post('campaigns', { name: `Campaign ${nextNumber()}` })
    const entitlement = await clone({
      entitlementOfferId: offer.id,
      entitlementParameters: {
        ...{ name: 'Ada', version: null, status: 'Active', customerId: customer.id, orderId: 'O-1', tags: [] },
        ...{ campaignId: campaign.id, isOffer: false, assignedPlanName: 'Free', expirationDateTime: null },
        licensePolicy: { maxDeviceActivations: 7 },
        features: [{ productId: product.id, featureCode: 'SEATS', value: 8 }],
      },
    })
    expect(entitlement).toMatchObject({
      ...{ name: 'Ada', version: '1', status: 'Active', customerId: customer.id, orderId: 'O-1', tags: [] },
      ...{ campaignId: campaign.id, assignedPlanName: 'Free', expirationDateTime: offer.expirationDateTime },
      licensePolicy: { ...offer.licensePolicy, maxDeviceActivations: 7 },
    })
    expect(entitlement.features.find(({ featureCode }: Json) => featureCode === 'SEATS').value).toBe('8')
    expect(await eventsOf(entitlement.id)).toEqual(['Entitlement.PlanApplied', 'Entitlement.Activated'])
    const touches = await must(admin.at('GET', `campaigns/${campaign.id}/touches`))
    expect(touches.items).toMatchObject([{ entitlementId: entitlement.id, kind: 'Issuance' }])
  })

  test('an offer is found by name, of several versions the newest that is sold, or by its version', async () => {
    const name = `Versions ${nextNumber()}`
    const [first, second, third] = [
      await newOffer({ name, version: '1', status: 'Active' }),
      await newOffer({ name, version: '2', status: 'Active' }),
      await newOffer({ name, version: '3' }),
    ]
    const sourceOf = async (body: object) =>
      (await clone({ fromEntitlementOfferName: name, ...body })).sourceOfferId as string
    expect(await sourceOf({})).toBe(second.id)
    expect(await sourceOf({ withEntitlementOfferVersion: null })).toBe(second.id)
    expect(await sourceOf({ withEntitlementOfferVersion: '1' })).toBe(first.id)
    expect(await sourceOf({ withEntitlementOfferVersion: '3' })).toBe(third.id)
    expect(await sourceOf({ entitlementOfferId: first.id })).toBe(first.id)
    for (const offer of [first, second])
      await must(admin.at('PATCH', `entitlements/offers/${offer.id}`, { status: 'Cancelled' }))
    expect(await sourceOf({})).toBe(third.id)
    await must(admin.at('PATCH', `entitlements/offers/${third.id}`, { status: 'Cancelled' }))
    for (const [body, pointer] of [
      [{ fromEntitlementOfferName: name }, '/fromEntitlementOfferName'],
      [{ entitlementOfferId: first.id }, '/entitlementOfferId'],
    ] as const)
      expect(pointersOf(await admin.at('POST', fromOffer, body))).toEqual([400, 'license.validation_error', [pointer]])
  })

  test('an offer that nobody has, or that nothing names, is refused', async () => {
    const offer = await newOffer()
    const entitlement = await clone({ entitlementOfferId: offer.id })
    for (const body of [
      { entitlementOfferId: noSuchId },
      { entitlementOfferId: entitlement.id },
      { fromEntitlementOfferName: 'Nobody' },
      { fromEntitlementOfferName: offer.name, withEntitlementOfferVersion: '9' },
    ])
      expect(problemOf(await admin.at('POST', fromOffer, body))).toEqual([404, 'license.record_not_found'])
    const theirs = await server.api('POST', `/api/v1/provision/admin/${fromOffer}`, {
      ...{ tenant: 'neighbour', body: { entitlementOfferId: offer.id } },
    })
    expect(problemOf(theirs)).toEqual([404, 'license.record_not_found'])
    for (const [body, pointer] of [
      [{}, '/entitlementOfferId'],
      [{ withEntitlementOfferVersion: '1' }, '/entitlementOfferId'],
      [{ entitlementOfferId: 'x' }, '/entitlementOfferId'],
      [{ entitlementOfferID: offer.id }, '/entitlementOfferID'],
      [{ entitlementParameters: { nmae: 'x' } }, '/entitlementParameters/nmae'],
      [{ entitlementParameters: { isOffer: true } }, '/entitlementParameters/isOffer'],
      [{ entitlementParameters: { customerId: noSuchId } }, '/entitlementParameters/customerId'],
      [{ entitlementParameters: { campaignId: noSuchId } }, '/entitlementParameters/campaignId'],
      [{ entitlementParameters: { trialPolicy: { duration: 'soon' } } }, '/entitlementParameters/trialPolicy/duration'],
      [
        { licenseActivationWorkflowParameters: { requiredUserId: noSuchId } },
        '/licenseActivationWorkflowParameters/requiredUserId',
      ],
      [
        { licenseActivationWorkflowParameters: { maxDeviceActivations: -1 } },
        '/licenseActivationWorkflowParameters/maxDeviceActivations',
      ],
    ] as const) {
      const isNamed = pointer !== '/entitlementOfferId'
      const refused = await admin.at('POST', fromOffer, {
        ...(isNamed ? { entitlementOfferId: offer.id } : {}),
        ...body,
      })
      expect(pointersOf(refused)).toEqual([400, 'license.validation_error', [pointer]])
    }
    const listed = await must(admin.at('GET', `entitlements?filter=sourceOfferId==${offer.id}`))
    expect(listed.totalCount).toBe(1)
  })

  test("the offer's trial comes along unless it is left out", async () => {
    const offer = await newOffer({ trialPolicy: { duration: 'P30D', startsOn: 'Creation' } })
    for (const includeTrial of [undefined, null, true]) {
      const trial = await clone({
        entitlementOfferId: offer.id,
        includeTrial,
        entitlementParameters: { status: 'Active' },
      })
      expect(trial).toMatchObject({
        ...{ isEntitlementTrial: true, trialPolicy: offer.trialPolicy, subscriptionStatus: 'Trialing' },
      })
      expect(Date.parse(trial.trialEndsAt) - Date.parse(trial.trialStartedAt)).toBe(30 * 86_400_000)
    }
    const licence = await clone({
      ...{ entitlementOfferId: offer.id, includeTrial: false },
      entitlementParameters: { status: 'Active', trialPolicy: { duration: 'P1D' }, isEntitlementTrial: true },
    })
    expect(licence).toMatchObject({
      ...{ isEntitlementTrial: false, trialPolicy: null, trialEndsAt: null, subscriptionStatus: 'Active' },
    })
  })

  test('an offer of trials without a policy gives the default one, as saying so of the clone does', async () => {
    const trialPolicy = { enabled: true, duration: 'P14D', startsOn: 'Activation' }
    const isEntitlementTrial = true
    const [marked, plain] = [await newOffer({ isEntitlementTrial }), await newOffer()]
    expect(marked).toMatchObject({ isEntitlementTrial, trialPolicy: null })
    for (const [offer, said] of [
      [marked, {}],
      [plain, { isEntitlementTrial }],
    ] as const) {
      const about = { entitlementOfferId: offer.id, entitlementParameters: { status: 'Active', ...said } }
      expect(await clone(about)).toMatchObject({ isEntitlementTrial, trialPolicy, subscriptionStatus: 'Trialing' })
      expect(await clone({ ...about, includeTrial: false })).toMatchObject({
        ...{ isEntitlementTrial: false, trialPolicy: null, subscriptionStatus: 'Active' },
      })
    }
  })

  test('a code is issued in the same call, or nothing is made', async () => {
    const offer = await newOffer({ keyIssuancePolicy: { template: 'T-{random:8}' } })
    const body = { entitlementOfferId: offer.id, licenseActivationWorkflowParameters: { maxDeviceActivations: 2 } }
    const { entitlement, activationWorkflow, activationCode } = await admin.post(fromOffer, body)
    expect(activationCode).toMatch(/^T-[0-9A-Z]{8}$/)
    expect(activationWorkflow).toMatchObject({ activationCode, entitlementId: entitlement.id, maxDeviceActivations: 2 })
    const codes = await must(admin.at('GET', `entitlements/${entitlement.id}/activation-codes`))
    expect(codes.items).toEqual([activationWorkflow])
    const taken = await admin.at('POST', fromOffer, {
      ...{ entitlementOfferId: offer.id, licenseActivationWorkflowParameters: { activationCode } },
    })
    expect(problemOf(taken)).toEqual([409, 'catalog.duplicate_key'])
    expect((await must(admin.at('GET', `entitlements?filter=sourceOfferId==${offer.id}`))).totalCount).toBe(1)
    await must(admin.at('DELETE', `entitlements/${entitlement.id}`))
    const freed = await admin.post(fromOffer, {
      ...{ entitlementOfferId: offer.id, licenseActivationWorkflowParameters: { activationCode } },
    })
    expect(freed.activationCode).toBe(activationCode)
  })

  test("the vendor's backend clones too, with a scope of its own", async () => {
    const offer = await newOffer()
    const body = { entitlementOfferId: offer.id, licenseActivationWorkflowParameters: {} }
    const token = await server.tokenWith(['operational.entitlements:create'])
    const answer = await must(server.api('POST', operational, { token, body }))
    expect(answer.entitlement).toMatchObject({ sourceOfferId: offer.id, status: 'Draft' })
    expect(answer.activationCode).toBe(answer.activationWorkflow.activationCode)
    const scopes = [['admin.entitlements:create'], ['operational.entitlements:read']]
    for (const scope of scopes) {
      const refused = await server.api('POST', operational, { token: await server.tokenWith(scope), body })
      expect(problemOf(refused)).toEqual([403, 'auth.insufficient_scope'])
    }
  })

  test('under one Idempotency-Key an offer is cloned once', async () => {
    const offer = await newOffer()
    const key = { 'idempotency-key': `clone-${nextNumber()}` }
    const body = { entitlementOfferId: offer.id, licenseActivationWorkflowParameters: {} }
    const [first, again] = [await admin.at('POST', fromOffer, body, key), await admin.at('POST', fromOffer, body, key)]
    expect([first.status, again.text]).toEqual([200, first.text])
    expect((await must(admin.at('GET', `entitlements?filter=sourceOfferId==${offer.id}`))).totalCount).toBe(1)
  })

  test('an offer that has ended is not cloned; of several of one name, one is that has not', async () => {
    const name = `Ended ${nextNumber()}`
    const ends = (millis: number) => ({ expirationDateTime: new Date(Date.now() + millis).toISOString() })
    const going = await newOffer({ name, status: 'Active', ...ends(3_600_000) })
    const ended = await newOffer({ name, status: 'Active', version: '2', ...ends(1500) })
    const byName = { fromEntitlementOfferName: name }
    expect((await clone(byName)).sourceOfferId).toBe(ended.id)
    await vi.waitFor(async () => expect((await clone(byName)).sourceOfferId).toBe(going.id), { timeout: 10_000 })
    for (const body of [{ entitlementOfferId: ended.id }, { ...byName, withEntitlementOfferVersion: '2' }]) {
      const refused = await admin.at('POST', fromOffer, body)
      expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
      expect(refused.body.errors[0].message).toBe('that offer has ended: no entitlement is made of it')
    }
  })
})
