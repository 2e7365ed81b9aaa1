import type { AddOnFeatureValue } from '../../../catalog-schema/add-on.ts'
import type { featureTypes } from '../../../catalog-schema/enumerations.ts'
import type { StoredLine } from '../../catalog/plan-sets/stored-plans.ts'

/** A feature of an entitlement as it is stored: its own copy, which later edits of the catalog leave as it is. */
export interface StoredFeature {
  id: string
  featureCode: string
  productId: string
  featureType: (typeof featureTypes)[number]
  moduleName: string | null
  featurePath: string | null
  name: string | null
  description: string | null
  value: string | null
  version: string | null
  /** The metric that it is metered by. */
  usageMetric: string | null
  isEnabled: boolean
  includeInLicenseToken: boolean
  isAvailableDuringTrialPeriod: boolean
  isAvailableDuringGracePeriod: boolean
  isPaidFeature: boolean
  canModifyValueOnEntitlement: boolean
  /** An instant of the wire. */
  featureExpiration: string | null
}

/** What was applied over an entitlement's own features, as it was at the time: the plan first, then add-ons in their order. */
export interface Layers {
  plan: AppliedPlan | null
  addOns: AppliedAddOn[]
}

export interface AppliedPlan {
  planSetId: string
  planSetName: string
  planId: string
  planName: string
  lineItems: StoredLine[]
  /** What it speaks of that is not among the entitlement's own features, as the catalog had it. */
  brought: StoredFeature[]
}

export interface AppliedAddOn {
  addOnId: string
  code: string
  name: string
  /** The products of its suite, whose features it changes. */
  productIds: string[]
  featureValues: AddOnFeatureValue[]
  /** What it speaks of that is not among the entitlement's own features, as the catalog had it. */
  brought: StoredFeature[]
}

/** An entitlement's own features, before plan and add-ons. */
export const readOwnFeatures = ({ own_features }: { own_features: string | null }): StoredFeature[] =>
  own_features === null ? [] : (JSON.parse(own_features) as StoredFeature[])

/** An entitlement's features as they are in effect: what activation, tokens and answers read. */
export const readFeatures = ({ features }: { features: string | null }): StoredFeature[] =>
  features === null ? [] : (JSON.parse(features) as StoredFeature[])

/** What was applied over an entitlement's own features. */
export const readLayers = ({ layers }: { layers: string | null }): Layers =>
  layers === null ? { plan: null, addOns: [] } : (JSON.parse(layers) as Layers)
