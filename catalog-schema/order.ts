import { AddOnItem } from './add-on.ts'
import { FeatureItem } from './feature.ts'
import { MetricItem } from './metric.ts'
import { OfferItem } from './offer.ts'
import { PlanSetItem } from './plan-set.ts'
import { ProductItem } from './product.ts'
import { RatingCampaignItem } from './rating-campaign.ts'
import { SuiteItem } from './suite.ts'
import { TagItem } from './tag.ts'

/**
 * The kinds in the order in which they are created: a kind names only kinds before it.
 *
 *   tag ◄── product ◄── feature ◄── monitoredAsset ◄── suite ◄── planSet ◄── addOn ◄── entitlementOffer ◄── ratingCampaign
 */
export const kinds = [
  'tag',
  'product',
  'feature',
  'monitoredAsset',
  'suite',
  'planSet',
  'addOn',
  'entitlementOffer',
  'ratingCampaign',
] as const
export type Kind = (typeof kinds)[number]

/** The section of a snapshot that carries each kind, and the prefix of its key strings. */
export const sectionOf = {
  tag: 'tags',
  product: 'products',
  feature: 'featureCatalog',
  monitoredAsset: 'monitoredAssets',
  suite: 'suites',
  planSet: 'plans',
  addOn: 'addOns',
  entitlementOffer: 'entitlementOffers',
  ratingCampaign: 'ratingCampaigns',
} as const satisfies Record<Kind, string>
export type Section = (typeof sectionOf)[Kind]
export const sections = kinds.map((kind) => sectionOf[kind])
export const kindOfSection = Object.fromEntries(kinds.map((kind) => [sectionOf[kind], kind])) as Record<Section, Kind>

export const prefixOf = {
  tag: 'tag',
  product: 'product',
  feature: 'feature',
  monitoredAsset: 'metric',
  suite: 'suite',
  planSet: 'plan-set',
  addOn: 'add-on',
  entitlementOffer: 'offer',
  ratingCampaign: 'rating-campaign',
} as const satisfies Record<Kind, string>

export const itemSchemas = {
  tag: TagItem,
  product: ProductItem,
  feature: FeatureItem,
  monitoredAsset: MetricItem,
  suite: SuiteItem,
  planSet: PlanSetItem,
  addOn: AddOnItem,
  entitlementOffer: OfferItem,
  ratingCampaign: RatingCampaignItem,
} as const
