import { Type } from 'typebox'
import { entitlementStatuses } from './enumerations.ts'
import { policyFields } from './policies.ts'
import { Code, Flag, Name, NullableCode, NullableInstant, NullableText, NullableValueText, OneOf } from './scalars.ts'
import { type FullOf, NamedList, ofProduct, Patchable, type PatchOf, TagNames } from './shapes.ts'

/** A feature as an offer or entitlement holds it: only what differs from the product's own. */
export const offerFeatureFields = {
  featureCode: Code(),
  value: NullableValueText(),
  version: NullableText(100),
  isEnabled: Flag({ default: true }),
  featureExpiration: NullableInstant(),
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
  description: NullableText(20_000),
  legalNoticeHtml: NullableText(100_000),
  issueOnUserRegistration: Flag({
    default: false,
    description: 'A self-registered user gets an entitlement of this offer.',
  }),
  allowAnonymousTry: Flag({
    default: false,
    description: 'Visitors may try without an account (with an anonymousTryPolicy).',
  }),
  isEntitlementTrial: Flag({ default: false }),
  notValidBeforeDateTime: NullableInstant(),
  expirationDateTime: NullableInstant(),
  reference: NullableText(300, { description: "The vendor's own reference, such as an order or a price list." }),
  externalReference: NullableText(300, { description: "The offer's id in another system of the vendor." }),
  metadata: NullableText(65_536),
  ...policyFields,
  tags: TagNames(),
}

export const offerItemFields = {
  ...offerFields,
  status: OneOf(entitlementStatuses, {
    default: 'Draft',
    description: 'Draft, then Active (and Suspended for a while), then Cancelled or Expired.',
  }),
  products: NamedList(Patchable(offerProductFields, ['productCode']), ['productCode', 'productVersion'], {
    description: 'The products an entitlement of this offer has.',
  }),
  assignedPlan: Type.Unsafe<{ suiteCode: string; planSetName: string; planName: string } | null>({
    ...Patchable({ suiteCode: Code(), planSetName: Code(), planName: Code() }, [
      'suiteCode',
      'planSetName',
      'planName',
    ]),
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
