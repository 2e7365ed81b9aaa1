import { Type } from 'typebox'
import { entitlementStatuses } from './enumerations.ts'
import { activationPolicyOfItem, policyFields } from './policies.ts'
import { Code, Flag, Name, NullableCode, NullableInstant, NullableText, NullableValueText, OneOf } from './scalars.ts'
import { type FullOf, NamedList, ofProduct, Patchable, type PatchOf, TagNames } from './shapes.ts'

/** A feature as an offer or entitlement holds it: only what differs from the product's own. */
export const offerFeatureFields = {
  featureCode: Code({ description: 'Which feature of that product the offer speaks of.', examples: ['SEATS'] }),
  value: NullableValueText({
    description:
      'What entitlements of this offer have of the feature, before anything that the plan says; kept as text.',
    examples: ['5'],
  }),
  version: NullableText(100, {
    description: 'Which release of the feature is offered, where features have versions of their own.',
    examples: ['2.1'],
  }),
  isEnabled: Flag({
    default: true,
    description: 'false switches the feature off for entitlements of this offer, whatever its value says.',
  }),
  featureExpiration: NullableInstant({
    description:
      'When the feature ends, though the entitlement may last longer, as an RFC 3339 date-time; null is with the entitlement.',
    examples: ['2027-12-31T23:59:59Z'],
  }),
}
export type OfferFeature = FullOf<typeof offerFeatureFields>

const offerProductFields = {
  ...ofProduct,
  features: NamedList(
    Patchable(offerFeatureFields, ['featureCode'], { description: 'A value that the offer sets itself.' }),
    ['featureCode'],
    {
      description: 'Features that the offer gives other values than the product does, told apart by featureCode.',
    },
  ),
}

/** The fields of an offer that mean the same on the wire and in a snapshot. */
export const offerFields = {
  name: Name(300, {
    description: 'Identifies the offer together with its version, and is what people choose it by.',
    examples: ['CAD Team'],
  }),
  version: NullableCode({
    description: 'Which edition of the offer it is; left out for an offer without versions. In YAML it is quoted.',
    examples: ['1'],
  }),
  description: NullableText(20_000, { description: 'What a customer gets and for whom it is, in prose.' }),
  status: OneOf(entitlementStatuses, {
    default: 'Draft',
    description:
      'Whether entitlements are made of it: Draft while it is prepared, Active when it is sold, Suspended for a while, Cancelled or Expired when no longer.',
  }),
  legalNoticeHtml: NullableText(100_000, { description: 'The terms that a user is shown on activation, as HTML.' }),
  issueOnUserRegistration: Flag({
    default: false,
    description:
      'Whether somebody who registers gets an entitlement of this offer as soon as the e-mail address is confirmed.',
  }),
  allowAnonymousTry: Flag({
    default: false,
    description:
      'Whether visitors may use the application without an account, on a short licence for each device; needs an anonymousTryPolicy as well.',
  }),
  isEntitlementTrial: Flag({
    default: false,
    description:
      'Whether what is cloned from this offer is a trial rather than a licence that was sold; without a trialPolicy it gets the default one.',
  }),
  notValidBeforeDateTime: NullableInstant({
    description:
      'Entitlements of this offer are not valid before this instant, an RFC 3339 date-time; null is at once.',
    examples: ['2027-01-01T00:00:00Z'],
  }),
  expirationDateTime: NullableInstant({
    description: 'Entitlements of this offer end at this instant, an RFC 3339 date-time; null is without end.',
    examples: ['2027-12-31T23:59:59Z'],
  }),
  reference: NullableText(300, {
    description: 'What the vendor refers to with it, such as an order or a price list.',
    examples: ['PL-2026'],
  }),
  externalReference: NullableText(300, {
    description: 'What another system of the vendor, such as a shop, calls this offer.',
    examples: ['SHOP-311'],
  }),
  metadata: NullableText(65_536, {
    description: 'Whatever other systems of the vendor keep with the offer, as text that licet does not read.',
  }),
  ...policyFields,
  tags: TagNames(),
}

const assignedPlanFields = {
  suiteCode: Code({
    description:
      "The suite that the plan set is for: its code, or PRODUCT or PRODUCT@VERSION for a product's own suite.",
    examples: ['ACME-CAD@2.0'],
  }),
  planSetName: Code({
    description: 'Which plan set of that suite customers start in.',
    examples: ['Standard'],
  }),
  planName: Code({ description: 'Which plan of that set customers start on.', examples: ['Pro'] }),
}

export const offerItemFields = {
  ...offerFields,
  activationPolicy: activationPolicyOfItem,
  products: NamedList(
    Patchable(offerProductFields, ['productCode'], { description: 'A product that the offer licenses.' }),
    ['productCode', 'productVersion'],
    {
      description: 'What entitlements of this offer license, told apart by code and version.',
    },
  ),
  assignedPlan: Type.Unsafe<{ suiteCode: string; planSetName: string; planName: string } | null>({
    ...Patchable(assignedPlanFields, ['suiteCode', 'planSetName', 'planName']),
    type: ['object', 'null'],
    'x-whole': true,
    default: null,
    description: 'The plan that entitlements of this offer start on; null is none. It is replaced whole.',
  }),
}
export type Offer = FullOf<typeof offerItemFields>
export type OfferItem = PatchOf<typeof offerItemFields>
export const OfferItem = Patchable(offerItemFields, ['name'], {
  description:
    'A template that entitlements are cloned from when something is sold: products, plan, policies and terms.',
})
