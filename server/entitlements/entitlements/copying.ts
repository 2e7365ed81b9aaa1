import type { OfferFeature } from '../../../catalog-schema/offer.ts'
import type { ProductFeature } from '../../../catalog-schema/product.ts'
import type { EntryStanding } from '../../catalog/records/entries-of.ts'
import type { StoredFeature } from './stored.ts'

/** What an entitlement's features of a product are copied from. */
export interface CopiedProduct {
  productId: string
  /** The features attached to the product, by code. */
  attached: ReadonlyMap<string, ProductFeature>
  /** Its feature catalog, by code. */
  entries: ReadonlyMap<string, EntryStanding>
}

/** The features that an entitlement has of a product from the start: those attached to it and those of its catalog that the offer gives, with the offer's values before the product's. */
export function copyFeatures(
  product: CopiedProduct,
  offered: readonly OfferFeature[],
  newId: () => string,
): StoredFeature[] {
  const offerOf = new Map(offered.map((feature) => [feature.featureCode, feature]))
  return [...new Set([...product.attached.keys(), ...offerOf.keys()])].flatMap((code) => {
    const copy = copyFeature(product, code, newId)
    const offer = offerOf.get(code)
    if (!copy || !offer) return copy ?? []
    return {
      ...copy,
      value: offer.value ?? copy.value,
      version: offer.version ?? copy.version,
      isEnabled: offer.isEnabled,
      featureExpiration: offer.featureExpiration,
    }
  })
}

/** One feature as the product has it, of the type that its catalog says, or its catalog alone; undefined when neither knows the code. */
export function copyFeature(
  { productId, attached, entries }: CopiedProduct,
  featureCode: string,
  newId: () => string,
): StoredFeature | undefined {
  const feature = attached.get(featureCode)
  const entry = entries.get(featureCode)
  if (!feature && !entry) return undefined
  return {
    id: newId(),
    featureCode,
    productId,
    featureType: entry?.featureType ?? feature!.featureType,
    moduleName: feature?.moduleName ?? null,
    featurePath: feature?.featurePath ?? null,
    name: feature?.name ?? entry?.name ?? null,
    description: feature?.description ?? null,
    value: feature?.value ?? null,
    version: feature?.version ?? null,
    usageMetric: feature?.usageMetric ?? entry?.metricName ?? null,
    isEnabled: feature?.isEnabled ?? true,
    includeInLicenseToken: feature?.includeInLicenseToken ?? true,
    isAvailableDuringTrialPeriod: feature?.isAvailableDuringTrialPeriod ?? true,
    isAvailableDuringGracePeriod: feature?.isAvailableDuringGracePeriod ?? true,
    isPaidFeature: feature?.isPaidFeature ?? false,
    canModifyValueOnEntitlement: feature?.canModifyValueOnEntitlement ?? true,
    featureExpiration: null,
  }
}
