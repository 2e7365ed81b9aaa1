import { quotaUsageLevels, quotaUsagePolicies } from './enumerations.ts'
import { Double, NullableDouble, NullableText, OneOf } from './scalars.ts'
import { type FullOf, IndexedList, Patchable } from './shapes.ts'

export const usageTierFields = {
  name: NullableText(200),
  startUsage: NullableDouble({ minimum: 0, description: 'First unit of the tier.' }),
  endUsage: NullableDouble({ minimum: 0, description: 'The tier ends before this unit; null is without end.' }),
  startPercentage: NullableDouble({ minimum: 0, description: 'The same bound as a percentage of the feature value.' }),
  endPercentage: NullableDouble({ minimum: 0 }),
  baseCredits: Double({ default: 0, minimum: 0, description: 'Flat credits charged when the tier is entered.' }),
  creditsPerUnitOfConsumption: Double({ default: 0, minimum: 0 }),
  quotaUsageLevel: OneOf(quotaUsageLevels, { default: 'None' }),
  quotaUsagePolicy: OneOf(quotaUsagePolicies, { default: 'None' }),
  fundingBalanceMetric: NullableText(200, {
    description: 'The credit balance that pays for overage in this tier; only with AllowWithOverage.',
  }),
}
export type UsageTier = FullOf<typeof usageTierFields>

export const usageTiers = IndexedList(Patchable(usageTierFields, []), {
  description: 'Half-open ranges of usage and what happens in each.',
})
