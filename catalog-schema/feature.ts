import { featureLifecycleStatuses, featureTypes, metricTypes, visibilities } from './enumerations.ts'
import { enumOptions } from './product.ts'
import { Code, NullableDouble, NullableOneOf, NullableText, OneOf, Text } from './scalars.ts'
import { type FullOf, ofProduct, Patchable, type PatchOf, TagNames } from './shapes.ts'

/** The fields of a feature catalog entry that mean the same on the wire and in a snapshot. */
export const featureFields = {
  featureCode: Code({
    description:
      'Identifies the feature within its product, and is what the application asks for. Uppercase by convention; never the metric name.',
    examples: ['EXPORT_STEP'],
  }),
  name: Text(300, {
    min: 1,
    description: 'What people read wherever the feature is listed; its code when a snapshot leaves it out on create.',
    examples: ['STEP export'],
  }),
  units: NullableText(200, {
    description: 'What one unit of a Numeric or Metered value is, for people.',
    examples: ['seats'],
  }),
  metricName: NullableText(200, {
    description:
      'The name under which a Metered feature reports usage: that of a monitored asset of the same product, lowercase and not the feature code. Usage calls match it exactly, case included. Where no asset has that name, entitlements count it by the month, up to the value of the feature.',
    examples: ['export-step'],
  }),
  featureType: OneOf(featureTypes, {
    default: 'Boolean',
    description:
      'What kind of value plans give: Boolean (has it or not), Numeric (a limit), Text, Enumeration (one of enumOptions), Metered (usage is counted under metricName) or JsonField (a JSON text).',
  }),
  lifecycleStatus: OneOf(featureLifecycleStatuses, {
    default: 'Draft',
    description:
      'How far the feature is: Draft, then Preview if wanted, then Published; a Published one may be Disabled and Published again, a Disabled one Archived for good. It never goes back to Draft.',
  }),
  visibility: OneOf(visibilities, {
    default: 'Public',
    description: 'Public is shown to customers; Internal is for the vendor alone.',
  }),
  meterAggregationType: NullableOneOf(metricTypes, {
    description: 'How reports of usage add up over a period; null for a feature that is not metered.',
  }),
  valueScore: NullableDouble({
    description:
      'How much the feature is worth beside the others, as a weight without unit, for the feature value report. null is not valued and contributes nothing; a change re-values past periods too.',
    examples: [10],
  }),
  enumOptions,
  tags: TagNames(),
}

export const featureItemFields = { ...ofProduct, ...featureFields }
export type Feature = FullOf<typeof featureItemFields>
export type FeatureItem = PatchOf<typeof featureItemFields>
export const FeatureItem = Patchable(featureItemFields, ['productCode', 'featureCode'], {
  description:
    'An entry of the feature catalog: something a product can do that plans, add-ons and offers give, limit or withhold.',
})
