import type { AddOnFeatureValue } from '../../catalog-schema/add-on.ts'
import type { BalanceUsage } from '../../catalog-schema/metric.ts'
import type { PlanFeatureValue } from '../../catalog-schema/plan-set.ts'
import type { UsageTier } from '../../catalog-schema/usage-tier.ts'
import type { AppliedAddOn, AppliedPlan, Layers, StoredFeature } from '../../server/entitlements/entitlements/stored.ts'
import { layered } from '../../server/entitlements/plans/layering.ts'
import { definitions } from '../../server/entitlements/plans/meter-definitions.ts'

/** An own feature of an entitlement's one product `cad`. */
export const feature = (featureCode: string, fields: Partial<StoredFeature> = {}): StoredFeature => ({
  id: `id-${featureCode}`,
  featureCode,
  productId: 'cad',
  featureType: 'Numeric',
  moduleName: null,
  featurePath: null,
  name: null,
  description: null,
  value: null,
  version: null,
  usageMetric: null,
  isEnabled: true,
  includeInLicenseToken: true,
  isAvailableDuringTrialPeriod: true,
  isAvailableDuringGracePeriod: true,
  isPaidFeature: false,
  canModifyValueOnEntitlement: true,
  featureExpiration: null,
  ...fields,
})

export const tier = (
  startUsage: number | null,
  endUsage: number | null,
  fields: Partial<UsageTier> = {},
): UsageTier => ({
  name: null,
  startUsage,
  endUsage,
  startPercentage: null,
  endPercentage: null,
  baseCredits: 0,
  creditsPerUnitOfConsumption: 0,
  quotaUsageLevel: 'None',
  quotaUsagePolicy: 'None',
  fundingBalanceMetric: null,
  ...fields,
})

export const percentTier = (
  startPercentage: number | null,
  endPercentage: number | null,
  fields: Partial<UsageTier> = {},
) => tier(null, null, { startPercentage, endPercentage, ...fields })

export const given = (featureCode: string, fields: Partial<PlanFeatureValue> = {}): PlanFeatureValue => ({
  featureCode,
  metricName: null,
  enforcementType: 'SingleValue',
  value: null,
  usageTiers: [],
  ...fields,
})

/** A plan `Pro` with one line about `cad`. */
export const plan = (
  featureValues: PlanFeatureValue[],
  fields: Partial<AppliedPlan> = {},
  included = true,
): AppliedPlan => ({
  planSetId: 'set',
  planSetName: 'Standard',
  planId: 'plan',
  planName: 'Pro',
  lineItems: [{ productId: 'cad', included, featureValues }],
  brought: [],
  ...fields,
})

export const change = (featureCode: string, fields: Partial<AddOnFeatureValue> = {}): AddOnFeatureValue => ({
  featureCode,
  value: null,
  usageTiers: [],
  planTargets: [],
  operation: 'Replace',
  ...fields,
})

export const addOn = (featureValues: AddOnFeatureValue[], fields: Partial<AppliedAddOn> = {}): AppliedAddOn => ({
  addOnId: 'add-on',
  code: 'PACK',
  name: 'Pack',
  productIds: ['cad'],
  featureValues,
  brought: [],
  ...fields,
})

export const layers = (applied: AppliedPlan | null, ...addOns: AppliedAddOn[]): Layers => ({ plan: applied, addOns })

/** The one feature of an entitlement that has it, under layers. */
export const featureUnder = (own: StoredFeature, applied: Layers) => layered([own], applied, ['cad'])[0]!

const metered = { consumptionPeriod: 'Monthly', accumulationMethod: 'Sliced' } as const

/** The bounds of the tiers, with their policies where they have one, that a meter `used` with these tiers of its own has under layers. */
export function tiersUnder(own: StoredFeature, applied: Layers, usageTiers: UsageTier[] = []) {
  const meter = { productId: 'cad', metricName: 'used', meteredUsage: { ...metered, usageTiers }, balanceUsage: null }
  const { meteredUsage } = definitions([own], applied, ['cad'])(meter)
  return meteredUsage!.usageTiers.map(({ startUsage, endUsage, quotaUsagePolicy }) =>
    quotaUsagePolicy === 'None' ? [startUsage, endUsage] : [startUsage, endUsage, quotaUsagePolicy],
  )
}

/** What a balance `used` with 100 initial credits is under layers. */
function balanceUnder(own: StoredFeature, applied: Layers): BalanceUsage {
  const balanceUsage: BalanceUsage = {
    name: null,
    description: null,
    unit: null,
    numberFormat: null,
    initialCreditAmount: 100,
    isUnlimitedCredits: false,
    usageQuota: [],
    autoBalanceCronSchedule: null,
    shouldAutoBalanceTransferCurrentCredits: false,
    maxAutoBalanceCreditTransferAmount: null,
    autoBalanceCreditAmount: null,
  }
  const meter = { productId: 'cad', metricName: 'used', meteredUsage: null, balanceUsage }
  return definitions([own], applied, ['cad'])(meter).balanceUsage!
}

/** What it starts with. */
export function creditsUnder(own: StoredFeature, applied: Layers) {
  const { initialCreditAmount, isUnlimitedCredits } = balanceUnder(own, applied)
  return isUnlimitedCredits ? 'unlimited' : initialCreditAmount
}

/** Its bands. */
export const bandsUnder = (own: StoredFeature, applied: Layers) => balanceUnder(own, applied).usageQuota

/** A feature that a meter of `used` is of. */
export const calls = feature('CALLS', { featureType: 'Metered', usageMetric: 'used' })

/** Three tiers of it by usage, of which the last denies. */
export const absolute = {
  enforcementType: 'TieredAbsolute',
  usageTiers: [tier(0, 100), tier(100, 120), tier(120, null, { quotaUsagePolicy: 'Deny' })],
} satisfies Partial<PlanFeatureValue>

/** The same by percentages of a value. */
export const percent = {
  enforcementType: 'TieredPercentage',
  value: '250',
  usageTiers: [percentTier(0, 80), percentTier(80, 100), percentTier(100, null, { quotaUsagePolicy: 'Deny' })],
} satisfies Partial<PlanFeatureValue>

/** What the plan says of the feature, and an add-on. */
export const withAddOn = (said: Partial<PlanFeatureValue>, changed: Partial<AddOnFeatureValue>) =>
  layers(plan([given('CALLS', said)]), addOn([change('CALLS', changed)]))
