import { keyText, productText } from '../keys.ts'
import type { ProductFeature } from '../product.ts'
import type { ValuedFeature } from './feature-values.ts'
import type { Surroundings } from './rule.ts'

/** A feature by its code and its product: by name, or as `text` the product is named in key strings. */
export type FeatureName = { featureCode: string } & (
  | { productCode: string; productVersion?: string | null }
  | { text: string }
)

/** The feature under a code: the catalog's entry, or the one attached to the product. */
export function findFeature(around: Pick<Surroundings, 'find'>, name: FeatureName): ValuedFeature | undefined {
  const product = 'text' in name ? name.text : productText(name)
  const entry = around.find('feature', `feature:${product}/${keyText(name.featureCode)}`)
  if (entry) return entry as unknown as ValuedFeature
  const owner = around.find('product', `product:${product}`) as { features?: ProductFeature[] } | undefined
  return owner?.features?.find((feature) => feature.featureCode === name.featureCode)
}
