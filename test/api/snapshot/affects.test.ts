import { beforeAll, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, type ReportedItem, wholeCatalog } from './scene.ts'

type Json = ReturnType<typeof JSON.parse>

/** A field of each section's items that is no key. */
const changed = {
  products: 'description',
  featureCatalog: 'name',
  monitoredAssets: 'description',
  suites: 'description',
  plans: 'description',
  addOns: 'description',
  entitlementOffers: 'description',
}

/** The whole catalog with a change of every item. */
function edited() {
  const snapshot = structuredClone(wholeCatalog()) as unknown as Record<string, Json[]>
  for (const [section, field] of Object.entries(changed)) for (const item of snapshot[section]!) item[field] = 'edited'
  return snapshot
}

const affects = ({ items }: Json): Record<string, number | undefined> =>
  Object.fromEntries(items.map(({ key, affects: touched }: ReportedItem) => [key, touched?.entitlements]))

forEachStore((store) => {
  const server = serveTests(store)
  const catalog = catalogOf(server)
  const post = async (path: string, body?: object) => bodyOf(await catalog.admin('POST', path, body))
  const firstOf = async (path: string) => bodyOf(await catalog.admin('GET', path)).items[0]
  const compare = async (snapshot: object, query?: string) =>
    affects(bodyOf(await catalog.compare(snapshot, { query })))

  /** A clone of the offer, taken these steps. */
  const sell = async (...steps: string[]) => {
    const offer = await firstOf('entitlements/offers')
    const { entitlement } = await post('entitlements/offers/from-offer', { entitlementOfferId: offer.id })
    for (const step of steps) await post(`entitlements/${entitlement.id}/${step}`)
  }

  beforeAll(async () => {
    bodyOf(await catalog.import(wholeCatalog()))
  })

  test('a change touches the live entitlements that have what it changes, or came from it', async () => {
    expect(new Set(Object.values(await compare(edited())))).toEqual(new Set([0, undefined]))
    const addOn = await firstOf('add-ons')
    await post(`add-ons/${addOn.id}/publish`)
    await sell()
    await sell('activate')
    await sell('activate', `add-ons/${addOn.id}`)
    await sell('activate', 'suspend')
    await sell('activate', `add-ons/${addOn.id}`, 'cancel')
    const snapshot = edited()
    snapshot.addOns![0]!.status = 'Published'
    expect(await compare(snapshot)).toEqual({
      'product:ACME-CAD@2.0': 3,
      'product:ACME-VIEW': 0,
      'product:ACME-ADDIN': 0,
      'feature:ACME-CAD@2.0/EXPORT_STEP': 3,
      'feature:ACME-CAD@2.0/SEATS': 3,
      'feature:ACME-CAD@2.0/SIZE': 3,
      'metric:ACME-CAD@2.0/export-step': 3,
      'suite:ACME-DESIGN': undefined,
      'plan-set:ACME-DESIGN/Standard': 3,
      'plan-set:ACME-CAD@2.0/Alone': 0,
      'add-on:RENDER-PACK': 1,
      'offer:CAD Team@1': 3,
    })
    const report = bodyOf(await catalog.import(snapshot))
    expect(affects(report)['product:ACME-CAD@2.0']).toBe(3)
    const kept = bodyOf(await catalog.imports(`/${report.importId}`)).report
    expect(affects(kept)).toEqual(affects(report))
  })

  test('what is new, or stays as it is, touches none', async () => {
    const snapshot = {
      formatVersion: '1.0',
      featureCatalog: [{ productCode: 'ACME-CAD', productVersion: '2.0', featureCode: 'NEW', featureType: 'Boolean' }],
    }
    expect(await compare(snapshot)).toEqual({ 'feature:ACME-CAD@2.0/NEW': 0 })
    const { entitlementOffers } = wholeCatalog()
    const all = await compare(
      { formatVersion: '1.0', products: edited().products, entitlementOffers },
      '?include=unchanged',
    )
    expect(all['product:ACME-CAD@2.0']).toBe(0)
  })

  test("a neighbour's entitlements are nobody else's", async () => {
    const theirs = catalogOf(server, 'neighbour')
    bodyOf(await theirs.import(wholeCatalog()))
    expect(new Set(Object.values(affects(bodyOf(await theirs.compare(edited())))))).toEqual(new Set([0, undefined]))
  })
})
