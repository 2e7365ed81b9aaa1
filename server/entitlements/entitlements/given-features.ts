import { checkEnumValue } from '../../../catalog-schema/rules/feature-values.ts'
import { refuseErrors } from '../../catalog/records/judging.ts'
import { newId } from '../../kit/ids.ts'
import type { Cause } from '../../kit/outbox.ts'
import { type GivenProduct, givenIds } from '../offers/given-products.ts'
import { readProducts, type StoredOfferProduct } from '../offers/items.ts'
import { loadCopiedProducts } from './copied-products.ts'
import { type CopiedProduct, copyFeature, copyFeatures } from './copying.ts'
import { editFeatures, type FeatureEdit, type PlacedEdit } from './editing-features.ts'
import type { EntitlementRow } from './loading.ts'
import { readFeatures, readLayers, readOwnFeatures } from './stored.ts'

interface Given {
  products?: unknown
  features?: unknown
}

/** What a request makes of an entitlement's products and of its features; throws the validation problem for features that cannot be as it says. */
export async function draftFeatures(
  { tx, tenantId }: Cause,
  row: EntitlementRow,
  given: Given,
): Promise<Partial<EntitlementRow>> {
  if (!given.products && !given.features) return {}
  const held = readProducts(row).map(({ productId }) => productId)
  const productIds = given.products ? givenIds(given.products) : held
  const edits = placedEdits(given)
  refuseErrors(
    edits
      .filter(({ productId }) => !productIds.includes(productId))
      .map(({ pointer }) => ({ pointer: `${pointer}/productId`, message: 'the entitlement has no such product' })),
  )
  const copied = await loadCopiedProducts(tx, tenantId, productIds)
  const kept = readOwnFeatures(row).filter(({ productId }) => productIds.includes(productId))
  const added = productIds.filter((id) => !held.includes(id)).map((id) => copied.get(id)!)
  const effective = new Map(readFeatures(row).map((feature) => [identityOf(feature), feature.value]))
  const { own, layers, errors } = editFeatures(
    { own: [...kept, ...added.flatMap((product) => copyFeatures(product, [], newId))], layers: readLayers(row) },
    edits,
    (edit) => effective.get(identityOf(edit)),
    (productId, featureCode) => {
      const product = copied.get(productId)
      return product && copyFeature(product, featureCode, newId)
    },
  )
  refuseErrors([...errors, ...edits.flatMap((edit) => optionErrors(edit, copied.get(edit.productId)))])
  return {
    products: JSON.stringify(productIds.map((productId): StoredOfferProduct => ({ productId, features: [] }))),
    own_features: JSON.stringify(own),
    layers: row.layers && JSON.stringify(layers),
  }
}

const identityOf = ({ productId, featureCode }: { productId: string; featureCode: string }) =>
  `${productId} ${featureCode}`

/** What a request changes of features, with the products that it gives and beside them. */
function placedEdits({ products, features }: Given): PlacedEdit[] {
  const ofProducts = ((products ?? []) as GivenProduct[]).flatMap((product, index) =>
    (product.features ?? []).map((feature, place) => ({
      ...(feature as FeatureEdit),
      productId: product.productId.toLowerCase(),
      pointer: `/products/${index}/features/${place}`,
    })),
  )
  const beside = ((features ?? []) as FeatureEdit[]).map((feature, place) => ({
    ...feature,
    productId: feature.productId.toLowerCase(),
    pointer: `/features/${place}`,
  }))
  return [...ofProducts, ...beside]
}

/** What is wrong with a value given for an Enumeration: it is none of the options. */
function optionErrors({ featureCode, value, pointer }: PlacedEdit, product: CopiedProduct | undefined) {
  const isMeant = (one: { featureCode: string }) => one.featureCode === featureCode
  const feature = product?.entries.find(isMeant) ?? product?.attached.find(isMeant)
  if (!feature || value === undefined) return []
  return checkEnumValue(feature, value, `${pointer}/value`).map(({ path, message }) => ({ pointer: path, message }))
}
