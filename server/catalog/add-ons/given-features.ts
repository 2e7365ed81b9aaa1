import type { FieldError } from '../../kit/problem.ts'

/**
 * A feature as a request names it: by the id of its catalog entry, beside which its code and product may stand, or by code
 * and, where need be, product.
 */
export interface GivenFeature {
  id?: string | null
  featureCode?: string | null
  productId?: string | null
}

/** A catalog entry of one of the suite's products. */
export interface SuiteFeature {
  id: string
  productId: string
  featureCode: string
}

/** The catalog entries that a request names, in its order; what names none of the suite's, or more than one, is an error at its place. */
export function findGivenFeatures(
  given: readonly GivenFeature[],
  entries: readonly SuiteFeature[],
): { features: SuiteFeature[]; errors: FieldError[] } {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const byCode = Map.groupBy(entries, ({ featureCode }) => featureCode)
  const errors: FieldError[] = []
  const seen = new Set<string>()
  const features = given.flatMap(({ id, featureCode, productId }, index) => {
    const refuse = (field: string, message: string) => {
      errors.push({ pointer: `/features/${index}${field}`, message })
      return []
    }
    if (typeof id !== 'string' && !featureCode)
      return refuse('', 'name the feature by id, or by featureCode and productId')
    const named =
      typeof id === 'string'
        ? [byId.get(id.toLowerCase())].filter((entry) => entry !== undefined)
        : (byCode.get(featureCode!) ?? []).filter(
            (entry) => typeof productId !== 'string' || entry.productId === productId.toLowerCase(),
          )
    const field = typeof id === 'string' ? '/id' : '/featureCode'
    const [entry] = named
    if (!entry) return refuse(field, 'no product of the suite has such a feature in its catalog')
    if (named.length > 1) return refuse(field, 'more than one product of the suite has it: say productId too')
    if (typeof featureCode === 'string' && featureCode !== entry.featureCode)
      return refuse('/featureCode', 'is not that of the feature named by id')
    if (typeof productId === 'string' && productId.toLowerCase() !== entry.productId)
      return refuse('/productId', 'is not that of the feature named by id')
    if (seen.has(entry.id)) return refuse(field, 'this feature stands in the list already')
    seen.add(entry.id)
    return [entry]
  })
  return { features, errors }
}
