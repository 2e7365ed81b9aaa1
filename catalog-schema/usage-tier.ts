import { quotaUsageLevels, quotaUsagePolicies } from './enumerations.ts'
import { Double, NullableDouble, NullableText, OneOf } from './scalars.ts'
import { type FullOf, IndexedList, Patchable } from './shapes.ts'

export const usageTierFields = {
  name: NullableText(200, { description: 'The name of the tier, for people.' }),
  startUsage: NullableDouble({ minimum: 0, description: 'First unit of the tier.' }),
  endUsage: NullableDouble({ minimum: 0, description: 'The tier ends before this unit; null is without end.' }),
  startPercentage: NullableDouble({ minimum: 0, description: 'The same bound as a percentage of the feature value.' }),
  endPercentage: NullableDouble({
    minimum: 0,
    description: 'The tier ends before this percentage; null is without end.',
  }),
  baseCredits: Double({ default: 0, minimum: 0, description: 'Flat credits charged when the tier is entered.' }),
  creditsPerUnitOfConsumption: Double({
    default: 0,
    minimum: 0,
    description: 'Credits charged for each unit used in the tier.',
  }),
  quotaUsageLevel: OneOf(quotaUsageLevels, {
    default: 'None',
    description: 'The level reported while usage is in the tier.',
  }),
  quotaUsagePolicy: OneOf(quotaUsagePolicies, {
    default: 'None',
    description: 'What happens to usage in the tier, from None to SuspendUsage.',
  }),
  fundingBalanceMetric: NullableText(200, {
    description: 'The credit balance that pays for overage in this tier; only with AllowWithOverage.',
  }),
}
export type UsageTier = FullOf<typeof usageTierFields>

export const usageTiers = IndexedList(Patchable(usageTierFields, []), {
  description: 'Half-open ranges of usage and what happens in each.',
})
