import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { catalogRevision, must, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { pointersOf } from '../catalog/things-to-sell.ts'
import { boundsOf, plannedEntitlements, valuesOf } from './planned-entitlements.ts'

const tiersOf = (end: number) => [
  { startUsage: 0, endUsage: end },
  { startUsage: end, quotaUsagePolicy: 'Deny' },
]

forEachStore((store) => {
  const server = serveTests(store)
  const scene = plannedEntitlements(server)
  const { admin, made, applyPlan, assetsOf, eventsOf, newEntitlement } = scene

  test('a plan writes its line items onto an entitlement: values, features, tiers and credits', async () => {
    const { id } = await newEntitlement()
    const planned = await must(applyPlan(id, 'Pro'))
    expect(planned).toMatchObject({ id, assignedPlanSetId: made.set.id, assignedPlanName: 'Pro', revisionNumber: 2 })
    expect(valuesOf(planned)).toEqual({ SEATS: '25', RENDER: 'true', EXPORTS: null, CREDITS: '500', SCRIPTS: 'true' })
    expect(await scene.read(id)).toEqual(planned)
    const { exports, credits } = await assetsOf(id)
    expect(boundsOf(exports)).toEqual([
      [0, 100],
      [100, null],
    ])
    expect(credits.balanceUsage).toMatchObject({ initialCreditAmount: 500, totalCredits: 500, creditsUsed: 0 })
  })

  test('another plan stands in its place, and leaves nothing of the one before', async () => {
    const { id, features } = await newEntitlement()
    const assets = await assetsOf(id)
    await must(applyPlan(id, 'Pro'))
    const free = await must(applyPlan(id, 'Free'))
    expect(valuesOf(free)).toEqual({ SEATS: '1', RENDER: 'off', EXPORTS: '10', CREDITS: null })
    const { exports, credits } = await assetsOf(id)
    expect([boundsOf(exports), credits.balanceUsage.initialCreditAmount]).toEqual([[[0, 10]], 50])
    expect([exports.id, credits.balanceUsageId]).toEqual([assets.exports.id, assets.credits.balanceUsageId])
    const features2 = (await must(applyPlan(id, 'Suite'))).features.filter(
      ({ productId }: { productId: string }) => productId === made.cad.id,
    )
    expect(features2).toEqual(features)
  })

  test('a feature that only the catalog has comes with its plan and keeps its id as long as plans have it', async () => {
    const { id } = await newEntitlement()
    const scriptsOf = async () =>
      (await scene.read(id)).features.find((one: { featureCode: string }) => one.featureCode === 'SCRIPTS')
    await must(applyPlan(id, 'Pro'))
    const first = await scriptsOf()
    expect(first).toMatchObject({
      productId: made.cad.id,
      name: 'SCRIPTS',
      value: 'true',
      catalogLifecycleStatus: 'Draft',
    })
    const again = await scene.newSet()
    await must(applyPlan(id, 'Pro', again.id))
    expect(await scriptsOf()).toEqual(first)
    await must(applyPlan(id, 'Free'))
    expect(await scriptsOf()).toBeUndefined()
  })

  test('products that the plan includes and the entitlement lacks are attached, with features and meters', async () => {
    const { id } = await newEntitlement()
    const planned = await must(applyPlan(id, 'Suite'))
    expect(planned.products.map((product: { id: string }) => product.id)).toEqual([made.cad.id, made.viewer.id])
    expect(valuesOf(planned)).toMatchObject({ PAGES: '9', SEATS: '3' })
    expect(Object.keys(await assetsOf(id)).sort()).toEqual(['credits', 'exports', 'pages'])
    expect((await eventsOf(id, 'Entitlement.PlanApplied')).map((data) => data.attachedProductIds)).toEqual([
      [made.viewer.id],
    ])
  })

  test('what the plan does not include is switched off and stays attached', async () => {
    const { id } = await newEntitlement({ products: [{ productId: made.cad.id }, { productId: made.viewer.id }] })
    expect(valuesOf(await must(applyPlan(id, 'Pro'))).PAGES).toBe('off')
    expect((await assetsOf(id)).pages).toBeDefined()
    expect(valuesOf(await must(applyPlan(id, 'Free'))).PAGES).toBe('2')
  })

  test('what a plan withholds cannot be used, also where only the catalog has the feature', async () => {
    const { id: productId } = await admin.newProduct()
    await admin.newFeature(productId, 'RENDERS', { featureType: 'Metered', metricName: 'renders' })
    await admin.post('monitored-assets', { productId, metricName: 'renders', name: 'Renders', meteredUsage: {} })
    const withRenders = (value: object) => [{ productId, featureValues: [{ featureCode: 'RENDERS', ...value }] }]
    const plans = [
      { name: 'Denied', lineItems: withRenders({ enforcementType: 'Denied' }) },
      { name: 'NotIncluded', lineItems: withRenders({ enforcementType: 'NotIncluded' }) },
      { name: 'Left out', lineItems: [{ productId, included: false }] },
      { name: 'Ten', lineItems: withRenders({ value: '10' }) },
    ]
    const set = await admin.newPlanSet({ productId }, { plans })
    await admin.post(`usage-plans/plan-sets/${set.id}/publish`)
    const { id } = await newEntitlement({ products: [{ productId }] })
    const tiersUnder = async (planName: string) => {
      await must(applyPlan(id, planName, set.id))
      return (await assetsOf(id)).renders.meteredUsage.usageTiers
    }
    for (const { name } of plans.slice(0, 3))
      expect([name, await tiersUnder(name)]).toMatchObject([
        name,
        [{ startUsage: 0, endUsage: null, quotaUsagePolicy: 'Deny' }],
      ])
    expect(await tiersUnder('Ten')).toMatchObject([{ startUsage: 0, endUsage: 10 }])
    expect(await tiersUnder('Left out')).toHaveLength(1)
  })

  test('an asset that says nothing of how it counts is limited by what the plan says, and counts on', async () => {
    const { id: productId } = await admin.newProduct()
    await admin.newFeature(productId, 'RENDERS', { featureType: 'Metered', metricName: 'renders' })
    await admin.post('monitored-assets', { productId, metricName: 'renders', name: 'Renders' })
    const withRenders = (value: object) => [{ productId, featureValues: [{ featureCode: 'RENDERS', ...value }] }]
    const plans = [
      { name: 'Tiers', lineItems: withRenders({ enforcementType: 'TieredAbsolute', usageTiers: tiersOf(10) }) },
      { name: 'Ten', lineItems: withRenders({ value: '10' }) },
      { name: 'Denied', lineItems: withRenders({ enforcementType: 'Denied' }) },
      { name: 'Silent', lineItems: withRenders({}) },
    ]
    const set = await admin.newPlanSet({ productId }, { plans })
    await admin.post(`usage-plans/plan-sets/${set.id}/publish`)
    const { id } = await newEntitlement({ products: [{ productId }] })
    const under = async (planName: string) => {
      await must(applyPlan(id, planName, set.id))
      return (await assetsOf(id)).renders
    }
    expect((await assetsOf(id)).renders).toMatchObject({ meteredUsage: null, meteredUsageId: null })
    const tiered = await under('Tiers')
    expect(tiered.meteredUsage).toMatchObject({
      id: tiered.meteredUsageId,
      consumptionPeriod: 'Monthly',
      accumulationMethod: 'Sliced',
      usageTiers: [{ endUsage: 10 }, { startUsage: 10, quotaUsagePolicy: 'Deny' }],
    })
    const ten = await under('Ten')
    expect([ten.meteredUsageId, boundsOf(ten)]).toEqual([tiered.meteredUsageId, [[0, 10]]])
    expect((await under('Denied')).meteredUsage.usageTiers).toMatchObject([{ quotaUsagePolicy: 'Deny' }])
    expect(await under('Silent')).toMatchObject({ meteredUsage: null, meteredUsageId: null })
  })

  test('the event says which plan came in place of which', async () => {
    const { id } = await newEntitlement()
    const plan = (planName: string) => ({
      planSetId: made.set.id,
      planSetName: made.set.name,
      planId: made.set.plans.find(({ name }: { name: string }) => name === planName).id,
      planName,
    })
    await must(applyPlan(id, 'Free'))
    await must(applyPlan(id, 'Pro'))
    const events = await eventsOf(id, 'Entitlement.PlanApplied')
    expect(events.map(({ before, after }) => [before, after])).toEqual([
      [null, plan('Free')],
      [plan('Free'), plan('Pro')],
    ])
    expect(events[1]).toMatchObject({ entitlementId: id, planName: 'Pro', attachedProductIds: [] })
  })

  test('one that is Active with its plan from the start, or by one edit, is so in both events', async () => {
    const plan = { assignedPlanSetId: made.set.id, assignedPlanName: 'Pro' }
    const { id } = await newEntitlement({ status: 'Active', ...plan })
    const draft = await newEntitlement({ status: 'Draft' })
    await must(admin.at('PATCH', `entitlements/${draft.id}`, { status: 'Active', ...plan }))
    const standing = { status: 'Active', subscriptionStatus: 'Active', planName: 'Pro' }
    for (const told of [id, draft.id])
      for (const type of ['Entitlement.PlanApplied', 'Entitlement.Activated'])
        expect(await eventsOf(told, type)).toEqual([expect.objectContaining(standing)])
    const trial = await newEntitlement({ status: 'Draft', ...plan, trialPolicy: { startsOn: 'Creation' } })
    expect(await eventsOf(trial.id, 'Entitlement.PlanApplied')).toMatchObject([{ trialEndsAt: expect.any(String) }])
  })

  test('the same plan again changes nothing, unless the plan has changed meanwhile, and is told each time', async () => {
    const set = await scene.newSet()
    const { id } = await newEntitlement()
    const first = await must(applyPlan(id, 'Pro', set.id))
    expect(await must(applyPlan(id, 'Pro', set.id))).toEqual(first)
    expect(await eventsOf(id, 'Entitlement.PlanApplied')).toHaveLength(2)
    const plans = structuredClone(set.plans)
    const pro = plans.find(({ name }: { name: string }) => name === 'Pro')
    const cadLine = pro.lineItems.find(({ productId }: { productId: string }) => productId === made.cad.id)
    cadLine.featureValues.find(({ featureCode }: { featureCode: string }) => featureCode === 'SEATS').value = '30'
    await must(admin.at('PATCH', `usage-plans/plan-sets/${set.id}`, { plans }))
    expect(await scene.read(id)).toEqual(first)
    expect(valuesOf(await must(applyPlan(id, 'Pro', set.id))).SEATS).toBe('30')
    expect(await eventsOf(id, 'Entitlement.PlanApplied')).toHaveLength(3)
  })

  test('under one Idempotency-Key it happens once, and If-Match is honoured', async () => {
    const { id } = await newEntitlement()
    const stale = await applyPlan(id, 'Pro', made.set.id, { 'if-match': '"9"' })
    expect(problemOf(stale)).toEqual([412, 'request.precondition_failed'])
    const key = { 'idempotency-key': `plan-${id}` }
    const first = await applyPlan(id, 'Pro', made.set.id, key)
    await must(applyPlan(id, 'Free'))
    const replay = await applyPlan(id, 'Pro', made.set.id, key)
    expect([replay.headers.get('idempotency-replayed'), replay.text]).toEqual(['true', first.text])
    expect((await scene.read(id)).assignedPlanName).toBe('Free')
  })

  test('it moves the revision of the entitlement and not that of the catalog', async () => {
    const { id } = await newEntitlement()
    const before = await catalogRevision(server)
    await must(applyPlan(id, 'Pro'))
    expect(await catalogRevision(server)).toBe(before)
  })

  test('a plan whose set is a Draft yet is applied by the vendor', async () => {
    const { id } = await newEntitlement()
    const draft = await scene.newSet('Draft')
    const applied = await must(applyPlan(id, 'Pro', draft.id))
    expect(applied).toMatchObject({ assignedPlanSetId: draft.id, assignedPlanName: 'Pro' })
    expect(await eventsOf(id, 'Entitlement.PlanApplied')).toHaveLength(1)
  })

  test('a plan that is no longer sold is refused where it is named; of set and plan it is said which is not there', async () => {
    const { id } = await newEntitlement()
    const retired = await admin.post(`usage-plans/plan-sets/${(await scene.newSet()).id}/retire`)
    const unsold = await applyPlan(id, 'Pro', retired.id)
    expect(pointersOf(unsold)).toEqual([400, 'license.validation_error', ['/planSetId']])
    expect(unsold.body.detail).toContain('no longer sold')
    const offer = await admin.post('entitlements/offers', { name: `Offer of ${id}` })
    for (const owner of [id, offer.id]) {
      const absent = [await applyPlan(owner, 'Pro', noSuchId), await applyPlan(owner, 'pro')]
      expect(absent.map(problemOf)).toEqual(Array(2).fill([404, 'license.record_not_found']))
      const details = ['There is no such plan set.', `Plan set "${made.set.name}" has no plan "pro".`]
      expect(absent.map(({ body }) => body.detail)).toEqual(details)
    }
    expect(pointersOf(await admin.at('POST', `entitlements/${id}/apply-plan`, {}))).toEqual([
      400,
      'license.validation_error',
      ['/planSetId', '/planName'],
    ])
    expect(await eventsOf(id, 'Entitlement.PlanApplied')).toEqual([])
  })

  test("a cancelled entitlement stays as it is; a neighbour's is not there", async () => {
    const { id } = await newEntitlement()
    await admin.post(`entitlements/${id}/cancel`)
    expect(problemOf(await applyPlan(id, 'Pro'))).toEqual([409, 'catalog.invalid_transition'])
    const offer = await admin.post('entitlements/offers', { name: `Offer of ${id}` })
    const never = await applyPlan(noSuchId, 'Pro')
    expect(problemOf(never)).toEqual([404, 'license.record_not_found'])
    expect((await must(applyPlan(offer.id, 'Pro'))).assignedPlanName).toBe('Pro')
    expect(await eventsOf(offer.id, 'Entitlement.PlanApplied')).toEqual([])
    const path = `/api/v1/provision/admin/entitlements/${id}/apply-plan`
    const theirs = await server.api('POST', path, {
      tenant: 'neighbour',
      body: { planSetId: made.set.id, planName: 'Pro' },
    })
    expect([theirs.status, theirs.body.detail]).toEqual([404, never.body.detail])
  })

  test("a neighbour's plan is as absent as one that never was", async () => {
    const body = { name: 'Theirs' }
    const path = '/api/v1/provision/admin/entitlements'
    const { id } = await must(server.api('POST', path, { tenant: 'neighbour', body }))
    const refused = await server.api('POST', `${path}/${id}/apply-plan`, {
      tenant: 'neighbour',
      body: { planSetId: made.set.id, planName: 'Pro' },
    })
    expect([refused.status, refused.body.detail]).toEqual([404, 'There is no such plan set.'])
  })

  test('of two plans applied at once both are, one after the other', async () => {
    const { id } = await newEntitlement()
    await Promise.all(['Free', 'Pro', 'Free', 'Pro'].map((name) => must(applyPlan(id, name))))
    const { assignedPlanName, features } = await scene.read(id)
    expect(valuesOf({ features }).SEATS).toBe({ Free: '1', Pro: '25' }[assignedPlanName as 'Free' | 'Pro'])
    const afters = (await eventsOf(id, 'Entitlement.PlanApplied')).map(({ after }) => after.planName)
    expect(afters.at(-1)).toBe(assignedPlanName)
  })

  test('a clone of an offer starts on its plan', async () => {
    const offer = await admin.post('entitlements/offers', {
      name: `Planned offer ${made.set.id}`,
      products: [{ productId: made.cad.id }],
      assignedPlanSetId: made.set.id,
      assignedPlanName: 'Suite',
    })
    const { entitlement } = await admin.post('entitlements/offers/from-offer', { entitlementOfferId: offer.id })
    expect(valuesOf(entitlement)).toMatchObject({ SEATS: '3', PAGES: '9' })
    expect(Object.keys(await assetsOf(entitlement.id)).sort()).toEqual(['credits', 'exports', 'pages'])
    const [applied] = await eventsOf(entitlement.id, 'Entitlement.PlanApplied')
    expect(applied).toMatchObject({ before: null, attachedProductIds: [made.viewer.id] })
  })
})
