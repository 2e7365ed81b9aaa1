import { Type } from 'typebox'
import { entitlementStatuses, featureLifecycleStatuses } from '../../../catalog-schema/enumerations.ts'
import { offerFeatureFields, offerFields } from '../../../catalog-schema/offer.ts'
import {
  Flag,
  NullableInstant,
  NullableOneOf,
  NullableText,
  NullableUuid,
  OneOf,
  Text,
  Uuid,
} from '../../../catalog-schema/scalars.ts'
import { Closed, NamedList, Patchable } from '../../../catalog-schema/shapes.ts'
import { ProductRecord } from '../../catalog/products/contract.ts'
import { collectionContracts } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { recordId, recordTail } from '../../kit/records/answers.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { entitlementFilterFields, holderFields, standingFields } from '../entitlements/fields.ts'
import type { GivenFeature } from '../entitlements/given-features.ts'
import type { GivenProduct } from './given-products.ts'

const givenProducts = Type.Unsafe<GivenProduct[]>({
  type: 'array',
  maxItems: 20_000,
  items: Patchable(
    {
      productId: Uuid({ description: 'Which product; or its `id`, as a product is answered.' }),
      id: Uuid({ description: 'The same as productId.' }),
      features: NamedList(Patchable(offerFeatureFields, ['featureCode']), ['featureCode'], {
        description: 'Values that the offer sets itself.',
      }),
    },
    [],
    { if: { required: ['id'] }, else: { required: ['productId'] } },
  ),
  description: 'The products an entitlement of this offer has; a list replaces the stored one.',
})

const { featureCode, ...featureValues } = offerFeatureFields

/** The features of an entitlement that a request changes. */
export const givenFeatures = Type.Unsafe<GivenFeature[]>({
  type: 'array',
  maxItems: 20_000,
  items: {
    type: 'object',
    additionalProperties: false,
    properties: {
      productId: Uuid({
        description: 'Its product; may be left out where only one product of the entitlement has it.',
      }),
      featureCode,
      ...featureValues,
      clearFeatureExpiration: { type: 'boolean', description: 'True makes featureExpiration null.' },
    },
    required: ['featureCode'],
  },
  description:
    "The features to change, by product and code; the others stay as they are. A value stands in place of the plan's until another plan is applied, and before what add-ons make of it; it is refused where canModifyValueOnEntitlement is false.",
})

/** The fields of an offer that a request writes. */
export const offerBodyFields = {
  ...offerFields,
  isOffer: Type.Unsafe<true>({
    type: 'boolean',
    enum: [true],
    description: 'What is here is an offer; at its other path it may be made an entitlement.',
  }),
  products: givenProducts,
  assignedPlanSetId: NullableUuid({ description: 'The set of the plan an entitlement of this offer starts on.' }),
  assignedPlanName: NullableText(200, { description: 'The plan of that set.' }),
  ...holderFields,
  campaignId: NullableUuid({
    description: 'The campaign that it is made because of, said when it is created; an edit leaves it as it is.',
  }),
}

/** The fields that a request clears, by what says so. */
export const offerClears = {
  clearNotValidBeforeDateTime: 'notValidBeforeDateTime',
  clearExpirationDateTime: 'expirationDateTime',
  clearExpirationDate: 'expirationDateTime',
  clearCustomerId: 'customerId',
  clearAssignedPlan: 'assignedPlanSetId',
  clearActivationPolicy: 'activationPolicy',
  clearLicensePolicy: 'licensePolicy',
  clearTrialPolicy: 'trialPolicy',
  clearAnonymousTryPolicy: 'anonymousTryPolicy',
  clearRenewalPolicy: 'renewalPolicy',
  clearKeyIssuancePolicy: 'keyIssuancePolicy',
} as const

const entitlementFeature = Closed({
  ...recordId,
  featureCode: Text(200),
  productId: Uuid(),
  moduleName: NullableText(200),
  featurePath: NullableText(500),
  name: NullableText(300),
  description: NullableText(20_000),
  value: NullableText(65_536, { description: "The offer's own value, or else the product's." }),
  version: NullableText(100),
  isEnabled: Flag({ default: true }),
  isAvailableDuringTrialPeriod: Flag({ default: true }),
  isAvailableDuringGracePeriod: Flag({ default: true }),
  isPaidFeature: Flag({ default: false }),
  canModifyValueOnEntitlement: Flag({ default: true }),
  meteredAssetId: NullableUuid({ description: 'The monitored asset that meters it.' }),
  featureExpiration: NullableInstant(),
  catalogLifecycleStatus: NullableOneOf(featureLifecycleStatuses),
})

const addOn = Closed({ addOnId: Uuid(), code: Text(200), name: Text(300) })

/** An offer as it is answered: with every field that an entitlement has. */
export const OfferRecord = Closed(
  {
    ...recordId,
    ...offerFields,
    isOffer: Flag({ default: true }),
    status: OneOf(entitlementStatuses),
    products: Type.Array(ProductRecord),
    features: Type.Array(entitlementFeature),
    assignedPlanSetId: NullableUuid(),
    assignedPlanName: NullableText(200),
    ...holderFields,
    ...standingFields,
    addOns: Type.Array(addOn, {
      description: 'The add-ons that were applied to it, in their order; an offer has none.',
    }),
    ...recordTail,
  },
  { description: 'What entitlements are cloned from when something is sold.' },
)

export const offerContracts = collectionContracts({
  name: 'admin.offers',
  noun: 'entitlement offer',
  plural: 'entitlement offers',
  path: 'admin/entitlements/offers',
  scope: 'entitlements',
  record: OfferRecord,
  create: bodyOf(offerBodyFields, ['name']),
  update: bodyOf(offerBodyFields, [], offerClears),
  replace: bodyOf({ ...offerBodyFields, features: givenFeatures }, ['name'], offerClears),
  filterable: entitlementFilterFields.map(({ name }) => name),
  notSortable: ['tags'],
  editProblems: ['catalog.invalid_transition'],
})

const params = Closed({
  id: Uuid({ description: 'The id of the entitlement.' }),
  productId: Uuid({ description: 'The id of the product.' }),
})

const offerProducts = `${provision}/admin/entitlements/offers/{id}/products/{productId}`

/** The products of an offer, one at a time. */
export const offerProductContracts = {
  attach: contract({
    name: 'admin.offers.products.attach',
    method: 'POST',
    path: offerProducts,
    access: 'admin.entitlements:update',
    summary: 'Attach a product',
    description: 'A product that is attached already stays as it is.',
    params,
    answer: OfferRecord,
    problems: ['license.record_not_found', 'request.precondition_failed'],
  }),
  detach: contract({
    name: 'admin.offers.products.detach',
    method: 'DELETE',
    path: offerProducts,
    access: 'admin.entitlements:delete',
    summary: 'Detach a product, with the values set for it',
    params,
    problems: ['license.record_not_found', 'request.precondition_failed'],
  }),
}
