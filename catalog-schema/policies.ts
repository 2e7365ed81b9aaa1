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
  LastingDuration,
  NullableCode,
  NullableDuration,
  NullableInt32,
  NullableLastingDuration,
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
    description:
      'How a user must have signed in to activate: Default asks nobody to, SignedIn asks for an account, EmailVerified for a confirmed address, MultiFactor for a second factor.',
  }),
  requireNewUserVerification: Flag({
    default: false,
    description:
      'Whether a user who has signed in must have confirmed the e-mail address to activate; where nobody needs to sign in, a device without a user activates all the same.',
  }),
  requireProductCode: Flag({
    default: false,
    description: 'Whether a device must say, by its code, for which product it activates.',
  }),
  requireActivationWorkflow: Flag({
    default: false,
    description: 'Whether only codes that were issued with an activation workflow activate.',
  }),
  requireOrganizationGroupMember: NullableUuid({
    description:
      'The id (a UUID) of the organization group that a user must belong to, one that the tenant has; null is any.',
  }),
  allowedIpCidr: TextList('A network in CIDR notation.', {
    description: 'The networks from which a device may activate, each as IPv4 or IPv6 CIDR; none listed is any.',
    examples: [['192.0.2.0/24']],
  }),
  requirePreConfiguredDeviceIdentification: Flag({
    default: false,
    description: 'Whether only devices whose fingerprints were named beforehand may activate.',
  }),
  requiredDeviceIdentificationSignatureLength: NullableInt32({
    minimum: 0,
    description: 'How many characters a device fingerprint must have at least; null is any number.',
    examples: [32],
  }),
}

export const licensePolicyFields = {
  licenseModel: OneOf(licenseModels, {
    default: 'NodeLocked',
    description:
      'What holds a seat: NodeLocked a device until it is released or revoked, Floating a session until its grace is over, InactivityBased whoever used it within inactivityTimeout.',
  }),
  maxDeviceActivations: NullableInt32({
    minimum: 0,
    description: 'How many seats there are: devices or sessions at the same time; null is any number.',
    examples: [5],
  }),
  leaseTime: NullableLastingDuration({
    description:
      'How long a licence lasts before it must be renewed, as an ISO 8601 duration; null is P7D, or PT10M for Floating.',
    examples: ['P30D'],
  }),
  graceTime: NullableDuration({
    description:
      'How long the application may go on after a lease has run out, as an ISO 8601 duration; null is P3D, or PT0S for Floating.',
    examples: ['P7D'],
  }),
  inactivityTimeout: LastingDuration({
    default: 'PT1H',
    description: 'How long without use frees a seat, as an ISO 8601 duration; InactivityBased only.',
  }),
  concurrentInstances: Flag({
    default: false,
    description: 'Whether each running instance of the application takes a seat of its own, rather than each device.',
  }),
  componentMatchingStrategy: OneOf(componentMatchingStrategies, {
    default: 'MatchAll',
    description:
      'How much of a changed device must still be the same to keep its seat: MatchAll the whole fingerprint, MatchAny one component, Two two of them, Most more than half.',
  }),
  allowedApplicationScopes: TextList('The name of an application scope.', {
    description: 'The application scopes that a device may ask for when it activates; none listed is any.',
    examples: [['editor']],
  }),
  allowRelease: Flag({
    default: true,
    description: 'Whether a device may give its seat back so that another can take it.',
  }),
}

export const trialPolicyFields = {
  enabled: Flag({ default: true, description: 'false keeps the policy and switches the trial off.' }),
  duration: LastingDuration({
    default: 'P14D',
    description: 'How long the trial lasts from its start, as an ISO 8601 duration.',
  }),
  startsOn: OneOf(trialStarts, {
    default: 'Activation',
    description:
      'When the time of the trial begins to run: with the first Activation, or with the Creation of the entitlement, though not before it is valid.',
  }),
}

