import { type TProperties, Type } from 'typebox'
import {
  authenticationLevels,
  caseStyles,
  componentMatchingStrategies,
  consumptionPeriods,
  keyAlphabets,
  keyChecksums,
  licenseModels,
  planChangeApprovals,
  sequenceScopes,
  trialStarts,
} from './enumerations.ts'
import {
  Duration,
  Flag,
  Int32,
  NullableDuration,
  NullableInt32,
  NullableText,
  NullableUuid,
  OneOf,
  Text,
} from './scalars.ts'
import { type FullOf, TextList } from './shapes.ts'

/** A policy as an object whose fields may be left out; null is "no such policy of its own". */
const policy = <P extends TProperties>(properties: P, description: string) =>
  Type.Unsafe<Partial<FullOf<P>> | null>({
    type: ['object', 'null'],
    additionalProperties: false,
    properties,
    default: null,
    description,
  })

export const activationPolicyFields = {
  requiredAuthenticationLevel: OneOf(authenticationLevels, {
    default: 'Default',
    description: 'How a user must have signed in to activate; Default asks for nothing.',
  }),
  requireNewUserVerification: Flag({
    default: false,
    description: 'Whether a new user confirms an e-mail address first.',
  }),
  requireProductCode: Flag({ default: false, description: 'Whether an activation names its product.' }),
  requireActivationWorkflow: Flag({ default: false, description: 'Whether only an issued activation code activates.' }),
  requireOrganizationGroupMember: NullableUuid({
    description: 'The id of the group that a user must belong to; only known in its own tenant.',
  }),
  allowedIpCidr: TextList({ description: 'Networks a device may activate from, as IPv4 or IPv6 CIDR; empty is any.' }),
  requirePreConfiguredDeviceIdentification: Flag({
    default: false,
    description: 'Whether only devices named beforehand may activate.',
  }),
  requiredDeviceIdentificationSignatureLength: NullableInt32({
    minimum: 0,
    description: 'The least length of a device fingerprint.',
  }),
}

export const licensePolicyFields = {
  licenseModel: OneOf(licenseModels, {
    default: 'NodeLocked',
    description: 'What holds a seat: a device, a session, or recent use.',
  }),
  maxDeviceActivations: NullableInt32({ minimum: 0, description: 'The seats; null is unlimited.' }),
  leaseTime: NullableDuration({ description: 'P7D when none is given; PT10M for Floating.' }),
  graceTime: NullableDuration({ description: 'P3D when none is given; PT0S for Floating.' }),
  inactivityTimeout: Duration({ default: 'PT1H', description: 'How long without use frees a seat (InactivityBased).' }),
  concurrentInstances: Flag({
    default: false,
    description: 'Whether each running instance of the application takes a seat.',
  }),
  componentMatchingStrategy: OneOf(componentMatchingStrategies, {
    default: 'MatchAll',
    description: 'How much of a changed device must still be the same.',
  }),
  allowedApplicationScopes: TextList({ description: 'The application scopes a device may ask for; empty is any.' }),
  allowRelease: Flag({ default: true, description: 'Whether a device may give its seat back.' }),
}

export const trialPolicyFields = {
  enabled: Flag({ default: true, description: 'Whether there is a trial.' }),
  duration: Duration({ default: 'P14D', description: 'How long the trial lasts.' }),
  startsOn: OneOf(trialStarts, { default: 'Activation', description: 'When the trial begins to run.' }),
}

export const anonymousTryPolicyFields = {
  enabled: Flag({ default: true, description: 'Whether visitors may try.' }),
  duration: Duration({ default: 'P1D', description: 'How long a device may try.' }),
  maxDevices: NullableInt32({ minimum: 0, description: 'How many devices may try at once; null is any number.' }),
}

export const renewalPolicyFields = {
  period: OneOf(consumptionPeriods, { default: 'Yearly', description: 'How long a subscription period is.' }),
  autoRenew: Flag({ default: false, description: 'Whether the next period begins by itself.' }),
  expiringNotice: Duration({ default: 'P7D', description: 'How long before the end notice is given.' }),
  planChangeApproval: OneOf(planChangeApprovals, {
    default: 'Manual',
    description: "Whether a customer's wish for another plan is granted at once.",
  }),
}

export const keyIssuancePolicyFields = {
  enabled: Flag({ default: true, description: 'Whether codes are made by this policy.' }),
  template: Text(500, {
    min: 1,
    default: '{random:5}-{random:5}-{random:5}-{random:5}',
    description: 'The form of a code: {random:N}, {seq:N}, {year}, {productCode}, {check} and plain text.',
  }),
  alphabet: OneOf(keyAlphabets, { default: 'CrockfordBase32', description: 'The characters of random parts.' }),
  customAlphabet: NullableText(200, { description: 'The characters of the alphabet Custom.' }),
  caseStyle: OneOf(caseStyles, { default: 'Upper', description: 'Whether letters are large or small.' }),
  checksum: OneOf(keyChecksums, { default: 'None', description: 'How {check} is computed.' }),
  sequenceScope: OneOf(sequenceScopes, { default: 'Entitlement', description: 'What {seq:N} counts within.' }),
  sequenceStart: Int32({ default: 1, minimum: 0, description: 'The first number of {seq:N}.' }),
}

/** The policies of an entitlement or offer, by field name. */
export const policyFields = {
  activationPolicy: policy(activationPolicyFields, 'Who may activate, from where, and how they must be known.'),
  licensePolicy: policy(licensePolicyFields, 'Seats, leases and how devices are told apart.'),
  trialPolicy: policy(trialPolicyFields, 'The trial period.'),
  anonymousTryPolicy: policy(anonymousTryPolicyFields, 'Using the application without an account.'),
  renewalPolicy: policy(renewalPolicyFields, 'Subscription periods and their renewal.'),
  keyIssuancePolicy: policy(keyIssuancePolicyFields, 'How activation codes are written.'),
}
