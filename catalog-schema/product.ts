import { Type } from 'typebox'
import { featureTypes, metricTypes, productStatuses, visibilities } from './enumerations.ts'
import {
  Code,
  Flag,
  Int32,
  NullableCode,
  NullableInstant,
  NullableOneOf,
  NullableText,
  NullableValueText,
  OneOf,
  Text,
} from './scalars.ts'
import { type FullOf, NamedList, Patchable, type PatchOf, TagNames, TextList } from './shapes.ts'

export const enumOptionFields = {
  value: Text(500, { min: 1, description: 'The value as it is stored.' }),
  description: NullableText(2000, { description: 'What the value means, for a person.' }),
}
export type EnumOption = FullOf<typeof enumOptionFields>

export const enumOptions = NamedList(Patchable(enumOptionFields, ['value']), ['value'], {
  'x-keeps-order': true,
  description: 'The allowed values of an Enumeration feature.',
})

/** A feature as attached to a product. */
export const productFeatureFields = {
  featureCode: Code({ description: 'The code of the feature, uppercase by convention.', examples: ['EXPORT_STEP'] }),
  featurePath: NullableText(500, { description: 'Where in the product the feature is found.' }),
  moduleName: NullableText(200, { description: 'The module of the product that has the feature.' }),
  name: NullableText(300, { description: 'The name people read.' }),
  description: NullableText(20_000, { description: 'What the feature does, for people.' }),
  usageMetric: NullableText(200, { description: 'The metric name a Metered feature reports usage under.' }),
  units: NullableText(200, { description: 'What a number counts, such as seats.' }),
  featureType: OneOf(featureTypes, { default: 'Boolean', description: 'What kind of value the feature has.' }),
  enumOptions,
  value: NullableValueText({
    description: 'The value every customer of the product has, unless a plan says otherwise.',
  }),
  version: NullableText(100, { description: 'The version of the feature.' }),
  isEnabled: Flag({ default: true, description: 'Whether the feature is switched on.' }),
  includeInLicenseToken: Flag({ default: true, description: 'Whether the license token carries the feature.' }),
  isAvailableDuringTrialPeriod: Flag({ default: true, description: 'Whether a trial has the feature.' }),
  isAvailableDuringGracePeriod: Flag({ default: true, description: 'Whether the feature stays during grace.' }),
  isPaidFeature: Flag({ default: false, description: 'Whether customers pay for the feature.' }),
  canModifyValueOnEntitlement: Flag({
    default: true,
    description: "Whether one customer's entitlement may have another value.",
  }),
  meterAggregationType: NullableOneOf(metricTypes, {
    description: 'How reported usage adds up; null for a feature that is not metered.',
  }),
  visibility: OneOf(visibilities, { default: 'Public', description: 'Whether customers see the feature.' }),
  sortOrder: Int32({ default: 0, description: 'The place of the feature in lists, lowest first.' }),
}
export type ProductFeature = FullOf<typeof productFeatureFields>
export const ProductFeature = Patchable(productFeatureFields, ['featureCode'])

export const productInformationFields = {
  displayVersion: NullableText(200, { description: 'The version as people see it.' }),
  additionalInformation: NullableText(20_000, { description: 'Whatever else a customer should know.' }),
  revisionInformation: NullableText(20_000, { description: 'What is new in this version.' }),
  downloadUrl: NullableText(2000, { description: 'Where the product can be downloaded.' }),
  informationUrl: NullableText(2000, { description: 'Where the product is presented.' }),
  supportUrl: NullableText(2000, { description: 'Where help is found.' }),
}
export type ProductInformation = FullOf<typeof productInformationFields>

const metadataFields = {
  key: Text(500, { min: 1, description: 'What is noted.' }),
  value: NullableText(65_536, { description: 'What is noted about it.' }),
}

const property = Patchable(
  {
    key: NullableText(500, { description: 'The key under which other systems know the property.' }),
    value: NullableText(65_536, { description: 'The value of the property.' }),
    metadata: NamedList(Patchable(metadataFields, ['key']), ['key'], {
      description: 'What is noted about the property, by key.',
    }),
  },
  [],
)
export interface PropertyValue {
  key: string | null
  value: string | null
  metadata: { key: string; value: string | null }[]
}

/** The fields of a product that mean the same on the wire and in a snapshot. */
export const productFields = {
  name: Text(300, { min: 1, description: 'The name people read.' }),
  description: NullableText(20_000, { description: 'What the product is, for people.' }),
  status: OneOf(productStatuses, { default: 'Draft', description: 'Draft, then Published, then Retired.' }),
  externalId: NullableText(300, { description: "The product's id in another system of the vendor." }),
  expirationDate: NullableInstant({ description: 'The day from which the product is no longer licensed.' }),
  isLocked: Flag({ default: false, description: 'A locked product refuses edits.' }),
  productMetaData: NullableText(65_536, { description: "Free text of the vendor's own systems." }),
  productInformation: Type.Unsafe<Partial<ProductInformation> | null>({
    type: ['object', 'null'],
    additionalProperties: false,
    properties: productInformationFields,
    default: null,
    description: 'What a customer is told about the product beside its name.',
  }),
  propertyValues: Type.Unsafe<Record<string, PropertyValue>>({
    type: 'object',
    maxProperties: 1000,
    propertyNames: { minLength: 1, maxLength: 500 },
    additionalProperties: property,
    'x-map': true,
    default: {},
    description: 'Free properties by name.',
  }),
  applicationScopes: TextList({ description: 'The application scopes a device may ask for.' }),
  tags: TagNames(),
  features: NamedList(ProductFeature, ['featureCode'], {
    'x-sorted-by': 'sortOrder',
    description: 'The features attached to the product.',
  }),
}

export const productItemFields = {
  productCode: Code({ description: 'Identifies the product together with its version.', examples: ['ACME-CAD'] }),
  productVersion: NullableCode({ description: 'Left out for a product without versions. Quote it: 1.10 is a number.' }),
  ...productFields,
  parentProductCode: NullableCode({ description: 'The product this one is part of.' }),
  parentProductVersion: NullableCode({ description: 'The version of that product; left out when it has none.' }),
}
export type Product = FullOf<typeof productItemFields>
export type ProductItem = PatchOf<typeof productItemFields>
export const ProductItem = Patchable(productItemFields, ['productCode'], {
  description: 'Something the vendor sells and ships, with the features attached to it.',
})
