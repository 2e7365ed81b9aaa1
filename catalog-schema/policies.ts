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
  requiredAuthenticationLevel: OneOf(authenticationLevels, { default: 'Default' }),
  requireNewUserVerification: Flag({ default: false }),
  requireProductCode: Flag({ default: false }),
  requireActivationWorkflow: Flag({ default: false }),
  requireOrganizationGroupMember: NullableUuid(),
  allowedIpCidr: TextList({ description: 'Networks a device may activate from, as IPv4 or IPv6 CIDR; empty is any.' }),
  requirePreConfiguredDeviceIdentification: Flag({ default: false }),
  requiredDeviceIdentificationSignatureLength: NullableInt32({ minimum: 0 }),
}

export const licensePolicyFields = {
  licenseModel: OneOf(licenseModels, { default: 'NodeLocked' }),
  maxDeviceActivations: NullableInt32({ minimum: 0, description: 'The seats; null is unlimited.' }),
  leaseTime: NullableDuration({ description: 'P7D when none is given; PT10M for Floating.' }),
  graceTime: NullableDuration({ description: 'P3D when none is given; PT0S for Floating.' }),
  inactivityTimeout: Duration({ default: 'PT1H' }),
  concurrentInstances: Flag({ default: false }),
  componentMatchingStrategy: OneOf(componentMatchingStrategies, { default: 'MatchAll' }),
  allowedApplicationScopes: TextList(),
  allowRelease: Flag({ default: true }),
}

export const trialPolicyFields = {
  enabled: Flag({ default: true }),
  duration: Duration({ default: 'P14D' }),
  startsOn: OneOf(trialStarts, { default: 'Activation' }),
}

export const anonymousTryPolicyFields = {
  enabled: Flag({ default: true }),
  duration: Duration({ default: 'P1D' }),
  maxDevices: NullableInt32({ minimum: 0 }),
}

export const renewalPolicyFields = {
  period: OneOf(consumptionPeriods, { default: 'Yearly' }),
  autoRenew: Flag({ default: false }),
  expiringNotice: Duration({ default: 'P7D' }),
  planChangeApproval: OneOf(planChangeApprovals, { default: 'Manual' }),
}

export const keyIssuancePolicyFields = {
  enabled: Flag({ default: true }),
  template: Text(500, { min: 1, default: '{random:5}-{random:5}-{random:5}-{random:5}' }),
  alphabet: OneOf(keyAlphabets, { default: 'CrockfordBase32' }),
  customAlphabet: NullableText(200),
  caseStyle: OneOf(caseStyles, { default: 'Upper' }),
  checksum: OneOf(keyChecksums, { default: 'None' }),
  sequenceScope: OneOf(sequenceScopes, { default: 'Entitlement' }),
  sequenceStart: Int32({ default: 1, minimum: 0 }),
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
