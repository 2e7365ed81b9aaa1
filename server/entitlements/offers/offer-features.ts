import type { OfferFeature } from '../../../catalog-schema/offer.ts'
import type { ProductFeature } from '../../../catalog-schema/product.ts'

/** What an offer's features are made of: the product's own, its catalog entries, what meters it, and what the offer sets itself. */
export interface FeatureSources {
  productId: string
  attached: readonly (ProductFeature & { id: string })[]
  entries: readonly {
    id: string
    featureCode: string
    name: string
    metricName: string | null
    lifecycleStatus: string
  }[]
  assets: readonly { id: string; metricName: string }[]
  own: readonly OfferFeature[]
}

/** The features that an entitlement of the offer has of a product: those attached to it and those of its catalog that the offer gives, with the offer's own values before the product's. */
export function offerFeatures({ productId, attached, entries, assets, own }: FeatureSources) {
  const entryOf = new Map(entries.map((entry) => [entry.featureCode, entry]))
  const assetOf = new Map(assets.map((asset) => [asset.metricName, asset.id]))
  const ownOf = new Map(own.map((feature) => [feature.featureCode, feature]))
  const known = new Set(attached.map(({ featureCode }) => featureCode))
  const given = own.flatMap(({ featureCode }) => {
    const entry = entryOf.get(featureCode)
    return known.has(featureCode) || !entry ? [] : [{ ...unattached, ...entry, usageMetric: entry.metricName }]
  })
  return [...attached, ...given].map((feature) => {
    const set = ownOf.get(feature.featureCode)
    const entry = entryOf.get(feature.featureCode)
    const metricName = feature.usageMetric ?? entry?.metricName
    return {
      id: feature.id,
      featureCode: feature.featureCode,
      productId,
      moduleName: feature.moduleName,
      featurePath: feature.featurePath,
      name: feature.name ?? entry?.name ?? null,
      description: feature.description,
      value: set?.value ?? feature.value,
      version: set?.version ?? feature.version,
      isEnabled: set?.isEnabled ?? feature.isEnabled,
      isAvailableDuringTrialPeriod: feature.isAvailableDuringTrialPeriod,
      isAvailableDuringGracePeriod: feature.isAvailableDuringGracePeriod,
      isPaidFeature: feature.isPaidFeature,
      canModifyValueOnEntitlement: feature.canModifyValueOnEntitlement,
      meteredAssetId: metricName ? (assetOf.get(metricName) ?? null) : null,
      featureExpiration: set?.featureExpiration ?? null,
      catalogLifecycleStatus: entry?.lifecycleStatus ?? null,
    }
  })
}

/** What is true of a feature that only the catalog has, until something says otherwise. */
const unattached = {
  moduleName: null,
  featurePath: null,
  description: null,
  value: null,
  version: null,
  isEnabled: true,
  isAvailableDuringTrialPeriod: true,
  isAvailableDuringGracePeriod: true,
  isPaidFeature: false,
  canModifyValueOnEntitlement: true,
}
