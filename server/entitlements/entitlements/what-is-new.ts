import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { broughtIn } from '../plans/layering.ts'
import { openMissingMeters } from '../plans/meter-keeping.ts'
import { loadCopiedProducts } from './copied-products.ts'
import { copyFeatures } from './copying.ts'
import { lockEntitlement } from './loading.ts'
import { saveEntitlement } from './saving.ts'
import { readLayers, readOwnFeatures, type StoredFeature } from './stored.ts'

/** Gives an entitlement what a product of it has got since it was attached: features and metrics. What it has stays as it is. */
export async function bringWhatIsNew(context: WriteContext, id: string, productId: string): Promise<void> {
  const cause = causeOf(context)
  const before = await lockEntitlement(cause.tx, cause.tenantId, id)
  requireRevision(context, before.revision_number)
  const own = readOwnFeatures(before)
  const known = new Set(own.flatMap((feature) => (feature.productId === productId ? [feature.featureCode] : [])))
  const product = (await loadCopiedProducts(cause.tx, cause.tenantId, [productId])).get(productId)!
  // What plan or add-ons brought is had already, with all that was given of it by hand.
  const isOfProduct = (feature: StoredFeature) =>
    feature.productId === productId && product.attached.has(feature.featureCode)
  const brought = broughtIn(readLayers(before)).filter(isOfProduct)
  const idOf = new Map(brought.map(({ featureCode, id }) => [featureCode, id]))
  const come = copyFeatures(product, brought, newId)
    .filter(({ featureCode }) => !known.has(featureCode))
    .map((feature) => ({ ...feature, id: idOf.get(feature.featureCode) ?? feature.id }))
  if (come.length === 0) return openMissingMeters(cause, before)
  await saveEntitlement(cause, { ...before, own_features: JSON.stringify([...own, ...come]) }, before)
}
