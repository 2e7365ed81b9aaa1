import { featureLifecycleStatuses, featureTypes, metricTypes, visibilities } from './enumerations.ts'
import { enumOptions } from './product.ts'
import { Code, NullableDouble, NullableOneOf, NullableText, OneOf, Text } from './scalars.ts'
import { type FullOf, ofProduct, Patchable, type PatchOf, TagNames } from './shapes.ts'

/** The fields of a feature catalog entry that mean the same on the wire and in a snapshot. */
export const featureFields = {
  featureCode: Code({ description: 'Uppercase by convention; unique within the product.', examples: ['EXPORT_STEP'] }),
  name: Text(300, { min: 1, description: 'The name people read.' }),
  units: NullableText(200, { description: 'What a number counts, such as seats.' }),
  metricName: NullableText(200, {
    description: 'The metric name a Metered feature reports usage under: lowercase, and not the feature code.',
  }),
  featureType: OneOf(featureTypes, { default: 'Boolean', description: 'What kind of value the feature has.' }),
  lifecycleStatus: OneOf(featureLifecycleStatuses, {
    default: 'Draft',
    description: 'Draft, Preview, Published, then Disabled for a while or Archived for good.',
  }),
  visibility: OneOf(visibilities, { default: 'Public', description: 'Whether customers see the feature.' }),
  meterAggregationType: NullableOneOf(metricTypes, {
    description: 'How reported usage adds up; null for a feature that is not metered.',
  }),
  valueScore: NullableDouble({
    description: 'Relative value weight for reports; null means not valued and contributes nothing.',
  }),
  enumOptions,
  tags: TagNames(),
}

export const featureItemFields = { ...ofProduct, ...featureFields }
export type Feature = FullOf<typeof featureItemFields>
export type FeatureItem = PatchOf<typeof featureItemFields>
export const FeatureItem = Patchable(featureItemFields, ['productCode', 'featureCode'], {
  description: 'An entry of the feature catalog: something a product can do that plans give or withhold.',
})
