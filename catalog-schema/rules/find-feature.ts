import { productText } from '../keys.ts'
import type { Surroundings, ValuedFeature } from './rule.ts'

/** A feature by its code and its product: by name, or as `text` the product is named in key strings. */
export type FeatureName = { featureCode: string } & (
  | { productCode: string; productVersion?: string | null }
  | { text: string }
)

/** The feature under a code: the catalog's entry, or the one attached to the product. */
export const findFeature = (around: Surroundings, name: FeatureName): ValuedFeature | undefined =>
  around.featureOf('text' in name ? name.text : productText(name), name.featureCode)
