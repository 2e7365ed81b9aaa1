import type { ProductFeature } from '../../../catalog-schema/product.ts'
import type { FieldError } from '../../kit/problem.ts'
import type { EntryStanding } from '../records/entries-of.ts'
import { refuseErrors } from '../records/judging.ts'

/** A feature of a product as a request gives it: named by code, by its entry of the feature catalog, or by both. */
export type GivenFeature = { [K in keyof ProductFeature]?: ProductFeature[K] | null } & {
  featureCatalogId?: string | null
}

/**
 * The features that a request gives, each named by its code, with what it leaves out as its entry of the product's feature
 * catalog says; throws the validation problem for one that no entry or code names, or whose type is not its entry's.
 */
export function completeFeatures(
  given: readonly GivenFeature[],
  entries: readonly EntryStanding[],
): Partial<ProductFeature>[] {
  const errors: FieldError[] = []
  const completed = given.map(({ featureCatalogId, ...feature }, index) => {
    const entry = entries.find(({ id, featureCode }) =>
      featureCatalogId ? id === featureCatalogId.toLowerCase() : featureCode === feature.featureCode,
    )
    errors.push(...errorsOf({ featureCatalogId, ...feature }, entry, `/features/${index}`))
    return { ...(entry && saidBy(entry)), ...withoutNulls(feature) }
  })
  refuseErrors(errors)
  return completed
}

function errorsOf(
  { featureCatalogId, featureCode, featureType }: GivenFeature,
  entry: EntryStanding | undefined,
  at: string,
): FieldError[] {
  if (!featureCatalogId && !featureCode)
    return [{ pointer: at, message: 'name the feature by featureCode or featureCatalogId' }]
  if (featureCatalogId && !entry)
    return [{ pointer: `${at}/featureCatalogId`, message: 'the feature catalog of this product has no such entry' }]
  if (entry && featureCode && featureCode !== entry.featureCode)
    return [{ pointer: `${at}/featureCatalogId`, message: `that entry has the featureCode "${entry.featureCode}"` }]
  if (entry && featureType && featureType !== entry.featureType)
    return [{ pointer: `${at}/featureType`, message: `the feature catalog has it as ${entry.featureType}` }]
  return []
}

/** What an entry of the feature catalog says of a product's feature. */
const saidBy = (entry: EntryStanding) => ({
  featureCode: entry.featureCode,
  name: entry.name,
  units: entry.units,
  usageMetric: entry.metricName,
  featureType: entry.featureType,
  meterAggregationType: entry.meterAggregationType,
  visibility: entry.visibility,
  enumOptions: entry.enumOptions,
})

const withoutNulls = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }

/** A feature as it counts once its catalog has an entry of its code: of the entry's type, and with what only the entry says. */
export const asCatalogued = <F extends ProductFeature>(feature: F, entry: EntryStanding | undefined): F =>
  entry
    ? {
        ...feature,
        featureType: entry.featureType,
        name: feature.name ?? entry.name,
        units: feature.units ?? entry.units,
        usageMetric: feature.usageMetric ?? entry.metricName,
        meterAggregationType: feature.meterAggregationType ?? entry.meterAggregationType,
        enumOptions: feature.enumOptions.length > 0 ? feature.enumOptions : entry.enumOptions,
      }
    : feature
