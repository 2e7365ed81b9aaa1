import { sameValue } from '../../../catalog-schema/form.ts'
import type { ProductFeature } from '../../../catalog-schema/product.ts'

/** A feature of a product as it is stored: the feature, and what its record has beside it. */
export interface StoredFeature extends ProductFeature {
  id: string
  createdAt: number
  updatedAt: number
  revisionNumber: number
}

/** The features without what only their records have. */
export const toItemFeatures = (stored: readonly StoredFeature[]): ProductFeature[] =>
  stored.map(({ id: _id, createdAt: _created, updatedAt: _updated, revisionNumber: _revision, ...feature }) => feature)

/** The features as they are stored: one whose code is known keeps its id, and one that changed moves its revision on. */
export function toStoredFeatures(
  features: readonly ProductFeature[],
  before: readonly StoredFeature[],
  now: number,
  newId: () => string,
): StoredFeature[] {
  const known = new Map(before.map((feature) => [feature.featureCode, feature]))
  return features.map((feature) => {
    const stored = known.get(feature.featureCode)
    if (!stored) return { ...feature, id: newId(), createdAt: now, updatedAt: now, revisionNumber: 1 }
    const { id, createdAt, updatedAt, revisionNumber } = stored
    const isSame = sameValue(feature, toItemFeatures([stored])[0])
    return {
      ...feature,
      id,
      createdAt,
      updatedAt: isSame ? updatedAt : now,
      revisionNumber: isSame ? revisionNumber : revisionNumber + 1,
    }
  })
}
