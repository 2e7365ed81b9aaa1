import { Type } from 'typebox'
import { entitlementStatuses } from './enumerations.ts'
import { policyFields } from './policies.ts'
import { Code, Flag, Name, NullableCode, NullableInstant, NullableText, NullableValueText, OneOf } from './scalars.ts'
import { type FullOf, NamedList, ofProduct, Patchable, type PatchOf, TagNames } from './shapes.ts'

/** A feature as an offer or entitlement holds it: only what differs from the product's own. */
export const offerFeatureFields = {
  featureCode: Code({ description: 'A feature of the product.' }),
  value: NullableValueText({ description: 'The value that entitlements of this offer have; kept as text.' }),
  version: NullableText(100, { description: 'The version of the feature.' }),
  isEnabled: Flag({ default: true, description: 'Whether the feature is switched on.' }),
  featureExpiration: NullableInstant({ description: 'When the feature ends, be the entitlement longer or not.' }),
}
export type OfferFeature = FullOf<typeof offerFeatureFields>

export const offerProductFields = {
  ...ofProduct,
  features: NamedList(Patchable(offerFeatureFields, ['featureCode']), ['featureCode'], {
    description: 'Values that the offer sets itself.',
  }),
}
export type OfferProduct = FullOf<typeof offerProductFields>

/** The fields of an offer that mean the same on the wire and in a snapshot. */
export const offerFields = {
  name: Name(300, { description: 'Identifies the offer together with its version.' }),
  version: NullableCode({ description: 'Left out for an offer without versions.' }),
  description: NullableText(20_000, { description: 'What is offered, for people.' }),
  status: OneOf(entitlementStatuses, {
    default: 'Draft',
    description: 'Draft, then Active (and Suspended for a while), then Cancelled or Expired.',
  }),
  legalNoticeHtml: NullableText(100_000, { description: 'The terms a user is shown, as HTML.' }),
  issueOnUserRegistration: Flag({
    default: false,
    description: 'A self-registered user gets an entitlement of this offer.',
  }),
  allowAnonymousTry: Flag({
    default: false,
    description: 'Visitors may try without an account (with an anonymousTryPolicy).',
  }),
  isEntitlementTrial: Flag({ default: false, description: 'Whether an entitlement of this offer is a trial.' }),
  notValidBeforeDateTime: NullableInstant({ description: 'When an entitlement of this offer begins at the earliest.' }),
  expirationDateTime: NullableInstant({ description: 'When an entitlement of this offer ends.' }),
  reference: NullableText(300, { description: "The vendor's own reference, such as an order or a price list." }),
  externalReference: NullableText(300, { description: "The offer's id in another system of the vendor." }),
  metadata: NullableText(65_536, { description: "Free text of the vendor's own systems." }),
  ...policyFields,
  tags: TagNames(),
}

const assignedPlanFields = {
  suiteCode: Code({ description: 'The suite of the plan set.' }),
  planSetName: Code({ description: 'The name of the plan set.' }),
  planName: Code({ description: 'The name of the plan in that set.' }),
}

export const offerItemFields = {
  ...offerFields,
  products: NamedList(Patchable(offerProductFields, ['productCode']), ['productCode', 'productVersion'], {
    description: 'The products an entitlement of this offer has.',
  }),
  assignedPlan: Type.Unsafe<{ suiteCode: string; planSetName: string; planName: string } | null>({
    ...Patchable(assignedPlanFields, ['suiteCode', 'planSetName', 'planName']),
    type: ['object', 'null'],
    'x-whole': true,
    default: null,
    description: 'The plan an entitlement of this offer starts on.',
  }),
}
export type Offer = FullOf<typeof offerItemFields>
export type OfferItem = PatchOf<typeof offerItemFields>
export const OfferItem = Patchable(offerItemFields, ['name'], {
  description: 'What entitlements are cloned from when something is sold.',
})
