import type { Static } from 'typebox'
import { toWire as productsToWire } from '../../catalog/products/wire.ts'
import { listEntriesOf } from '../../catalog/records/entries-of.ts'
import { tagsOf } from '../../catalog/records/tagging.ts'
import type { Readable } from '../../database/database.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { tailOf } from '../../kit/records/answers.ts'
import { fromColumns } from '../../kit/records/columns.ts'
import { findRecord, readRecords } from '../../kit/records/store.ts'
import { listMeterIds, meterKey } from '../../metering/meters/identities.ts'
import { readProducts } from '../offers/items.ts'
import { toWire as offersToWire, ownFieldsOf } from '../offers/wire.ts'
import type { EntitlementRecord } from './contract.ts'
import { type HolderFields, holderStorage, type StandingFields, standingStorage } from './fields.ts'
import type { EntitlementRow } from './loading.ts'
import { readFeatures, readLayers, type StoredFeature } from './stored.ts'

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
  return rows.map((row) => ({
    ...answered.get(row.id)!,
    ...(fromColumns(holderStorage, row, {}) as HolderFields),
    ...(fromColumns(standingStorage, row, {}) as StandingFields),
    addOns: readLayers(row).addOns.map(({ addOnId, code, name }) => ({ addOnId, code, name })),
  }))
}

/** What entitlements that somebody holds are answered with of what offers have too. */
async function heldToWire(readable: Readable, tenantId: string, rows: readonly EntitlementRow[]) {
  if (rows.length === 0) return []
  const tags = await tagsOf(
    readable,
    tenantId,
    rows.map(({ id }) => id),
  )
  const productIds = [...new Set(rows.flatMap(readProducts).map(({ productId }) => productId))]
  const products = await productsToWire(
    readable,
    tenantId,
    await readRecords(readable, 'products', tenantId, productIds),
  )
  const productOf = new Map(products.map((product) => [product.id, product]))
  const entries = await listEntriesOf(readable, tenantId, productIds)
  const lifecycleOf = new Map(
    entries.map(({ productId, featureCode, lifecycleStatus }) => [`${productId} ${featureCode}`, lifecycleStatus]),
  )
  const meterIds = await listMeterIds(
    readable,
    tenantId,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    ...ownFieldsOf(row, tags.get(row.id) ?? []),
    products: readProducts(row).flatMap(({ productId }) => productOf.get(productId) ?? []),
    features: readFeatures(row).map((feature) =>
      featureToWire(
        feature,
        meterIds.get(meterKey(row.id, feature.productId, feature.usageMetric)) ?? null,
        lifecycleOf.get(`${feature.productId} ${feature.featureCode}`) ?? null,
      ),
    ),
    ...tailOf(row),
  }))
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
  const row = await findRecord(readable, 'entitlements', tenantId, id)
  if (!row) throw recordNotFound('entitlement')
  return (await toWire(readable, tenantId, [row]))[0]!
}
