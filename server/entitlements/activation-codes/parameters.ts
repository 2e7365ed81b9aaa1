import { authenticationLevels } from '../../../catalog-schema/enumerations.ts'
import {
  Flag,
  NullableInstant,
  NullableInt32,
  NullableOneOf,
  NullableText,
  NullableUuid,
  Text,
} from '../../../catalog-schema/scalars.ts'
import { type FullOf, TextList } from '../../../catalog-schema/shapes.ts'
import { NullableEmail } from '../../access/users/email-address.ts'
import { bodyOf, type Given } from '../../kit/records/body.ts'

const printable = {
  pattern: '^(?=.*[!-~])[ -~]*$',
  'x-pattern-words': 'must be printable ASCII, and not all of it blank',
}

/** The activation workflow parameters: what a code asks of whoever activates by it. Null is what the entitlement, or else the service, has. */
export const workflowFields = {
  activationCode: Text(200, {
    ...printable,
    description: 'The code itself, in printable ASCII; null has one made by the key issuance policy.',
  }),
  requiredAuthenticationLevel: NullableOneOf(authenticationLevels, {
    description: "How a user must have signed in; null is what the entitlement's activationPolicy asks.",
  }),
  preAuthorizedDevices: TextList('The fingerprint of a device.', {
    description:
      "The only devices that may activate by it, beside the one of fingerprint; none named is any, unless the entitlement's activationPolicy asks for devices named beforehand.",
  }),
  fingerprint: NullableText(500, {
    description: 'The fingerprint of the only device that may activate by it; null is any.',
  }),
  maxDeviceActivations: NullableInt32({
    minimum: 0,
    description:
      "How many devices may hold a seat by it at the same time; null is as many as the entitlement's own limit.",
  }),
  useEntitlementMaxActivations: Flag({
    default: false,
    description: "Whether the entitlement's limit holds in place of maxDeviceActivations.",
  }),
  email: NullableEmail('The e-mail address of the person it is for.'),
  isTrialActivation: Flag({ default: false, description: 'Whether it activates as a trial.' }),
  requiresUserConsent: Flag({ default: false, description: 'Whether the application must ask for consent first.' }),
  sendUserNotification: Flag({
    default: false,
    description: 'Whether the vendor wants the user told; licet itself writes to nobody about a code.',
  }),
  organizationGroupId: NullableUuid({ description: 'The organization group that a user must belong to.' }),
  requiredUserId: NullableUuid({ description: 'The only user that may activate by it.' }),
  expirationTimeStamp: NullableInstant({ description: 'Until when it activates; null is as long as the entitlement.' }),
}

/** Activation workflow parameters as a request gives them. */
export const WorkflowParameters = bodyOf(workflowFields)
export type WorkflowParameters = Given<typeof workflowFields>

/** The same as they are kept; a code that is yet to be made is null. */
export type WorkflowFields = Omit<FullOf<typeof workflowFields>, 'activationCode'> & { activationCode: string | null }
