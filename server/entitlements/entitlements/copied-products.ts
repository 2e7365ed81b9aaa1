import type { OfferFeature } from '../../../catalog-schema/offer.ts'
import { listAttachedFeatures } from '../../catalog/products/attached-features.ts'
import { listEntriesOf } from '../../catalog/records/entries-of.ts'
import type { Readable } from '../../database/database.ts'
import { newId } from '../../kit/ids.ts'
import { readProducts, type StoredOfferProduct } from '../offers/items.ts'
import { type CopiedProduct, copyFeature, copyFeatures } from './copying.ts'
import { licensedProductIds } from './licensed-products.ts'
import type { EntitlementRow } from './loading.ts'
import { readOwnFeatures, type StoredFeature } from './stored.ts'

/** What features are copied from, of each of these products by id; a product that nobody has is left out. */
export async function loadCopiedProducts(
  readable: Readable,
  tenantId: string,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, CopiedProduct>> {
  const attachedOf = await listAttachedFeatures(readable, tenantId, productIds)
  const entriesOf = Map.groupBy(await listEntriesOf(readable, tenantId, productIds), ({ productId }) => productId)
  return new Map(
    [...attachedOf].map(([productId, attached]) => [
      productId,
      { productId, attached: byCode(attached), entries: byCode(entriesOf.get(productId) ?? []) },
    ]),
  )
}

/** The products of an offer, and their features with its values, as an entitlement holds them. */
export async function copyOffered(readable: Readable, tenantId: string, offer: Pick<EntitlementRow, 'products'>) {
  const products = readProducts(offer)
  const productIds = products.map(({ productId }) => productId)
  const copied = await loadCopiedProducts(readable, tenantId, productIds)
  const features = products.flatMap(({ productId, features: offered }) => {
    const product = copied.get(productId)
    return product ? copyFeatures(product, offered, newId) : []
  })
  return {
    products: JSON.stringify(productIds.map((productId): StoredOfferProduct => ({ productId, features: [] }))),
    own_features: JSON.stringify(features),
  }
}

/** The products of an entitlement that are there, as an offer holds them: with those of its own features that are otherwise than a new entitlement would have them. */
export async function offerOwn(readable: Readable, tenantId: string, row: EntitlementRow): Promise<string> {
  const own = readOwnFeatures(row)
  const productIds = licensedProductIds(row)
  const copied = await loadCopiedProducts(readable, tenantId, productIds)
  return JSON.stringify(
    [...copied.values()].map((product): StoredOfferProduct => {
      const held = own.filter(({ productId }) => productId === product.productId)
      return { productId: product.productId, features: held.flatMap((feature) => offerFeature(product, feature)) }
    }),
  )
}

/** A feature as an offer sets it; nothing where an entitlement has it so anyway, or the catalog has it no more. */
function offerFeature(product: CopiedProduct, feature: StoredFeature): OfferFeature[] {
  const { featureCode, value, version, isEnabled, featureExpiration } = feature
  const plain = copyFeature(product, featureCode, newId)
  if (!plain) return []
  const isPlain =
    product.attached.has(featureCode) &&
    plain.value === value &&
    plain.version === version &&
    plain.isEnabled === isEnabled &&
    plain.featureExpiration === featureExpiration
  return isPlain ? [] : [{ featureCode, value, version, isEnabled, featureExpiration }]
}

const byCode = <F extends { featureCode: string }>(features: readonly F[]) =>
  new Map(features.map((feature) => [feature.featureCode, feature]))
