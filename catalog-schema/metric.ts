import { Type } from 'typebox'
import { accumulationMethods, consumptionPeriods, metricTypes, quotaUsageLevels } from './enumerations.ts'
import { Code, Double, Flag, NullableDouble, NullableDuration, NullableText, OneOf, Text } from './scalars.ts'
import { type FullOf, IndexedList, ofProduct, Patchable, type PatchOf, TagNames } from './shapes.ts'
import { usageTiers } from './usage-tier.ts'

export const meteredUsageFields = {
  consumptionPeriod: OneOf(consumptionPeriods, {
    default: 'Monthly',
    description:
      'How often usage starts again from nothing and the tiers apply anew, by the UTC calendar; Lifetime never.',
  }),
  accumulationMethod: OneOf(accumulationMethods, {
    default: 'Sliced',
    description:
      'How a call that crosses tiers is priced: Sliced prices each unit in its own tier, Volume all units of the call at the tier reached.',
  }),
  usageTiers,
}
export type MeteredUsage = FullOf<typeof meteredUsageFields>

const band = Patchable(
  {
    endUsage: Double({
      description: 'The band applies while the credits that remain are below this number.',
      examples: [100],
    }),
    name: NullableText(200, { description: 'What people call the band.', examples: ['Nearly used up'] }),
    quotaUsageLevel: OneOf(quotaUsageLevels, {
      default: 'None',
      description:
        'How serious it is to be in the band: the level that is reported. A Critical band blocks further consumption.',
    }),
  },
  ['endUsage'],
  { description: 'A level of the remaining balance.' },
)

export const balanceUsageFields = {
  name: NullableText(300, { description: 'What people call the balance.', examples: ['Render credits'] }),
  description: NullableText(20_000, { description: 'What the credits can be spent on, in prose.' }),
  unit: NullableText(200, { description: 'What one credit stands for, for people.', examples: ['render minutes'] }),
  numberFormat: NullableText(100, {
    description: 'A pattern by which your own screens print amounts; licet does not read it.',
    examples: ['#,##0'],
  }),
  initialCreditAmount: Double({
    default: 0,
    minimum: 0,
    below: 1e18,
    description: 'How many credits an entitlement starts with, below 1e18.',
  }),
  isUnlimitedCredits: Flag({
    default: false,
    description: 'Whether there is no end to the balance, however much is consumed.',
  }),
  usageQuota: IndexedList(band, {
    description:
      'What is reported as the balance runs low. Of the bands that apply, the one with the lowest endUsage is reported; any Critical one blocks.',
  }),
  autoBalanceCronSchedule: NullableText(200, {
    description:
      'When credits are deposited by themselves: five cron fields (minute, hour, day of month, month, day of week); null is never.',
    examples: ['0 0 1 * *'],
  }),
  shouldAutoBalanceTransferCurrentCredits: Flag({
    default: false,
    description: 'Whether what is left is kept when an automatic deposit comes; otherwise it lapses.',
  }),
  maxAutoBalanceCreditTransferAmount: NullableDouble({
    minimum: 0,
    description:
      'The most credits that are carried over an automatic deposit; null is without limit. Only with shouldAutoBalanceTransferCurrentCredits.',
  }),
  autoBalanceCreditAmount: NullableDouble({
    minimum: 0,
    below: 1e18,
    description: 'How many credits come at each time of autoBalanceCronSchedule, below 1e18.',
  }),
}
export type BalanceUsage = FullOf<typeof balanceUsageFields>

/** The fields of a monitored asset's definition that mean the same on the wire and in a snapshot. */
export const metricFields = {
  metricName: Code({
    description:
      'Identifies the metric within its product. Lowercase, and quoted exactly in every usage call and by the features that report under it.',
    examples: ['export-step'],
  }),
  name: Text(300, {
    min: 1,
    description: 'What people read wherever usage is shown; the metric name when a snapshot leaves it out on create.',
    examples: ['STEP exports'],
  }),
  description: NullableText(20_000, { description: 'What is counted and when, in prose.' }),
  metricType: OneOf(metricTypes, {
    default: 'CumulativeCounter',
    description: 'How reports of usage become one number: a CumulativeCounter adds them up.',
  }),
  unit: NullableText(200, { description: 'What a usage of 1 stands for, for people.', examples: ['exports'] }),
  category: NullableText(200, {
    description: 'The heading under which people see it in lists.',
    examples: ['Data exchange'],
  }),
  numberFormat: NullableText(100, {
    description: 'A pattern by which your own screens print usage; licet does not read it.',
    examples: ['#,##0'],
  }),
  allowedBackDatingTolerance: NullableDuration({
    description:
      'How far in the past a reported usage may lie and still be accepted, as an ISO 8601 duration; null is three days (P3D).',
    examples: ['P7D'],
  }),
  meteredUsage: Type.Unsafe<MeteredUsage | null>({
    type: ['object', 'null'],
    additionalProperties: false,
    properties: meteredUsageFields,
    default: null,
    description: 'Charging by tiers that start again each period. Only one of meteredUsage and balanceUsage is given.',
  }),
  balanceUsage: Type.Unsafe<BalanceUsage | null>({
    type: ['object', 'null'],
    additionalProperties: false,
    properties: balanceUsageFields,
    default: null,
    description: 'Charging against a balance of prepaid credits. Only one of meteredUsage and balanceUsage is given.',
  }),
  tags: TagNames(),
}

export const metricItemFields = { ...ofProduct, ...metricFields }
export type Metric = FullOf<typeof metricItemFields>
export type MetricItem = PatchOf<typeof metricItemFields>
export const MetricItem = Patchable(metricItemFields, ['productCode', 'metricName'], {
  description: 'A monitored asset: what of a product is metered, and how it is charged.',
})
