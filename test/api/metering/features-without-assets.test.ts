import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, problemOf } from '../catalog/catalog-collection.ts'
import { adminOf } from '../catalog/things-to-sell.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'
import { boundsOf } from '../entitlements/planned-entitlements.ts'
import { metersOf } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

const denying = (end: number) => [
  { startUsage: 0, endUsage: end, quotaUsageLevel: 'Normal' },
  { startUsage: end, quotaUsageLevel: 'Critical', quotaUsagePolicy: 'Deny' },
]

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)
  const meters = metersOf(server)
  const beside = databaseBeside(server)

  /** A product without monitored assets that has a feature, RENDERS, metered as "renders". */
  const newProduct = (feature: object = {}) =>
    admin.newProduct({
      features: [
        { featureCode: 'RENDERS', name: 'Renders', featureType: 'Metered', usageMetric: 'renders', ...feature },
      ],
    })
  const sold = async (...products: Json[]) => {
    const { id } = await meters.devices.newEntitlement({
      products: products.map((product) => ({ productId: product.id })),
      licensePolicy: { leaseTime: 'P400D' },
    })
    return { id, license: await meters.newSession(id) }
  }
  const newPlans = async (productId: string, plans: Record<string, object[]>) => {
    const named = Object.entries(plans).map(([name, featureValues]) => ({
      name,
      lineItems: [{ productId, featureValues }],
    }))
    const set = await admin.newPlanSet({ productId }, { plans: named })
    await admin.post(`usage-plans/plan-sets/${set.id}/publish`)
    return (id: string, planName: string) =>
      must(admin.at('POST', `entitlements/${id}/apply-plan`, { planSetId: set.id, planName }))
  }
  const levelEventsOf = async (entitlementId: string): Promise<Json[]> => {
    const events = beside.open.read.selectFrom('events').select('data').orderBy('id')
    const rows = await events.where('type', '=', 'MeteredUsage.OverageStatusChanged').execute()
    return rows.map(({ data }) => JSON.parse(data)).filter((data) => data.entitlementId === entitlementId)
  }
  const assetsOf = async ({ session }: Json): Promise<Json[]> =>
    (await must(server.api('GET', `/api/v1/provision/admin/monitored-assets/by-session/${session.id}`))).items
  const assetOf = async (license: Json, metric = 'renders'): Promise<Json> =>
    (await assetsOf(license)).find(({ metricName }) => metricName === metric)

  test('a plan that names the metric of a feature that only the catalog has limits it', async () => {
    const product = await admin.newProduct()
    await admin.newFeature(product.id, 'RENDERS', { featureType: 'Metered', metricName: 'renders' })
    await admin.newFeature(product.id, 'EXPORTS', { featureType: 'Metered' })
    const tiered = { enforcementType: 'TieredAbsolute', usageTiers: denying(10) }
    const apply = await newPlans(product.id, {
      Tiered: [
        { featureCode: 'RENDERS', ...tiered },
        { featureCode: 'EXPORTS', metricName: 'exports', ...tiered },
      ],
      Denied: [{ featureCode: 'RENDERS', enforcementType: 'Denied' }],
    })
    const { id, license } = await sold(product)
    expect(await assetsOf(license)).toEqual([])
    await apply(id, 'Tiered')
    for (const metric of ['renders', 'exports']) {
      expect(await meters.consume(license, metric, 8)).toMatchObject({ allowed: true })
      expect(await meters.consume(license, metric, 3)).toMatchObject({ allowed: false })
      expect(await meters.usage(license, metric)).toMatchObject({ usage: 8, limit: 10 })
    }
    const { body } = await admin.at('GET', `entitlements/${id}`)
    const renders = await assetOf(license)
    expect(renders).toMatchObject({
      entitlementId: id,
      productId: product.id,
      name: 'RENDERS',
      meteredUsage: { consumptionPeriod: 'Monthly', accumulationMethod: 'Sliced', usageTiers: denying(10) },
      balanceUsage: null,
    })
    expect(body.products[0].monitoredAssets).toContainEqual(renders)
    expect(body.features.find(({ featureCode }: Json) => featureCode === 'RENDERS').meteredAssetId).toBe(renders.id)
    await apply(id, 'Denied')
    expect(await meters.consume(license, 'renders', 1)).toMatchObject({ allowed: false })
    // Nothing names it any more: it counts on, as what an asset that is gone has left.
    expect(await meters.consume(license, 'exports', 90)).toMatchObject({ allowed: true })
    expect(await meters.usage(license, 'exports')).toMatchObject({ usage: 98, limit: null })
    await apply(id, 'Tiered')
    expect(await meters.usage(license, 'exports')).toMatchObject({ usage: 98, limit: 10 })
    expect((await assetOf(license)).id).toBe(renders.id)
  })

  test('without a plan the value is the limit, and without a value it only counts', async () => {
    const limited = await sold(await newProduct({ value: '5' }))
    expect(boundsOf(await assetOf(limited.license))).toEqual([[0, 5]])
    expect(await meters.consume(limited.license, 'renders', 6)).toMatchObject({ allowed: false })
    const counting = await sold(await newProduct())
    expect(await meters.consume(counting.license, 'renders', 600)).toMatchObject({ allowed: true })
    const usage = await meters.usage(counting.license, 'renders')
    expect(usage).toMatchObject({ usage: 600, limit: null, periodStart: expect.any(String) })
    const unmetered = await sold(await newProduct({ featureType: 'Numeric' }))
    expect(problemOf(await meters.tryConsume(unmetered.license, 'renders', 1))).toEqual([404, 'usage.metric_not_found'])
  })

  test('features that report under one metric have one meter, and the product that is detached takes it along', async () => {
    const [first, second] = [await newProduct({ value: '5' }), await newProduct()]
    await admin.newFeature(second.id, 'DRAFTS', { featureType: 'Metered', metricName: 'renders' })
    const apply = await newPlans(second.id, { Drafts: [{ featureCode: 'DRAFTS', value: '7' }] })
    const { id, license } = await sold(second)
    await apply(id, 'Drafts')
    expect((await assetsOf(license)).map(boundsOf)).toEqual([[[0, 7]]])
    await must(admin.at('POST', `entitlements/${id}/products/${first.id}`))
    expect(await assetsOf(license)).toHaveLength(2)
    await must(admin.at('DELETE', `entitlements/${id}/products/${second.id}`))
    expect((await assetsOf(license)).map(boundsOf)).toEqual([[[0, 5]]])
  })

  test('an asset that comes later has it count as it says, from the next change on and once; a balance is another meter', async () => {
    const product = await newProduct()
    const apply = await newPlans(product.id, { One: [], Two: [], Three: [] })
    const { id, license } = await sold(product)
    await meters.consume(license, 'renders', 8)
    const before = await assetOf(license)
    const body = { productId: product.id, metricName: 'renders', name: 'Rendered', unit: 'frames' }
    const asset = await admin.post('monitored-assets', {
      ...body,
      meteredUsage: { consumptionPeriod: 'Lifetime', usageTiers: denying(10) },
    })
    expect(await meters.usage(license, 'renders')).toMatchObject({ usage: 8, limit: null })
    await apply(id, 'One')
    const taken = { id: before.id, meteredUsageId: before.meteredUsageId, name: 'Rendered', unit: 'frames' }
    expect(await assetOf(license)).toMatchObject({ ...taken, createdAt: before.createdAt })
    expect(await meters.usage(license, 'renders')).toMatchObject({ usage: 8, limit: 10, periodStart: null })
    await must(admin.at('PATCH', `monitored-assets/${asset.id}`, { name: 'Later', meteredUsage: { usageTiers: [] } }))
    await apply(id, 'Two')
    expect(await assetOf(license)).toMatchObject(taken)
    expect(await meters.usage(license, 'renders')).toMatchObject({ usage: 8, limit: 10 })

    const other = await newProduct()
    const applyOther = await newPlans(other.id, { One: [] })
    const credited = await sold(other)
    await meters.consume(credited.license, 'renders', 8)
    await admin.post('monitored-assets', {
      ...{ productId: other.id, metricName: 'renders', name: 'Credits' },
      balanceUsage: { initialCreditAmount: 50 },
    })
    await applyOther(credited.id, 'One')
    expect(await assetsOf(credited.license)).toMatchObject([{ name: 'Credits', meteredUsage: null }])
    expect(await meters.consume(credited.license, 'renders', 20)).toMatchObject({ allowed: true })
    expect(await meters.usage(credited.license, 'renders')).toMatchObject({ usage: 20, limit: 50 })
  })

  test('it tells of its levels, takes what is uploaded, and is in the reports', async () => {
    const product = await newProduct()
    const apply = await newPlans(product.id, {
      Tiered: [{ featureCode: 'RENDERS', enforcementType: 'TieredAbsolute', usageTiers: denying(10) }],
    })
    const { id, license } = await sold(product)
    await apply(id, 'Tiered')
    const record = {
      ...{ transactionId: 1, creationDateTime: new Date().toISOString(), eventName: 'UsageReported' },
      eventData: JSON.stringify({ metricName: 'renders', amount: 12 }),
    }
    const path = `usage/sessions/${license.session.id}/transactions`
    const uploaded = await must(meters.devices.at('POST', path, { body: [record], token: license.token }))
    expect(uploaded).toMatchObject({ processed: 1, rejected: [] })
    expect(await levelEventsOf(id)).toMatchObject([{ metricName: 'renders', level: 'Normal' }, { level: 'Critical' }])
    const { metrics } = await must(server.api('GET', '/api/v1/provision/admin/reports/usage'))
    const { productCode } = product
    expect(metrics.filter((line: Json) => line.productCode === productCode)).toMatchObject([
      { metricName: 'renders', kind: 'Metered', entitlements: 1, usage: 12 },
    ])
  })
})
