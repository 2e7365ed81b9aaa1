import type { Static } from 'typebox'
import { Flag, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { collectionContracts } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { bodyOf } from '../../kit/records/body.ts'
import { givenFeatures, OfferRecord, offerBodyFields, offerClears } from '../offers/contract.ts'
import { assignableFilterFields } from './fields.ts'

/** An entitlement, or an offer among them, as it is answered. */
export const EntitlementRecord = Closed(
  {
    ...OfferRecord.properties,
    isOffer: Flag({ default: false, description: 'Whether it is what entitlements are cloned from.' }),
  },
  { description: 'What a customer may use, or (isOffer) what such is cloned from.' },
)
export type EntitlementRecord = Static<typeof EntitlementRecord>

/** The fields of an entitlement that a request writes. */
export const entitlementBodyFields = {
  ...offerBodyFields,
  isOffer: Flag({
    default: false,
    description:
      'Whether it is an offer. A Draft becomes one, or an entitlement again, while nothing hangs on it: no codes, users, usage or add-ons, and no clones.',
  }),
  isEntitlementTrial: Flag({
    default: false,
    description:
      'Whether it is a trial rather than a licence that was sold. It follows the trialPolicy unless this says otherwise: a Draft that is given one in force is one, and what is Active or Suspended when its policy is switched on, unless it had its trial or has an end, or off. Said true where there is no trialPolicy, the default one is written with it.',
  }),
  features: givenFeatures,
}

export const entitlementContracts = collectionContracts({
  name: 'admin.entitlements',
  noun: 'entitlement',
  plural: 'entitlements and entitlement offers',
  path: 'admin/entitlements',
  scope: 'entitlements',
  record: EntitlementRecord,
  create: bodyOf(entitlementBodyFields, ['name']),
  update: bodyOf(entitlementBodyFields, [], offerClears),
  replace: bodyOf(entitlementBodyFields, ['name'], offerClears),
  filterable: assignableFilterFields.map(({ name }) => name),
  notSortable: ['tags', 'principalIds'],
  editProblems: ['catalog.invalid_transition', 'catalog.in_use'],
})

const params = Closed({
  id: Uuid({ description: 'The id of the entitlement.' }),
  productId: Uuid({ description: 'The id of the product.' }),
})

/** The products of an entitlement, or an offer, one at a time. */
export const entitlementProductContracts = {
  attach: contract({
    name: 'admin.entitlements.products.attach',
    method: 'POST',
    path: `${provision}/admin/entitlements/{id}/products/{productId}`,
    access: 'admin.entitlements:update',
    summary: 'Attach a product',
    description:
      'Its features and monitored assets come along; of a product that is attached already, those that it has got since. What the entitlement has stays as it is.',
    params,
    answer: EntitlementRecord,
    problems: ['license.record_not_found', 'request.precondition_failed'],
  }),
  detach: contract({
    name: 'admin.entitlements.products.detach',
    method: 'DELETE',
    path: `${provision}/admin/entitlements/{id}/products/{productId}`,
    access: 'admin.entitlements:delete',
    summary: 'Detach a product, with its features and usage trackers',
    params,
    problems: ['license.record_not_found', 'request.precondition_failed'],
  }),
}
