import { subscriptionStatuses } from '../../../catalog-schema/enumerations.ts'
import { Flag, NullableInstant, NullableText, NullableUuid, OneOf } from '../../../catalog-schema/scalars.ts'
import type { FullOf } from '../../../catalog-schema/shapes.ts'
import { NullableEmail } from '../../access/users/email-address.ts'
import type { FilterField } from '../../kit/filter/fields.ts'
import { filterFieldsOf, storedFields } from '../../kit/records/columns.ts'
import { offerFilterFields } from '../offers/fields.ts'
import { principalIds } from '../principals/store.ts'

/** What a request writes of an entitlement, or an offer, that no snapshot has: whose it is, and what others call it. */
export const holderFields = {
  customerContactEmail: NullableEmail('Whom the vendor writes to about it.'),
  customerContactName: NullableText(300, { description: 'The name of that person.' }),
  customerId: NullableUuid({ description: 'The customer who has it.' }),
  customerExternalReference: NullableText(300, { description: 'What another system calls that customer.' }),
  orderId: NullableText(300, { description: 'The order that it was sold with.' }),
  licenseKey: NullableText(500, { description: 'A key of the vendor that stands for it, shown with its sessions.' }),
}
export type HolderFields = FullOf<typeof holderFields>

/** What an entitlement is answered with beside that: where it came from, and where it stands. */
export const standingFields = {
  subscriptionStatus: OneOf(subscriptionStatuses, {
    default: 'Pending',
    description:
      "Where its subscription stands; follows from status and trial: Trialing while it is Active and a trial, begun or not. An offer's is Pending.",
  }),
  isAnonymousTry: Flag({ default: false, description: 'Whether a visitor without an account has it.' }),
  sourceOfferId: NullableUuid({ description: 'The offer that it was cloned from.' }),
  convertedToEntitlementId: NullableUuid({
    description:
      'The entitlement that a try became: the first that the device was activated on of those sold while the offer could be tried.',
  }),
  campaignId: NullableUuid({ description: 'The campaign that it was issued by.' }),
  activationsEnabled: Flag({
    default: true,
    description:
      'Whether devices that hold no seat of it may be activated, or try it; those that hold one go on either way.',
  }),
  activatedAt: NullableInstant({ description: 'When it became Active for the first time.' }),
  periodStartedAt: NullableInstant({ description: 'When its present subscription period began.' }),
  trialStartedAt: NullableInstant({ description: 'When its trial began, or begins.' }),
  trialEndsAt: NullableInstant({ description: 'When its trial ends, or ended.' }),
}
export type StandingFields = FullOf<typeof standingFields>

/** The fields that no snapshot has, in columns of their own. */
export const holderStorage = storedFields(holderFields)
export const standingStorage = storedFields(standingFields)

export const entitlementFilterFields: readonly FilterField[] = [
  ...offerFilterFields,
  ...filterFieldsOf('entitlements', [...holderStorage, ...standingStorage]),
]

/** With what no offer has. */
export const assignableFilterFields: readonly FilterField[] = [...entitlementFilterFields, principalIds]
