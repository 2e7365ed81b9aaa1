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
}

export interface AppliedAddOn {
  addOnId: string
  code: string
  name: string
  featureValues: AddOnFeatureValue[]
}
