import { checkEnumValue } from '../../../catalog-schema/rules/feature-values.ts'
import { refuseErrors } from '../../catalog/records/judging.ts'
import { newId } from '../../kit/ids.ts'
import type { Cause } from '../../kit/outbox.ts'
import { invalid } from '../../kit/problem.ts'
import { type GivenProduct, givenIds, idOfGiven } from '../offers/given-products.ts'
import type { StoredOfferProduct } from '../offers/items.ts'
import { identityOf, layered } from '../plans/layering.ts'
import { loadCopiedProducts } from './copied-products.ts'
import { type CopiedProduct, copyFeature, copyFeatures } from './copying.ts'
import { editFeatures, type FeatureEdit, type PlacedEdit } from './editing-features.ts'
import { licensedProductIds } from './licensed-products.ts'
import type { EntitlementRow } from './loading.ts'
import { readLayers, readOwnFeatures } from './stored.ts'

interface Given {
  products?: unknown
  features?: unknown
}

/** A feature as a request changes it: without a product, that of the only one which has it. */
export type GivenFeature = Omit<FeatureEdit, 'productId'> & { productId?: string }

/** What a request makes of an entitlement's products: the features of those that come are copied, the features of those that go go along. */
export async function draftProducts(
  { tx, tenantId }: Cause,
  row: EntitlementRow,
  given: Given,
): Promise<Partial<EntitlementRow>> {
  if (!given.products) return {}
  const held = licensedProductIds(row)
  const productIds = givenIds(given.products)
  const staying = new Set(productIds)
  const kept = readOwnFeatures(row).filter(({ productId }) => staying.has(productId))
  const coming = await loadCopiedProducts(
    tx,
    tenantId,
    productIds.filter((id) => !held.includes(id)),
  )
  const copied = productIds.flatMap((id) => {
    const product = coming.get(id)
    return product ? copyFeatures(product, [], newId) : []
  })
  return {
    products: JSON.stringify(productIds.map((productId): StoredOfferProduct => ({ productId, features: [] }))),
    own_features: JSON.stringify([...kept, ...copied]),
  }
}

/** What a request makes of the features of an entitlement; throws the validation problem for those that cannot be as it says. */
export async function draftFeatures(
  { tx, tenantId }: Cause,
  row: EntitlementRow,
  given: Given,
): Promise<Partial<EntitlementRow>> {
  const placed = placedEdits(given)
  if (placed.length === 0) return {}
  const held = licensedProductIds(row)
  const features = { own: readOwnFeatures(row), layers: readLayers(row) }
  const effective = layered(features.own, features.layers, held)
  const byCode = Map.groupBy(effective, ({ featureCode }) => featureCode)
  const edits = placed.map((edit) => ({ ...edit, productId: edit.productId ?? onlyProduct(edit, byCode, held) }))
  const strangers = edits.filter(({ productId }) => !held.includes(productId))
  const message = 'the entitlement has no such product'
  refuseErrors(strangers.map(({ pointer }) => ({ pointer: `${pointer}/productId`, message })))
  const values = new Map(effective.map((feature) => [identityOf(feature), feature.value]))
  const products = await loadCopiedProducts(tx, tenantId, [...new Set(edits.map(({ productId }) => productId))])
  const { own, layers, errors } = editFeatures(
    features,
    edits,
    (edit) => values.get(identityOf(edit)),
    ({ productId, featureCode }) => {
      const product = products.get(productId)
      return product && copyFeature(product, featureCode, newId)
    },
  )
  refuseErrors([...errors, ...edits.flatMap((edit) => optionErrors(edit, products.get(edit.productId)))])
  return { own_features: JSON.stringify(own), layers: row.layers && JSON.stringify(layers) }
}

type PlacedFeature = GivenFeature & { pointer: string }

/** The product of a feature that is changed by its code alone; throws where that does not say which. */
function onlyProduct(
  { featureCode, pointer }: PlacedFeature,
  byCode: ReadonlyMap<string, readonly { productId: string }[]>,
  held: readonly string[],
): string {
  const having = byCode.get(featureCode)?.map(({ productId }) => productId)
  const [productId, another] = having ?? held
  if (productId !== undefined && another === undefined) return productId
  throw invalid([{ pointer: `${pointer}/productId`, message: `say whose feature "${featureCode}" is meant` }])
}

/** What a request changes of features, with the products that it gives and beside them. */
function placedEdits({ products, features }: Given): PlacedFeature[] {
  const ofProducts = ((products ?? []) as GivenProduct[]).flatMap((product, index) =>
    (product.features ?? []).map((feature, place) => ({
      ...(feature as FeatureEdit),
      productId: idOfGiven(product),
      pointer: `/products/${index}/features/${place}`,
    })),
  )
  const beside = ((features ?? []) as GivenFeature[]).map((feature, place) => ({
    ...feature,
    productId: feature.productId?.toLowerCase(),
    pointer: `/features/${place}`,
  }))
  return [...ofProducts, ...beside]
}

/** What is wrong with a value given for an Enumeration: it is none of the options. */
function optionErrors({ featureCode, value, pointer }: PlacedEdit, product: CopiedProduct | undefined) {
  const feature = product?.entries.get(featureCode) ?? product?.attached.get(featureCode)
  if (!feature || value === undefined) return []
  return checkEnumValue(feature, value, `${pointer}/value`).map(({ path, message }) => ({ pointer: path, message }))
}
