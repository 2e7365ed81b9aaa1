import type { Product } from '../../../catalog-schema/product.ts'
import { type ProductFeature, productFields } from '../../../catalog-schema/product.ts'
import type { Readable } from '../../database/database.ts'
import { toInstant } from '../../kit/instants.ts'
import { tailOf } from '../../kit/records/answers.ts'
import { fromColumns, storedFields } from '../../kit/records/columns.ts'
import { getRecord } from '../../kit/records/store.ts'
import { toWire as metricsToWire } from '../metrics/wire.ts'
import { type EntryStanding, listEntriesOf } from '../records/entries-of.ts'
import { listMetricsOf } from '../records/metrics-of.ts'
import { tagsOf } from '../records/tagging.ts'
import { asCatalogued } from './catalogued-features.ts'
import type { StoredFeature } from './feature-ids.ts'
import { type ProductRow, readStoredFeatures } from './items.ts'

const storage = storedFields(productFields, ['features'])
type OwnFields = Omit<
  Product,
  'productCode' | 'productVersion' | 'features' | 'parentProductCode' | 'parentProductVersion'
>

/** Products as they are answered, with their features and what is metered of them. */
export async function toWire(readable: Readable, tenantId: string, rows: readonly ProductRow[]) {
  const ids = rows.map(({ id }) => id)
  const tags = await tagsOf(readable, tenantId, ids)
  const assets = await assetsOf(readable, tenantId, ids)
  const entries = await listEntriesOf(readable, tenantId, ids)
  const entryOf = new Map(entries.map((entry) => [`${entry.productId} ${entry.featureCode}`, entry]))
  return rows.map((row) => {
    const monitoredAssets = assets.get(row.id) ?? []
    return {
      id: row.id,
      providerId: row.tenant_id,
      productCode: row.product_code,
      productVersion: row.product_version,
      ...(fromColumns(storage, row, { tags: tags.get(row.id) ?? [] }) as unknown as OwnFields),
      parentProductId: row.parent_product_id,
      features: readStoredFeatures(row).map((feature) =>
        featureToWire(feature, entryOf.get(`${row.id} ${feature.featureCode}`)),
      ),
      monitoredAssets,
      metrics: monitoredAssets.map(simpleMetric),
      ...tailOf(row),
    }
  })
}

/** One product as it is answered; throws the not-found problem. */
export async function answerProduct(readable: Readable, tenantId: string, id: string) {
  return (await toWire(readable, tenantId, [await getRecord(readable, 'products', tenantId, id, 'product')]))[0]!
}

function featureToWire(stored: StoredFeature, entry: EntryStanding | undefined) {
  const { id, createdAt, updatedAt, revisionNumber, ...feature } = stored
  return {
    id,
    featureCatalogId: entry?.id ?? null,
    ...asCatalogued<ProductFeature>(feature, entry),
    isDeleted: false,
    creationTimeStamp: toInstant(createdAt),
    lastUpdateTimeStamp: toInstant(updatedAt),
    revisionNumber,
  }
}

type Asset = Awaited<ReturnType<typeof metricsToWire>>[number]

/** A product with these monitored assets in place of the catalog's: those that an entitlement of it meters with. */
export const withAssets = <P extends object>(product: P, assets: Asset[]) => ({
  ...product,
  monitoredAssets: assets,
  metrics: assets.map(simpleMetric),
})

const simpleMetric = (asset: Asset) => {
  const { id, productId, metricName, name, description, metricType, unit, category, numberFormat } = asset
  return { id, productId, metricName, name, description, metricType, unit, category, numberFormat }
}

async function assetsOf(readable: Readable, tenantId: string, productIds: readonly string[]) {
  const assets = new Map<string, Asset[]>()
  const rows = await listMetricsOf(readable, tenantId, productIds)
  for (const asset of await metricsToWire(readable, tenantId, rows))
    assets.set(asset.productId, [...(assets.get(asset.productId) ?? []), asset])
  return assets
}
