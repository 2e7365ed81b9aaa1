import { featureNamesOf } from '../../catalog/features/feature-names.ts'
import type { Readable } from '../../database/database.ts'
import { type FieldError, invalid } from '../../kit/problem.ts'

/** A feature that a campaign asks about. */
export interface Target {
  featureCatalogId: string
  /** Null leaves the words to the application. */
  question: string | null
  /** The lowest is asked first; null comes last, and only once the feature was used. */
  priority: number | null
}

/** A target with what the catalog has of its feature. */
export type NamedTarget = Target & { productId: string; featureCode: string; featureName: string }

/** Targets in the one form in which they are kept: ids in lower case. */
export const canonicalTargets = (targets: readonly Target[]): Target[] =>
  targets.map((target) => ({
    ...target,
    featureCatalogId: target.featureCatalogId.toLowerCase(),
  }))

/** Throws the validation problem for a target that is no entry of the tenant's feature catalog, or that an earlier one names too. */
export async function requireTargets(read: Readable, tenantId: string, targets: readonly Target[]): Promise<void> {
  const ids = targets.map(({ featureCatalogId }) => featureCatalogId)
  const known = await featureNamesOf(read, tenantId, ids)
  const errors = ids.flatMap((id, index): FieldError[] => {
    const pointer = `/targets/${index}/featureCatalogId`
    if (!known.has(id)) return [{ pointer, message: 'there is no such feature catalog entry' }]
    return ids.indexOf(id) < index ? [{ pointer, message: 'the feature is a target already' }] : []
  })
  if (errors.length > 0) throw invalid(errors)
}

/** The targets of each of these campaigns whose features are still there, in their order, an empty question as none. */
export async function nameTargets(
  read: Readable,
  tenantId: string,
  targetsOfEach: readonly (readonly Target[])[],
): Promise<NamedTarget[][]> {
  const ids = new Set(targetsOfEach.flat().map(({ featureCatalogId }) => featureCatalogId))
  const features = await featureNamesOf(read, tenantId, [...ids])
  return targetsOfEach.map((targets) =>
    targets.flatMap((target) => {
      const feature = features.get(target.featureCatalogId)
      if (!feature) return []
      const { productId, featureCode, name } = feature
      return [{ ...target, question: target.question || null, productId, featureCode, featureName: name }]
    }),
  )
}
