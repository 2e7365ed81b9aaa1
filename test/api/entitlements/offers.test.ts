import { expect, test } from 'vitest'
import { offerFields } from '../../../catalog-schema/offer.ts'
import { holderFields } from '../../../server/entitlements/entitlements/fields.ts'
import { offerContracts } from '../../../server/entitlements/offers/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import {
  catalogRevision,
  must,
  nextNumber,
  noSuchId,
  problemOf,
  testCollection,
} from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'

const collection = 'entitlements/offers'
type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  const patch = (id: string, body: object) => admin.at('PATCH', `${collection}/${id}`, body)
  const newOffer = (body: object = {}) => admin.post(collection, { name: `Offer ${nextNumber()}`, ...body })
  const get = (id: string) => must(admin.at('GET', `${collection}/${id}`))

  testCollection(() => server, {
    path: `/api/v1/provision/admin/${collection}`,
    body: async (_server, n) => {
      const product = await admin.newProduct({ features: [{ featureCode: 'SEATS', featureType: 'Numeric' }] })
      const set = await admin.newPlanSet({ productId: product.id }, { plans: [{ name: 'Pro' }] })
      return {
        name: `Team ${n}`,
        version: '1',
        description: 'For teams',
        legalNoticeHtml: '<p>No</p>',
        isOffer: true,
        status: 'Draft',
        notValidBeforeDateTime: '2026-01-01T00:00:00+02:00',
        metadata: '{}',
        licensePolicy: { licenseModel: 'Floating', maxDeviceActivations: '5', leaseTime: '7.00:00:00' },
        tags: [`Own ${n}`],
        products: [{ productId: product.id, features: [{ featureCode: 'SEATS', value: 3 }] }],
        assignedPlanSetId: set.id,
        assignedPlanName: 'Pro',
      }
    },
    rename: (n) => ({ name: `Renamed ${n}` }),
    alter: { description: 'Said elsewhere' },
    fields: [
      ...['isOffer', 'status', 'products', 'assignedPlanSetId', 'assignedPlanName', ...Object.keys(offerFields)],
      ...Object.keys(holderFields),
    ],
    filterable: offerContracts.list.filterable,
  })

  test('an offer is answered whole, with every default', async () => {
    const { id, name, createdAt, updatedAt, ...rest } = await newOffer()
    expect([typeof id, typeof name, createdAt]).toEqual(['string', 'string', updatedAt])
    expect(rest).toEqual({
      version: null,
      description: null,
      legalNoticeHtml: null,
      issueOnUserRegistration: false,
      allowAnonymousTry: false,
      isEntitlementTrial: false,
      notValidBeforeDateTime: null,
      expirationDateTime: null,
      reference: null,
      externalReference: null,
      metadata: null,
      activationPolicy: null,
      licensePolicy: null,
      trialPolicy: null,
      anonymousTryPolicy: null,
      renewalPolicy: null,
      keyIssuancePolicy: null,
      tags: [],
      isOffer: true,
      status: 'Draft',
      products: [],
      features: [],
      assignedPlanSetId: null,
      assignedPlanName: null,
      customerContactEmail: null,
      customerContactName: null,
      customerId: null,
      customerExternalReference: null,
      orderId: null,
      licenseKey: null,
      subscriptionStatus: 'Pending',
      isAnonymousTry: false,
      sourceOfferId: null,
      convertedToEntitlementId: null,
      campaignId: null,
      activationsEnabled: true,
      activatedAt: null,
      periodStartedAt: null,
      trialStartedAt: null,
      trialEndsAt: null,
      addOns: [],
      isDeleted: false,
      revisionNumber: 1,
    })
  })

  test("an offer shows its products whole, and their features with the offer's own values before theirs", async () => {
    const product = await admin.newProduct({
      features: [
        { featureCode: 'EXPORT', value: true, moduleName: 'io', isPaidFeature: true, usageMetric: 'exports' },
        { featureCode: 'SEATS', featureType: 'Numeric', value: 1 },
      ],
    })
    await admin.newFeature(product.id, 'SEATS', { featureType: 'Numeric', lifecycleStatus: 'Preview' })
    const render = await admin.newFeature(product.id, 'RENDER', { metricName: 'renders' })
    await admin.newFeature(product.id, 'NOT_GIVEN')
    const asset = await admin.post('monitored-assets', { productId: product.id, metricName: 'exports', name: 'E' })
    const own = [
      { featureCode: 'RENDER', isEnabled: false },
      { featureCode: 'SEATS', value: 5, featureExpiration: '2030-01-01T00:00:00Z' },
    ]
    const offer = await newOffer({ products: [{ productId: product.id, features: own }] })
    expect(offer.products).toEqual([await must(admin.at('GET', `products/${product.id}`))])
    const shared = {
      ...{ productId: product.id, featurePath: null, description: null, version: null },
      ...{ isAvailableDuringTrialPeriod: true, isAvailableDuringGracePeriod: true, canModifyValueOnEntitlement: true },
    }
    const bare = { ...shared, moduleName: null, isPaidFeature: false, meteredAssetId: null }
    const attached = Object.fromEntries(product.features.map((feature: Json) => [feature.featureCode, feature.id]))
    expect(offer.features).toEqual([
      {
        ...bare,
        ...{ id: attached.EXPORT, featureCode: 'EXPORT', name: null, value: 'true', isEnabled: true, moduleName: 'io' },
        ...{ isPaidFeature: true, meteredAssetId: asset.id, featureExpiration: null, catalogLifecycleStatus: null },
      },
      {
        ...bare,
        ...{ id: attached.SEATS, featureCode: 'SEATS', name: 'SEATS', value: '5', isEnabled: true },
        ...{ featureExpiration: '2030-01-01T00:00:00.000Z', catalogLifecycleStatus: 'Preview' },
      },
      {
        ...bare,
        ...{ id: render.id, featureCode: 'RENDER', name: 'RENDER', value: null, isEnabled: false },
        ...{ featureExpiration: null, catalogLifecycleStatus: 'Draft' },
      },
    ])
  })

  test("products and values that cannot be an offer's are refused where they stand", async () => {
    const product = await admin.newProduct()
    await admin.newFeature(product.id, 'TIER', { featureType: 'Enumeration', enumOptions: [{ value: 'gold' }] })
    const offer = await newOffer({ products: [{ productId: product.id }] })
    const of = (...features: object[]) => [{ productId: product.id, features }]
    for (const [products, pointer] of [
      [[{ productId: noSuchId }], '/products/0/productId'],
      [[{ productId: product.id }, { productId: product.id.toUpperCase() }], '/products/1/productId'],
      [of({ featureCode: 'NONE' }), '/products/0/features/0/featureCode'],
      [of({ featureCode: 'TIER', value: 'lead' }), '/products/0/features/0/value'],
      [of({ featureCode: 'TIER' }, { featureCode: 'TIER' }), '/products/0/features/0'],
      [of({ featureCode: 'TIER', featureExpiration: 'soon' }), '/products/0/features/0/featureExpiration'],
      [of({ featureCode: 'TIER', price: 1 }), '/products/0/features/0/price'],
    ] as const) {
      const refusal = [400, 'license.validation_error', [pointer]]
      expect(pointersOf(await patch(offer.id, { products }))).toEqual(refusal)
      expect(pointersOf(await admin.at('POST', collection, { name: `x ${pointer}`, products }))).toEqual(refusal)
    }
    expect((await must(patch(offer.id, { products: null }))).products).toHaveLength(1)
    expect((await must(patch(offer.id, { products: [] }))).products).toEqual([])
  })

  test("products are attached and detached one at a time, at both of an offer's paths", async () => {
    const [cad, cam] = [await admin.newProduct(), await admin.newProduct()]
    const offer = await newOffer()
    const attached = await admin.post(`${collection}/${offer.id}/products/${cad.id}`)
    expect([attached.products[0].id, attached.revisionNumber]).toEqual([cad.id, 2])
    const both = await admin.post(`entitlements/${offer.id}/products/${cam.id}`)
    expect(both.products).toHaveLength(2)
    const revision = await catalogRevision(server)
    expect(both).toMatchObject(await admin.post(`${collection}/${offer.id}/products/${cam.id}`))
    expect(await catalogRevision(server)).toBe(revision)
    const gone = await admin.at('DELETE', `entitlements/${offer.id}/products/${cad.id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await get(offer.id)).products.map(({ id }: Json) => id)).toEqual([cam.id])
    for (const [method, where] of [
      ['DELETE', `entitlements/${offer.id}/products/${cad.id}`],
      ['POST', `${collection}/${offer.id}/products/${noSuchId}`],
      ['POST', `${collection}/${noSuchId}/products/${cad.id}`],
      ['DELETE', `${collection}/${noSuchId}/products/${cad.id}`],
    ] as const)
      expect(problemOf(await admin.at(method, where))).toEqual([404, 'license.record_not_found'])
    const path = `/api/v1/provision/admin/entitlements/${offer.id}/products/${cam.id}`
    for (const method of ['POST', 'DELETE'])
      expect((await server.api(method, path, { tenant: 'neighbour' })).status).toBe(404)
    expect((await get(offer.id)).products).toHaveLength(1)
  })

  test('an offer starts on a plan that exists, chosen by set and name', async () => {
    const product = await admin.newProduct()
    const plans = [{ name: 'Pro' }, { name: 'Free' }]
    const [set, other] = [
      await admin.newPlanSet({ productId: product.id }, { plans }),
      await admin.newPlanSet({ productId: product.id }, { plans: [{ name: 'Free' }] }),
    ]
    const offer = await newOffer({ assignedPlanSetId: set.id.toUpperCase(), assignedPlanName: 'Pro' })
    const planOf = ({ assignedPlanSetId, assignedPlanName }: Json) => [assignedPlanSetId, assignedPlanName]
    expect(planOf(offer)).toEqual([set.id, 'Pro'])
    expect(planOf(await must(patch(offer.id, { assignedPlanSetId: null, description: 'x' })))).toEqual([set.id, 'Pro'])
    for (const [body, pointer] of [
      [{ assignedPlanName: 'None' }, '/assignedPlanName'],
      [{ assignedPlanName: '' }, '/assignedPlanName'],
      [{ assignedPlanSetId: noSuchId }, '/assignedPlanSetId'],
      [{ assignedPlanSetId: other.id }, '/assignedPlanName'],
      [{ assignedPlanSetId: other.id, clearAssignedPlan: true }, '/clearAssignedPlan'],
    ] as const)
      expect(pointersOf(await patch(offer.id, body))).toEqual([400, 'license.validation_error', [pointer]])
    expect(planOf(await must(patch(offer.id, { assignedPlanName: 'Free' })))).toEqual([set.id, 'Free'])
    expect(planOf(await must(patch(offer.id, { assignedPlanSetId: other.id })))).toEqual([other.id, 'Free'])
    expect(planOf(await must(patch(offer.id, { clearAssignedPlan: true })))).toEqual([null, null])
    const nowhere = await admin.at('POST', collection, { name: 'x', assignedPlanName: 'Pro' })
    expect(pointersOf(nowhere)[2]).toEqual(['/assignedPlanSetId'])
    const nameless = await admin.at('POST', collection, { name: 'x', assignedPlanSetId: set.id })
    expect(pointersOf(nameless)[2]).toEqual(['/assignedPlanName'])
  })

  test('a policy is completed, edited field by field and taken away by its own word', async () => {
    const offer = await newOffer({ licensePolicy: { maxDeviceActivations: '3', leaseTime: '1.12:00:00' } })
    const whole = {
      licenseModel: 'NodeLocked',
      maxDeviceActivations: 3,
      leaseTime: 'P1DT12H',
      graceTime: 'P3D',
      inactivityTimeout: 'PT1H',
      concurrentInstances: false,
      componentMatchingStrategy: 'MatchAll',
      allowedApplicationScopes: [],
      allowRelease: true,
    }
    expect(offer.licensePolicy).toEqual(whole)
    const edited = await must(patch(offer.id, { licensePolicy: { allowRelease: false, maxDeviceActivations: null } }))
    expect(edited.licensePolicy).toEqual({ ...whole, allowRelease: false })
    const cleared = await must(patch(offer.id, { clearLicensePolicy: true, trialPolicy: {} }))
    expect(cleared.licensePolicy).toBeNull()
    expect(cleared.trialPolicy).toEqual({ enabled: true, duration: 'P14D', startsOn: 'Activation' })
  })

  test.each([
    ['activationPolicy', { allowedIpCidr: ['10.0.0.0/8', '2001:db8::/32', '300.0.0.0/8'] }, '/allowedIpCidr/2'],
    ['activationPolicy', { allowedIpCidr: ['10.0.0.0/33'] }, '/allowedIpCidr/0'],
    ['activationPolicy', { requiredAuthenticationLevel: 'signedin' }, '/requiredAuthenticationLevel'],
    ['activationPolicy', { requireProductCode: 'true' }, '/requireProductCode'],
    ['licensePolicy', { leaseTime: '7 days' }, '/leaseTime'],
    ['licensePolicy', { maxDeviceActivations: -1 }, '/maxDeviceActivations'],
    ['licensePolicy', { maxDeviceActivations: 1.5 }, '/maxDeviceActivations'],
    ['licensePolicy', { seats: 1 }, '/seats'],
    ['keyIssuancePolicy', { template: '{random:5}-{month}' }, '/template'],
    ['keyIssuancePolicy', { template: 'FIXED' }, '/template'],
    ['keyIssuancePolicy', { alphabet: 'Custom' }, '/customAlphabet'],
    ['renewalPolicy', { period: 'Sometimes' }, '/period'],
    ['trialPolicy', { duration: 'P' }, '/duration'],
  ])('%s %j is refused where it is wrong', async (policy, value, pointer) => {
    const offer = await newOffer()
    const wrong = { [policy]: value }
    for (const answer of [
      await admin.at('POST', collection, { name: `Offer ${nextNumber()}`, ...wrong }),
      await patch(offer.id, wrong),
      await admin.at('PUT', `${collection}/${offer.id}`, { name: 'x', ...wrong }),
    ]) {
      const [status, codeName, pointers] = pointersOf(answer)
      expect([status, codeName]).toEqual([400, 'license.validation_error'])
      expect([`/${policy}${pointer}`, `/${policy}`]).toContain(pointers[0])
    }
    expect(await get(offer.id)).toEqual(offer)
  })

  test('name and version tell offers apart', async () => {
    const name = `Team ${nextNumber()}`
    await newOffer({ name })
    const second = await newOffer({ name, version: '2' })
    expect(problemOf(await admin.at('POST', collection, { name }))).toEqual([409, 'catalog.duplicate_key'])
    expect(problemOf(await admin.at('POST', collection, { name, version: '' }))).toEqual([409, 'catalog.duplicate_key'])
    const taken = await patch(second.id, { version: '' })
    expect(problemOf(taken)).toEqual([409, 'catalog.duplicate_key'])
    expect(taken.body.detail).toContain(`offer:${name}`)
  })

  test('tags are of the Entitlement vocabulary, each once, in the casing first written', async () => {
    const [first, again] = [`Blue ${nextNumber()}`, `Green ${nextNumber()}`]
    await newOffer({ tags: [first] })
    const offer = await newOffer({ tags: [again, first.toUpperCase()] })
    expect(offer.tags).toEqual([first, again])
    expect(await must(patch(offer.id, { tags: [first.toLowerCase(), again] }))).toEqual(offer)
    const found = await must(admin.at('GET', `tags?filter=name==${encodeURIComponent(first)}`))
    expect(found.items).toMatchObject([{ scope: 'Entitlement', usageCount: 2 }])
    expect((await must(patch(offer.id, { tags: null }))).tags).toHaveLength(2)
    expect((await must(patch(offer.id, { tags: [] }))).tags).toEqual([])
  })

  test('texts and instants are cleared, each in its way; an offer stays a draft offer', async () => {
    const offer = await newOffer({
      description: 'x',
      notValidBeforeDateTime: '2026-01-01T00:00:00Z',
      expirationDateTime: '2027-01-01T00:00:00Z',
    })
    const cleared = await must(
      patch(offer.id, { description: '', clearNotValidBeforeDateTime: true, expirationDateTime: null }),
    )
    expect(cleared).toMatchObject({
      description: null,
      notValidBeforeDateTime: null,
      expirationDateTime: '2027-01-01T00:00:00.000Z',
    })
    expect(pointersOf(await patch(offer.id, { isOffer: false }))[2]).toEqual(['/isOffer'])
    expect(await must(patch(offer.id, { status: 'Active' }))).toMatchObject({ status: 'Active' })
    expect(pointersOf(await patch(offer.id, { status: 'Live' }))[2]).toEqual(['/status'])
  })

  test('an offer goes one step along its lifecycle at a time', async () => {
    const offer = await newOffer()
    const goTo = (status: string) => patch(offer.id, { status })
    for (const status of ['Suspended', 'Expired'])
      expect(problemOf(await goTo(status))).toEqual([409, 'catalog.invalid_transition'])
    for (const status of ['Active', 'Suspended', 'Active', 'Expired', 'Active', 'Expired', 'Cancelled'])
      expect(await must(goTo(status))).toMatchObject({ status })
    for (const status of ['Draft', 'Active'])
      expect(problemOf(await goTo(status))).toEqual([409, 'catalog.invalid_transition'])
    expect(await must(patch(offer.id, { status: 'Cancelled', description: 'over' }))).toMatchObject({
      status: 'Cancelled',
      description: 'over',
    })
  })

  test('what an offer has is in use: its products and the features whose values it sets', async () => {
    const product = await admin.newProduct()
    const feature = await admin.newFeature(product.id, 'SEATS')
    const offer = await newOffer({ products: [{ productId: product.id, features: [{ featureCode: 'SEATS' }] }] })
    for (const where of [`products/${product.id}`, `feature-catalog/${feature.id}`]) {
      const refused = await admin.at('DELETE', where)
      expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
      expect(refused.body.detail).toContain(`offer:${offer.name}`)
    }
    await must(admin.at('DELETE', `${collection}/${offer.id}`))
    await must(admin.at('DELETE', `products/${product.id}`))
  })
})
