/** The closed lists of the catalog, spelled exactly as on the wire (case-sensitive). */
export const featureTypes = ['Boolean', 'Numeric', 'Text', 'Enumeration', 'Metered', 'JsonField'] as const
export const visibilities = ['Public', 'Internal'] as const
export const metricTypes = ['CumulativeCounter'] as const
export const quotaUsageLevels = ['None', 'Normal', 'Warning', 'Critical', 'OverUsage'] as const
/** From least to most restrictive. */
export const quotaUsagePolicies = [
  'None',
  'NotifyOnly',
  'AllowWithOverage',
  'AllowWithGrace',
  'RateLimit',
  'Deny',
  'SuspendUsage',
] as const
export const enforcementTypes = ['SingleValue', 'TieredAbsolute', 'TieredPercentage', 'Denied', 'NotIncluded'] as const
export const pricingModes = ['Absolute', 'Relative'] as const
export const tagScopes = ['Product', 'FeatureCatalog', 'Entitlement'] as const
export const consumptionPeriods = ['Hourly', 'Daily', 'Weekly', 'Monthly', 'Quarterly', 'Yearly', 'Lifetime'] as const
export const accumulationMethods = ['Sliced', 'Volume'] as const
export const addOnOperations = ['Replace', 'Add', 'Max'] as const
export const authenticationLevels = ['Default', 'SignedIn', 'EmailVerified', 'MultiFactor'] as const
export const licenseModels = ['NodeLocked', 'Floating', 'InactivityBased'] as const
export const componentMatchingStrategies = ['MatchAll', 'MatchAny', 'Two', 'Most'] as const
export const trialStarts = ['Activation', 'Creation'] as const
export const planChangeApprovals = ['Automatic', 'Manual'] as const
export const keyAlphabets = ['CrockfordBase32', 'Base32', 'Hex', 'Numeric', 'Custom'] as const
export const caseStyles = ['Upper', 'Lower'] as const
export const keyChecksums = ['None', 'LuhnModN'] as const
export const sequenceScopes = ['Entitlement', 'Product', 'Tenant'] as const

export const productStatuses = ['Draft', 'Published', 'Retired'] as const
export const featureLifecycleStatuses = ['Draft', 'Preview', 'Published', 'Disabled', 'Archived'] as const
export const planSetStatuses = ['Draft', 'Published', 'Retired'] as const
export const addOnStatuses = ['Draft', 'Published', 'Retired'] as const
/** Of an entitlement, and so of an offer. */
export const entitlementStatuses = ['Draft', 'Active', 'Suspended', 'Cancelled', 'Expired'] as const
/** Of an entitlement that somebody has, be it to be used or not: what it refers to is needed. */
export const liveStatuses: readonly string[] = ['Active', 'Suspended'] satisfies (typeof entitlementStatuses)[number][]
/** What an entitlement's status and its trial make of the subscription. */
export const subscriptionStatuses = ['Pending', 'Trialing', 'Active', 'PastDue', 'Cancelled', 'Expired'] as const
