import type { Static } from 'typebox'
import { toWire as productsToWire, withAssets } from '../../catalog/products/wire.ts'
import { listEntriesOf } from '../../catalog/records/entries-of.ts'
import { tagsOf } from '../../catalog/records/tagging.ts'
import type { Readable } from '../../database/database.ts'
import { tailOf } from '../../kit/records/answers.ts'
import { readRecords } from '../../kit/records/store.ts'
import { listAssetsOf } from '../../metering/meters/assets.ts'
import { readProducts } from '../offers/items.ts'
import { toWire as offersToWire, ownFieldsOf } from '../offers/wire.ts'
import { identityOf } from '../plans/layering.ts'
import type { EntitlementRecord } from './contract.ts'
import { licensedProductIds } from './licensed-products.ts'
import { type EntitlementRow, getEither } from './loading.ts'
import { readFeatures, type StoredFeature } from './stored.ts'

type Wire = Static<typeof EntitlementRecord>
type WireFeature = Wire['features'][number]

/** Entitlements, and offers among them, as they are answered. */
export async function toWire(readable: Readable, tenantId: string, rows: readonly EntitlementRow[]): Promise<Wire[]> {
  const isOffer = (row: EntitlementRow) => row.is_offer === 1
  const offers = await offersToWire(readable, tenantId, rows.filter(isOffer))
  const held = await heldToWire(
    readable,
    tenantId,
    rows.filter((row) => !isOffer(row)),
  )
  const answered = new Map([...offers, ...held].map((one) => [one.id, one]))
  return rows.map((row) => answered.get(row.id)!)
}

/** What entitlements that somebody holds are answered with of what offers have too; the catalog's tags are for the catalog alone. */
async function heldToWire(readable: Readable, tenantId: string, rows: readonly EntitlementRow[]) {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const tags = await tagsOf(readable, tenantId, ids)
  const productIds = [...new Set(rows.flatMap(licensedProductIds))]
  const products = await productsToWire(
    readable,
    tenantId,
    await readRecords(readable, 'products', tenantId, productIds),
  )
  const productOf = new Map(products.map((product) => [product.id, product]))
  const entries = await listEntriesOf(readable, tenantId, productIds)
  const lifecycleOf = new Map(entries.map((entry) => [identityOf(entry), entry.lifecycleStatus]))
  const assets = Map.groupBy(await listAssetsOf(readable, tenantId, ids), ({ entitlementId }) => entitlementId)
  return rows.map((row) => {
    const metered = assets.get(row.id) ?? []
    const assetOf = (feature: StoredFeature) =>
      metered.find((asset) => asset.productId === feature.productId && asset.metricName === feature.usageMetric)
    return {
      ...ownFieldsOf(row, tags.get(row.id) ?? []),
      products: readProducts(row).flatMap(({ productId }) => {
        const product = productOf.get(productId)
        const own = metered.filter((asset) => asset.productId === productId)
        return product ? withAssets({ ...product, tags: [] }, own) : []
      }),
      features: readFeatures(row).map((feature) =>
        featureToWire(feature, assetOf(feature)?.id ?? null, lifecycleOf.get(identityOf(feature)) ?? null),
      ),
      ...tailOf(row),
    }
  })
}

const featureToWire = (
  feature: StoredFeature,
  meteredAssetId: string | null,
  catalogLifecycleStatus: string | null,
): WireFeature => ({
  id: feature.id,
  featureCode: feature.featureCode,
  productId: feature.productId,
  moduleName: feature.moduleName,
  featurePath: feature.featurePath,
  name: feature.name,
  description: feature.description,
  value: feature.value,
  version: feature.version,
  isEnabled: feature.isEnabled,
  isAvailableDuringTrialPeriod: feature.isAvailableDuringTrialPeriod,
  isAvailableDuringGracePeriod: feature.isAvailableDuringGracePeriod,
  isPaidFeature: feature.isPaidFeature,
  canModifyValueOnEntitlement: feature.canModifyValueOnEntitlement,
  meteredAssetId,
  featureExpiration: feature.featureExpiration,
  catalogLifecycleStatus: catalogLifecycleStatus as WireFeature['catalogLifecycleStatus'],
})

/** One entitlement, or offer, as it is answered; throws the not-found problem. */
export async function answerEntitlement(readable: Readable, tenantId: string, id: string): Promise<Wire> {
  return (await toWire(readable, tenantId, [await getEither(readable, tenantId, id)]))[0]!
}
