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

const enumOptionFields = {
  value: Text(500, {
    min: 1,
    description: 'One allowed value, exactly as plans and offers write it.',
    examples: ['gold'],
  }),
  description: NullableText(2000, { description: 'What choosing this value means for a customer, in prose.' }),
}

export const enumOptions = NamedList(
  Patchable(enumOptionFields, ['value'], { description: 'A value that may be chosen.' }),
  ['value'],
  {
    'x-keeps-order': true,
    description:
      'The values that an Enumeration feature may have, in the order in which people see them; other feature types leave it out. None listed allows any.',
  },
)

/** A feature as attached to a product. */
export const productFeatureFields = {
  featureCode: Code({
    description:
      'Which feature it is: the featureCode of an entry of the feature catalog of this product, or one known only here. Uppercase by convention.',
    examples: ['EXPORT_STEP'],
  }),
  featurePath: NullableText(500, {
    description: 'Where in the application the feature is found, in words of the application, such as a menu.',
    examples: ['File/Export/STEP'],
  }),
  moduleName: NullableText(200, {
    description: 'The part of the application that has the feature, where it is made of parts.',
    examples: ['translators'],
  }),
  name: NullableText(300, { description: 'What people read instead of the feature code.', examples: ['STEP export'] }),
  description: NullableText(20_000, { description: 'What the feature lets a customer do, in prose.' }),
  usageMetric: NullableText(200, {
    description: 'The metric name under which a Metered feature reports usage: lowercase, and not the feature code.',
    examples: ['export-step'],
  }),
  units: NullableText(200, {
    description: 'What one unit of a Numeric or Metered value is, for people.',
    examples: ['seats'],
  }),
  featureType: OneOf(featureTypes, {
    default: 'Boolean',
    description:
      'What kind of value it has: Boolean, Numeric, Text, Enumeration (one of enumOptions), Metered (usage is counted under usageMetric) or JsonField (a JSON text). Where the feature catalog of the product has an entry of the code, it is what that says.',
  }),
  enumOptions,
  value: NullableValueText({
    description:
      'What every customer of the product has unless a plan, an add-on or an offer says otherwise: true, a number, a text or an option; kept as text. A Numeric one may be Infinity, which is no limit.',
    examples: ['true'],
  }),
  version: NullableText(100, {
    description: 'Which release of the feature the product ships, where features have versions of their own.',
    examples: ['2.1'],
  }),
  isEnabled: Flag({
    default: true,
    description: 'false switches the feature off for everybody, whatever its value says.',
  }),
  includeInLicenseToken: Flag({
    default: true,
    description: 'Whether license tokens carry the feature, so that the application sees it without asking the server.',
  }),
  isAvailableDuringTrialPeriod: Flag({
    default: true,
    description: 'Whether customers have the feature while they are in a trial.',
  }),
  isAvailableDuringGracePeriod: Flag({
    default: true,
    description: 'Whether customers keep the feature in the grace time after a lease has run out.',
  }),
  isPaidFeature: Flag({
    default: false,
    description: 'Whether the feature is part of what is sold, rather than something that everybody gets.',
  }),
  canModifyValueOnEntitlement: Flag({
    default: true,
    description: "Whether support may give one customer another value, on that customer's entitlement.",
  }),
  meterAggregationType: NullableOneOf(metricTypes, {
    description: 'How reports of usage add up over a period; null for a feature that is not metered.',
  }),
  visibility: OneOf(visibilities, {
    default: 'Public',
    description: 'Public is shown to customers; Internal is for the vendor alone.',
  }),
  sortOrder: Int32({
    default: 0,
    description: 'Where the feature stands among those of the product, lowest number first.',
  }),
}
export type ProductFeature = FullOf<typeof productFeatureFields>
export const ProductFeature = Patchable(productFeatureFields, ['featureCode'], {
  description: 'A feature as attached to a product.',
})

const productInformationFields = {
  displayVersion: NullableText(200, {
    description: 'What people call this release, where it is not the productVersion.',
    examples: ['2026 SP1'],
  }),
  additionalInformation: NullableText(20_000, {
    description: 'Anything that customers should read beside name and description, in prose.',
  }),
  revisionInformation: NullableText(20_000, {
    description: 'What is new in this release, as release notes for customers.',
  }),
  downloadUrl: NullableText(2000, {
    description: 'The web address from which customers fetch the installer.',
    examples: ['https://acme.example/download'],
  }),
  informationUrl: NullableText(2000, {
    description: 'The web address of the page that presents the product.',
    examples: ['https://acme.example/cad'],
  }),
  supportUrl: NullableText(2000, {
    description: 'The web address where customers get help.',
    examples: ['https://acme.example/help'],
  }),
}
export type ProductInformation = FullOf<typeof productInformationFields>

