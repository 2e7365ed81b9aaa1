import { beforeAll } from 'vitest'
import type { TestServer } from '../../support/server.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'
import { adminOf } from '../catalog/things-to-sell.ts'
import { databaseBeside } from './coded-entitlements.ts'

type Json = ReturnType<typeof JSON.parse>

/** What entitlements of a block are about: made once, and left as it is. */
interface PlannedCatalog {
  cad: Json
  viewer: Json
  suite: Json
  /** A Published set with the plans Free, Pro and Suite; the last includes the viewer. */
  set: Json
}

const tiers = [
  { startUsage: 0, endUsage: 100, name: 'Included' },
  { startUsage: 100, endUsage: null, quotaUsagePolicy: 'Deny' },
]

/** A server's entitlements on plans, through its API. */
export function plannedEntitlements(server: TestServer) {
  const admin = adminOf(server)
  const beside = databaseBeside(server)
  const made = {} as PlannedCatalog

  const newCad = (body: object = {}) =>
    admin.newProduct({
      features: [
        { featureCode: 'SEATS', featureType: 'Numeric', value: '3' },
        { featureCode: 'RENDER', featureType: 'Boolean', value: 'true' },
        { featureCode: 'EXPORTS', featureType: 'Metered', usageMetric: 'exports' },
        { featureCode: 'CREDITS', featureType: 'Metered', usageMetric: 'credits' },
      ],
      ...body,
    })

  const plansOf = (cad: string, viewer: string) => [
    {
      name: 'Free',
      lineItems: [
        {
          productId: cad,
          featureValues: [
            { featureCode: 'SEATS', value: '1' },
            { featureCode: 'RENDER', enforcementType: 'NotIncluded' },
            { featureCode: 'EXPORTS', value: '10' },
          ],
        },
      ],
    },
    {
      name: 'Pro',
      lineItems: [
        {
          productId: cad,
          featureValues: [
            { featureCode: 'SEATS', value: '25' },
            { featureCode: 'EXPORTS', enforcementType: 'TieredAbsolute', usageTiers: tiers },
            { featureCode: 'CREDITS', value: '500' },
            { featureCode: 'SCRIPTS', value: 'true' },
          ],
        },
        { productId: viewer, included: false },
      ],
    },
    { name: 'Suite', lineItems: [{ productId: viewer, featureValues: [{ featureCode: 'PAGES', value: '9' }] }] },
  ]

  beforeAll(async () => {
    made.cad = await newCad()
    made.viewer = await admin.newProduct({ features: [{ featureCode: 'PAGES', featureType: 'Numeric', value: '2' }] })
    await admin.newFeature(made.cad.id, 'SCRIPTS', { featureType: 'Boolean' })
    const [cad, viewer] = [made.cad.id, made.viewer.id]
    const assets = [
      { productId: cad, metricName: 'exports', name: 'Exports', meteredUsage: {} },
      { productId: cad, metricName: 'credits', name: 'Credits', balanceUsage: { initialCreditAmount: 50 } },
      { productId: viewer, metricName: 'pages', name: 'Pages', meteredUsage: { consumptionPeriod: 'Daily' } },
    ]
    for (const asset of assets) await admin.post('monitored-assets', asset)
    made.suite = await admin.newSuite([cad, viewer])
    made.set = await newSet()
  })

  const newSet = async (status = 'Published') => {
    const plans = plansOf(made.cad.id, made.viewer.id)
    const set = await admin.newPlanSet({ suiteId: made.suite.id }, { plans })
    return status === 'Draft' ? set : admin.post(`usage-plans/plan-sets/${set.id}/publish`)
  }

  const newEntitlement = (body: object = {}): Promise<Json> =>
    admin.post('entitlements', {
      name: `Sold ${nextNumber()}`,
      status: 'Active',
      products: [{ productId: made.cad.id }],
      ...body,
    })

  return {
    admin,
    made,
    newCad,
    newSet,
    newEntitlement,
    read: (id: string): Promise<Json> => must(admin.at('GET', `entitlements/${id}`)),
    applyPlan: (id: string, planName: string, planSetId: string = made.set.id, headers: Record<string, string> = {}) =>
      admin.at('POST', `entitlements/${id}/apply-plan`, { planSetId, planName }, headers),
    /** A Published add-on of the suite that changes these features. */
    newAddOn: async (featureValues: object[], body: object = {}): Promise<Json> => {
      const { id } = await admin.post('add-ons', {
        suiteId: made.suite.id,
        code: `PACK-${nextNumber()}`,
        name: 'Pack',
        featureValues,
        ...body,
      })
      return admin.post(`add-ons/${id}/publish`)
    },
    addOn: (method: 'POST' | 'DELETE', id: string, addOnId: string) =>
      admin.at(method, `entitlements/${id}/add-ons/${addOnId}`),
    /** The monitored assets of an entitlement, by metric name. */
    assetsOf: async (id: string): Promise<Record<string, Json>> => {
      const { items } = await must(admin.at('GET', `monitored-assets?filter=entitlementId==${id}`))
      return Object.fromEntries(items.map((asset: Json) => [asset.metricName, asset]))
    },
    /** The data of the events of one type about an entitlement, in their order. */
    eventsOf: async (id: string, type: string): Promise<Json[]> => {
      const rows = await beside.open.read
        .selectFrom('events')
        .select('data')
        .where('entity_id', '=', id)
        .where('type', '=', type)
        .orderBy('id')
        .execute()
      return rows.map(({ data }) => JSON.parse(data))
    },
  }
}

/** What an entitlement has of each feature: its value, and `off` where it is not enabled. */
export const valuesOf = ({ features }: Json): Record<string, unknown> =>
  Object.fromEntries(
    features.map(({ featureCode, value, isEnabled }: Json) => [featureCode, isEnabled ? value : 'off']),
  )

/** The bounds of a monitored asset's tiers. */
export const boundsOf = ({ meteredUsage }: Json) =>
  meteredUsage.usageTiers.map(({ startUsage, endUsage }: Json) => [startUsage, endUsage])
