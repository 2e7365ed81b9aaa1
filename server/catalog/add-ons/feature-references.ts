import type { CatalogNames, FeatureName } from '../records/names.ts'

/** How a row names a feature that is only attached to its product. */
export const attachedReference = (productId: string, featureCode: string) => `${productId}/${featureCode}`

/** Whether a reference names a feature that had no catalog entry when it was written. */
export const isAttached = (reference: string) => reference.includes('/')

/** The product that an attached feature's reference names. */
export const productOf = (reference: string) => reference.slice(0, reference.indexOf('/'))

/** How an add-on's row names a feature: by the id of its catalog entry, or PRODUCT_ID/CODE when it is only attached to its product. */
export function toReference(name: FeatureName, names: CatalogNames): string {
  return names.findFeatureId(name) ?? attachedReference(names.productId(name), name.featureCode)
}

/** The feature that a row's reference names. */
export function fromReference(reference: string, names: CatalogNames): FeatureName {
  if (!isAttached(reference)) return names.feature(reference)
  const productId = productOf(reference)
  return { ...names.product(productId), featureCode: reference.slice(productId.length + 1) }
}
