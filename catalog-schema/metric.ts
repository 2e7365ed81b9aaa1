import { Type } from 'typebox'
import { accumulationMethods, consumptionPeriods, metricTypes, quotaUsageLevels } from './enumerations.ts'
import { Code, Double, Flag, NullableDouble, NullableDuration, NullableText, OneOf, Text } from './scalars.ts'
import { type FullOf, IndexedList, ofProduct, Patchable, type PatchOf, TagNames } from './shapes.ts'
import { usageTiers } from './usage-tier.ts'

export const meteredUsageFields = {
  consumptionPeriod: OneOf(consumptionPeriods, {
    default: 'Monthly',
    description: 'The period the tiers reset on (UTC).',
  }),
  accumulationMethod: OneOf(accumulationMethods, {
    default: 'Sliced',
    description: 'Sliced prices each unit in its own tier; Volume prices all units of a call at the tier reached.',
  }),
  usageTiers,
}
export type MeteredUsage = FullOf<typeof meteredUsageFields>

const band = Patchable(
  {
    endUsage: Double({ description: 'The band applies while the remaining balance is below this.' }),
    name: NullableText(200, { description: 'The name of the band, for people.' }),
    quotaUsageLevel: OneOf(quotaUsageLevels, {
      default: 'None',
      description: 'The level reported in the band; a Critical one blocks further use.',
    }),
  },
  ['endUsage'],
)

export const balanceUsageFields = {
  name: NullableText(300, { description: 'The name of the balance, for people.' }),
  description: NullableText(20_000, { description: 'What the credits are for.' }),
  unit: NullableText(200, { description: 'What one credit is.' }),
  numberFormat: NullableText(100, { description: 'How amounts are shown.' }),
  initialCreditAmount: Double({
    default: 0,
    minimum: 0,
    description: 'Credits available when the entitlement is created.',
  }),
  isUnlimitedCredits: Flag({ default: false, description: 'Whether the balance never runs out.' }),
  usageQuota: IndexedList(band, {
    description: 'Levels of the remaining balance; the lowest that applies is reported.',
  }),
  autoBalanceCronSchedule: NullableText(200, {
    description: 'Five cron fields: minute, hour, day of month, month, day of week.',
  }),
  shouldAutoBalanceTransferCurrentCredits: Flag({
    default: false,
    description: 'Whether an automatic deposit keeps what is left.',
  }),
  maxAutoBalanceCreditTransferAmount: NullableDouble({
    minimum: 0,
    description: 'The most that an automatic transfer keeps.',
  }),
  autoBalanceCreditAmount: NullableDouble({ minimum: 0, description: 'The credits that an automatic deposit gives.' }),
}
export type BalanceUsage = FullOf<typeof balanceUsageFields>

/** The fields of a monitored asset's definition that mean the same on the wire and in a snapshot. */
export const metricFields = {
  metricName: Code({ description: 'Lowercase; quoted exactly in every usage call.', examples: ['export-step'] }),
  name: Text(300, { min: 1, description: 'The name people read.' }),
  description: NullableText(20_000, { description: 'What is measured, for people.' }),
  metricType: OneOf(metricTypes, { default: 'CumulativeCounter', description: 'How reported usage adds up.' }),
  unit: NullableText(200, { description: 'What one unit of usage is.' }),
  category: NullableText(200, { description: 'A heading to show it under.' }),
  numberFormat: NullableText(100, { description: 'How amounts are shown.' }),
  allowedBackDatingTolerance: NullableDuration({
    description: 'How far in the past a reported usage may lie and still be accepted (P3D when none is given).',
  }),
  meteredUsage: Type.Unsafe<MeteredUsage | null>({
    type: ['object', 'null'],
    additionalProperties: false,
    properties: meteredUsageFields,
    default: null,
    description: 'Tiered usage that starts anew each period.',
  }),
  balanceUsage: Type.Unsafe<BalanceUsage | null>({
    type: ['object', 'null'],
    additionalProperties: false,
    properties: balanceUsageFields,
    default: null,
    description: 'A prepaid credit balance.',
  }),
  tags: TagNames(),
}

export const metricItemFields = { ...ofProduct, ...metricFields }
export type Metric = FullOf<typeof metricItemFields>
export type MetricItem = PatchOf<typeof metricItemFields>
export const MetricItem = Patchable(metricItemFields, ['productCode', 'metricName'], {
  description: 'A monitored asset: what of a product is metered, and how it is charged.',
})