const metadataFields = {
  key: Text(500, {
    min: 1,
    description: 'What the note is called; each occurs once for a property.',
    examples: ['unit'],
  }),
  value: NullableText(65_536, {
    description: 'What the note says, as text that licet does not read.',
    examples: ['kg'],
  }),
}

const property = Patchable(
  {
    key: NullableText(500, { description: 'What other systems call the property, where they use another name.' }),
    value: NullableText(65_536, { description: 'What the property is for this product, as text.', examples: ['4.2'] }),
    metadata: NamedList(Patchable(metadataFields, ['key'], { description: 'A note on the property.' }), ['key'], {
      description: 'Notes on the property, such as its unit or origin, each told apart by its key.',
    }),
  },
  [],
  { description: 'A property of your own.' },
)
export interface PropertyValue {
  key: string | null
  value: string | null
  metadata: { key: string; value: string | null }[]
}

/** The fields of a product that mean the same on the wire and in a snapshot. */
export const productFields = {
  name: Text(300, {
    min: 1,
    description: 'What people read wherever the product is shown; its code when a snapshot leaves it out on create.',
    examples: ['Acme CAD'],
  }),
  description: NullableText(20_000, { description: 'What the product does and for whom, in prose.' }),
  status: OneOf(productStatuses, {
    default: 'Draft',
    description:
      'How far the product is: Draft while it is prepared, Published when it is sold, Retired when no longer. It only moves on, never back.',
  }),
  externalId: NullableText(300, {
    description: 'What another system of the vendor, such as an ERP, calls this product.',
    examples: ['ERP-4711'],
  }),
  expirationDate: NullableInstant({
    description:
      'When the product itself ends, as an RFC 3339 date-time, for those who plan by it; null is without end. It ends no entitlement: how long one may be used is said by its own end.',
    examples: ['2027-12-31T23:59:59Z'],
  }),
  isLocked: Flag({
    default: false,
    description: 'true refuses every edit of the product until it is unlocked; unlocking and editing at once is fine.',
  }),
  productMetaData: NullableText(65_536, {
    description: 'Whatever other systems of the vendor keep with the product, as text that licet does not read.',
  }),
  productInformation: Type.Unsafe<Partial<ProductInformation> | null>({
    type: ['object', 'null'],
    additionalProperties: false,
    properties: productInformationFields,
    default: null,
    description: 'Links and texts that customers are shown beside the name of the product.',
  }),
  propertyValues: Type.Unsafe<Record<string, PropertyValue>>({
    type: 'object',
    maxProperties: 1000,
    propertyNames: { minLength: 1, maxLength: 500 },
    additionalProperties: property,
    'x-map': true,
    default: {},
    description:
      'Properties of your own under names of your own, such as a weight or a cost centre; licet keeps them and does not read them.',
  }),
  applicationScopes: TextList('The name of an application scope.', {
    description:
      'Names of scopes that an application may ask for when it activates, where one licence serves several applications.',
    examples: [['editor', 'viewer']],
  }),
  tags: TagNames(),
  features: NamedList(ProductFeature, ['featureCode'], {
    'x-sorted-by': 'sortOrder',
    description:
      'The features attached to the product with the values that every customer has, told apart by featureCode. One that only the environment has stays.',
  }),
}

export const productItemFields = {
  productCode: Code({
    description:
      'Identifies the product, together with productVersion. Everything that belongs to the product names it by both.',
    examples: ['ACME-CAD'],
  }),
  productVersion: NullableCode({
    description:
      'Which release of the product it is; left out for a product without versions. In YAML it is quoted: without quotes 1.10 is the number 1.1.',
    examples: ['2.0'],
  }),
  ...productFields,
  parentProductCode: NullableCode({
    description: 'The code of the product that this one is a part or an edition of, if any.',
    examples: ['ACME-CAD'],
  }),
  parentProductVersion: NullableCode({
    description: 'The productVersion of that parent; left out when it has none.',
    examples: ['2.0'],
  }),
}
export type Product = FullOf<typeof productItemFields>
export type ProductItem = PatchOf<typeof productItemFields>
export const ProductItem = Patchable(productItemFields, ['productCode'], {
  description:
    'Something the vendor sells and ships, with the features attached to it. It has a suite of its own, which plans and add-ons name as PRODUCT or PRODUCT@VERSION.',
})
