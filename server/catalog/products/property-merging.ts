import type { Product } from '../../../catalog-schema/product.ts'
import { invalid } from '../../kit/problem.ts'

type Properties = Product['propertyValues']
export type GivenProperties = Record<string, Partial<Properties[string]>>

/** The most properties that a product has. */
const mostProperties = 1000

/** The properties of a product with those that are given merged in, by name and field by field, as an import merges them. */
export function mergeProperties(before: Properties, given: GivenProperties): GivenProperties {
  const merged = new Map<string, GivenProperties[string]>(Object.entries(before))
  for (const [name, value] of Object.entries(given)) merged.set(name, { ...merged.get(name), ...value })
  if (merged.size > mostProperties)
    throw invalid([{ pointer: '/propertyValues', message: `a product has at most ${mostProperties} properties` }])
  return Object.fromEntries(merged)
}
