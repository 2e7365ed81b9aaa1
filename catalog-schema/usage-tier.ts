import { quotaUsageLevels, quotaUsagePolicies } from './enumerations.ts'
import { Double, NullableDouble, NullableText, OneOf } from './scalars.ts'
import { type FullOf, IndexedList, Patchable } from './shapes.ts'

const usageTierFields = {
  name: NullableText(200, { description: 'What people call the tier.', examples: ['Included'] }),
  startUsage: NullableDouble({
    minimum: 0,
    description:
      'The usage of the period at which the tier begins, itself included; null is where the tier before it ends, and from the first unit in the first.',
    examples: [0],
  }),
  endUsage: NullableDouble({
    minimum: 0,
    description:
      'The tier ends before this usage of the period; null is without end. Usage past the last tier is denied.',
    examples: [1000],
  }),
  startPercentage: NullableDouble({
    minimum: 0,
    description: 'startUsage as a percentage of the value of the feature, for TieredPercentage enforcement.',
    examples: [0],
  }),
  endPercentage: NullableDouble({
    minimum: 0,
    description:
      'endUsage as a percentage of the value of the feature, for TieredPercentage enforcement; null is without end.',
    examples: [80],
  }),
  baseCredits: Double({
    default: 0,
    minimum: 0,
    description: 'A flat fee in credits, charged once when the tier is entered in a period.',
  }),
  creditsPerUnitOfConsumption: Double({
    default: 0,
    minimum: 0,
    description: 'What each unit of usage in the tier costs, in credits of fundingBalanceMetric.',
  }),
  quotaUsageLevel: OneOf(quotaUsageLevels, {
    default: 'None',
    description: 'How serious it is to be in the tier: the level that is reported, from None to OverUsage.',
  }),
  quotaUsagePolicy: OneOf(quotaUsagePolicies, {
    default: 'None',
    description:
      'What happens to usage in the tier, from least to most restrictive: None and NotifyOnly allow it, AllowWithOverage allows and prices it, AllowWithGrace allows it for three days, RateLimit once a minute, Deny not at all, SuspendUsage not until the period ends.',
  }),
  fundingBalanceMetric: NullableText(200, {
    description:
      'The metric name of a credit balance on the same entitlement that pays for usage in the tier, only with AllowWithOverage. What it cannot pay is refused; without it overage is allowed and only reported.',
    examples: ['credits'],
  }),
}
export type UsageTier = FullOf<typeof usageTierFields>

export const usageTiers = IndexedList(
  Patchable(usageTierFields, [], { description: 'A range of usage, and what happens in it.' }),
  {
    description:
      'Ranges of usage, each from its start to just before its end, with what happens and what is charged in each. The list is replaced whole.',
  },
)
