import type { Static } from 'typebox'
import { offerFields } from '../../../catalog-schema/offer.ts'
import { toWire as productsToWire } from '../../catalog/products/wire.ts'
import { listEntriesOf } from '../../catalog/records/entries-of.ts'
import { tagsOf } from '../../catalog/records/tagging.ts'
import type { Readable } from '../../database/database.ts'
import { tailOf } from '../../kit/records/answers.ts'
import { fromColumns, storedFields } from '../../kit/records/columns.ts'
import { readRecords } from '../../kit/records/store.ts'
import { type HolderFields, holderStorage, type StandingFields, standingStorage } from '../entitlements/fields.ts'
import { licensedProductIds } from '../entitlements/licensed-products.ts'
import { readLayers } from '../entitlements/stored.ts'
import { withLease } from '../policies/effective.ts'
import type { OfferRecord } from './contract.ts'
import { readProducts, type StoredOfferProduct } from './items.ts'
import { offerFeatures } from './offer-features.ts'
import { getOffer } from './store.ts'
import type { EntitlementRow } from './tables.ts'

type Wire = Static<typeof OfferRecord>
const storage = storedFields(offerFields)

/** Offers as they are answered, with their products and the features of those. */
export async function toWire(readable: Readable, tenantId: string, rows: readonly EntitlementRow[]): Promise<Wire[]> {
  const ids = rows.map(({ id }) => id)
  const tags = await tagsOf(readable, tenantId, ids)
  const viewOf = await productViews(readable, tenantId, rows)
  return rows.map((row) => {
    const products = readProducts(row).flatMap((stored) => viewOf(stored) ?? [])
    return {
      ...ownFieldsOf(row, tags.get(row.id) ?? []),
      products: products.map(({ product }) => product),
      features: products.flatMap(({ features }) => features) as Wire['features'],
      ...tailOf(row),
    }
  })
}

/** What an offer or entitlement is answered with of its own row, before its products. */
export function ownFieldsOf(row: EntitlementRow, tags: readonly string[]) {
  const fields = fromColumns(storage, row, { tags }) as Pick<Wire, keyof typeof offerFields>
  return {
    id: row.id,
    ...fields,
    licensePolicy: fields.licensePolicy && withLease(fields.licensePolicy),
    isOffer: row.is_offer === 1,
    status: row.status as Wire['status'],
    assignedPlanSetId: row.assigned_plan_set_id,
    assignedPlanName: row.assigned_plan_name,
    ...(fromColumns(holderStorage, row, {}) as HolderFields),
    ...(fromColumns(standingStorage, row, {}) as StandingFields),
    addOns: readLayers(row).addOns.map(({ addOnId, code, name }) => ({ addOnId, code, name })),
  }
}

/** Answers what an offer shows of a product: the product's record, and its features with the offer's own values. */
async function productViews(readable: Readable, tenantId: string, rows: readonly EntitlementRow[]) {
  const ids = [...new Set(rows.flatMap(licensedProductIds))]
  const products = await productsToWire(readable, tenantId, await readRecords(readable, 'products', tenantId, ids))
  const productOf = new Map(products.map((product) => [product.id, product]))
  const entriesOf = Map.groupBy(await listEntriesOf(readable, tenantId, ids), ({ productId }) => productId)
  return ({ productId, features: own }: StoredOfferProduct) => {
    const product = productOf.get(productId)
    if (!product) return undefined
    const { features: attached, monitoredAssets: assets } = product
    const entries = entriesOf.get(productId) ?? []
    return { product, features: offerFeatures({ productId, attached, entries, assets, own }) }
  }
}

/** One offer as it is answered; throws the not-found problem. */
export async function answerOffer(readable: Readable, tenantId: string, id: string): Promise<Wire> {
  return (await toWire(readable, tenantId, [await getOffer(readable, tenantId, id)]))[0]!
}