export const anonymousTryPolicyFields = {
  enabled: Flag({ default: true, description: 'false keeps the policy and switches trying without an account off.' }),
  duration: LastingDuration({
    default: 'P1D',
    description: 'How long one device may use the application without an account, as an ISO 8601 duration.',
  }),
  maxDevices: NullableInt32({
    minimum: 0,
    description: 'How many devices may try at the same time; null is any number.',
    examples: [100],
  }),
}

export const renewalPolicyFields = {
  period: OneOf(consumptionPeriods, {
    default: 'Yearly',
    description: 'How long one subscription lasts before it ends or is renewed.',
  }),
  autoRenew: Flag({ default: false, description: 'Whether the next period begins by itself when one ends.' }),
  expiringNotice: Duration({
    default: 'P7D',
    description: 'How long before the end of a period notice is given, as an ISO 8601 duration.',
  }),
  planChangeApproval: OneOf(planChangeApprovals, {
    default: 'Manual',
    description:
      "What happens to a customer's wish for another plan: Automatic grants it at once, Manual waits for the vendor.",
  }),
}

export const keyIssuancePolicyFields = {
  enabled: Flag({
    default: true,
    description: 'Whether activation codes are made by this policy; false keeps it for later.',
  }),
  template: Text(500, {
    min: 1,
    default: '{random:5}-{random:5}-{random:5}-{random:5}',
    description:
      'How an activation code is written: {random:N} is N random characters, {seq:N} a counter of N digits, {year}, {productCode} and {check} what they say, the rest plain text. It needs {random:N} or {seq:N}.',
  }),
  alphabet: OneOf(keyAlphabets, {
    default: 'CrockfordBase32',
    description: 'Which characters random parts are made of; CrockfordBase32 avoids letters that look like digits.',
  }),
  customAlphabet: NullableText(200, {
    description: 'The characters to choose from when alphabet is Custom: two or more, each once.',
    examples: ['ABCDEFGH23456789'],
  }),
  caseStyle: OneOf(caseStyles, {
    default: 'Upper',
    description: 'Whether codes are written in capital or in small letters; looking one up ignores the difference.',
  }),
  checksum: OneOf(keyChecksums, {
    default: 'None',
    description: 'How the {check} character of a template is computed, which catches typing errors.',
  }),
  sequenceScope: OneOf(sequenceScopes, {
    default: 'Entitlement',
    description: 'Within what {seq:N} counts: each entitlement for itself, each product, or the whole tenant.',
  }),
  sequenceStart: Int32({ default: 1, minimum: 0, description: 'The number that {seq:N} begins with.' }),
}

const whoMayActivate = 'Who may activate, from where, and how they must be known; null asks for nothing.'

/** The activation policy of an offer in a catalog, which means the same in every tenant: the group stands there by its name. */
export const activationPolicyOfItem = policy(
  {
    ...activationPolicyFields,
    requireOrganizationGroupMember: NullableCode({
      description:
        'The name of the organization group that a user must belong to; null is any. No catalog holds groups: the environment must have one of this name.',
      examples: ['Partners'],
    }),
  },
  whoMayActivate,
)

/** The policies of an entitlement or offer, by field name. */
export const policyFields = {
  activationPolicy: policy(activationPolicyFields, whoMayActivate),
  licensePolicy: policy(
    licensePolicyFields,
    'How many seats there are, how long a licence lasts without the server, and how devices are told apart; null has the defaults.',
  ),
  trialPolicy: policy(trialPolicyFields, 'How customers try before they buy; null is no trial.'),
  anonymousTryPolicy: policy(
    anonymousTryPolicyFields,
    'How visitors may use the application without an account, where allowAnonymousTry is true; null is not at all.',
  ),
  renewalPolicy: policy(
    renewalPolicyFields,
    'How long a subscription period lasts and what happens at its end; null has the defaults.',
  ),
  keyIssuancePolicy: policy(
    keyIssuancePolicyFields,
    'How activation codes are written: their form, characters and counters; null has the default form.',
  ),
}
