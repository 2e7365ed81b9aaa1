import { type Static, type TProperties, Type } from 'typebox'
import { featureTypes } from '../../../catalog-schema/enumerations.ts'
import { NullableCode, NullableText, NullableUuid, OneOf, Text, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { NullableEmail } from '../../access/users/email-address.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant, NullWords } from '../../kit/records/answers.ts'
import type { ProblemName } from '../../vocabulary/problems.ts'
import { SessionRecord } from './wire.ts'

/** What a device says of itself; the same online and in an offline request. */
export const deviceFields = {
  fingerprint: Text(500, { min: 1, description: 'By which the device is known again.', examples: ['5f0c2b…'] }),
  applicationInfo: Type.Optional(
    Type.Unsafe<Partial<Record<ApplicationInfoField, string | null>> | null>({
      type: ['object', 'null'],
      properties: {
        applicationName: NullableText(200, { description: 'The application.' }),
        installedApplicationVersion: NullableText(200, { description: 'Its version.' }),
        applicationInstanceName: NullableText(200, { description: 'What this installation is called.' }),
        applicationScope: NullableText(200, {
          description: "One of the entitlement's allowedApplicationScopes; null is the first of them.",
        }),
      },
      additionalProperties: false,
    }),
  ),
  components: Type.Optional(
    Type.Unsafe<Record<string, string | null> | null>({
      type: ['object', 'null'],
      maxProperties: 20,
      propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9]{0,49}$' },
      additionalProperties: { type: ['string', 'null'], minLength: 1, maxLength: 200 },
      description:
        'One-way hashes of what the device is made of: MachineName, MacAddress, OsVersion, UserName, or others; null is not sent.',
    }),
  ),
}
type ApplicationInfoField =
  | 'applicationName'
  | 'installedApplicationVersion'
  | 'applicationInstanceName'
  | 'applicationScope'

const activationFields = {
  activationCode: Type.Optional(NullableText(200, { description: 'The code, however it is typed.' })),
  useInteractiveUser: Type.Optional(
    Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description:
        "Whether the bearer token is a signed-in user's: the code may then be left out by a user with just one entitlement.",
    }),
  ),
  ...deviceFields,
  productCode: Type.Optional(NullableCode({ description: 'The product that the application is.' })),
  applicationInstanceId: Type.Optional(
    NullableText(200, { description: 'The running process; with concurrentInstances each takes a seat of its own.' }),
  ),
  deviceName: Type.Optional(NullableText(200, { description: 'What people call the device.' })),
  email: Type.Optional(NullableEmail('Whom to reach about it.')),
}

const ActivationRequest = Closed(activationFields)
export type ActivationRequest = Static<typeof ActivationRequest>

const activationProblems = [
  'license.not_found',
  'license.choice_required',
  'license.entitlement_not_active',
  'license.not_yet_valid',
  'license.expired',
  'license.authentication_required',
  'license.product_code_required',
  'license.scope_not_allowed',
  'license.network_not_allowed',
  'license.device_not_allowed',
  'license.code_used_up',
  'license.seats_exhausted',
  'request.rate_limited',
] as const satisfies readonly ProblemName[]

/** What a caller that says useInteractiveUser is told when the token of no user comes with it. */
const signInProblems = ['auth.unauthenticated', ...activationProblems] as const

const retrySafe =
  'Retry-safe: the same code and fingerprint give the same session and never another seat. An Idempotency-Key is kept for ever, and refused with other parameters here and where else sessions are opened.'

/** How many codes may be guessed. */
export const wrongCodesLimit =
  'An address, of IPv6 all that share its first 64 bits, may show 6,000 wrong codes a minute to a tenant, at activation and admission together, counted by each server process; beyond that a wrong code is answered request.rate_limited with Retry-After, while a right one still gets in.'

const Token = Type.String({ description: 'The license token (JWT, ES256, `typ: license+jwt`).' })

const PublicKey = {
  kid: Type.String(),
  pem: Type.String({ description: 'SubjectPublicKeyInfo.' }),
}

/** Everything that an application keeps of its licence. */
export const LicenseAnswer = Type.Object({
  token: Token,
  session: SessionRecord,
  entitlement: Type.Object({ id: Uuid(), name: NullWords('Its name.'), version: NullWords('Its version.') }),
  provider: Type.Object(
    { id: Uuid(), name: Type.String() },
    { additionalProperties: true, description: 'The vendor: id, name, and what its settings say of it.' },
  ),
  legalNoticeHtml: NullWords('What the user is to be shown.'),
  licensedProductIds: Type.Array(Uuid()),
  products: Type.Array(Type.Object({ id: Uuid(), code: Type.String(), version: NullWords('The productVersion.') })),
  features: Type.Array(
    Type.Object({
      code: Type.String(),
      type: OneOf(featureTypes),
      value: NullWords('Its value as text.'),
      enabled: Type.Boolean(),
      expires: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Seconds since the epoch.' }),
    }),
    { description: 'As the token has them.' },
  ),
  publicKey: Type.Object(
    {
      ...PublicKey,
      alg: Type.String({ description: 'ES256.' }),
      jwk: Type.Record(Type.String(), Type.Unknown()),
    },
    { description: 'The key that verifies the token.' },
  ),
  offlinePublicKey: Type.Object(
    { ...PublicKey, alg: Type.String({ description: 'RS256: RSA-SHA256, PKCS#1 v1.5.' }) },
    { description: 'The key that verifies licences issued as files.' },
  ),
})
export type LicenseAnswer = Static<typeof LicenseAnswer>

export const activateForToken = contract({
  name: 'activations.jwt',
  method: 'POST',
  path: `${provision}/activations/jwt`,
  access: 'anyone',
  summary: 'Activate, and get the license token alone',
  description: `Answers the compact token as application/jwt, or with \`Accept: application/json\` as { token }. ${retrySafe} ${wrongCodesLimit}`,
  body: ActivationRequest,
  answer: Type.Object({ token: Token }),
  plain: { field: 'token', type: 'application/jwt' },
  problems: signInProblems,
})

export const activateForLicense = contract({
  name: 'activations.license',
  method: 'POST',
  path: `${provision}/activations/license`,
  access: 'anyone',
  summary: 'Activate, and get everything about the licence',
  description: `${retrySafe} ${wrongCodesLimit}`,
  body: ActivationRequest,
  answer: LicenseAnswer,
  problems: signInProblems,
})

const ofSession = { params: Closed({ sessionId: Uuid() }), access: 'session' as const }
const sentFingerprint = {
  fingerprint: Type.Optional(
    NullableText(500, { description: 'When it is sent, it must be one that the session was activated with.' }),
  ),
}
const standingProblems = [
  'auth.insufficient_scope',
  'license.session_not_valid',
  'license.entitlement_not_active',
  'license.not_yet_valid',
  'license.expired',
  'license.device_not_allowed',
  'license.code_used_up',
  'license.seats_exhausted',
] as const satisfies readonly ProblemName[]

export const renewSession = contract({
  ...ofSession,
  name: 'activations.renew',
  method: 'POST',
  path: `${provision}/activations/{sessionId}/renew`,
  summary: 'Extend the lease',
  description: 'A new token with a whole lease before it. Earlier tokens of the session stay good until their own exp.',
  body: Closed(sentFingerprint),
  answer: Type.Object({ token: Token, session: SessionRecord }),
  problems: standingProblems,
})

export const checkIn = contract({
  ...ofSession,
  name: 'activations.checkIn',
  method: 'POST',
  path: `${provision}/activations/{sessionId}/check-in`,
  summary: 'Say that the application is in use',
  description: 'The heartbeat: keeps an InactivityBased seat, learns of a revocation; the lease stays as it is.',
  body: Closed(sentFingerprint),
  answer: Type.Object({
    session: SessionRecord,
    serverTime: Instant('Now, as the server has it.'),
    checkInBefore: Instant(
      'When to be heard of next: the end of the lease, of grace once that is over, or before an InactivityBased seat lapses.',
    ),
  }),
  problems: standingProblems,
})

/** That a seat was given back, and when. */
export const ReleaseAnswer = Type.Object({
  sessionId: Uuid(),
  released: Type.Unsafe<true>({ type: 'boolean', enum: [true] }),
  releasedAt: Instant('When the seat was given back.'),
})

export const releaseSession = contract({
  ...ofSession,
  name: 'activations.release',
  method: 'POST',
  path: `${provision}/activations/{sessionId}/release`,
  summary: 'Give the seat back',
  description: 'Again: the same answer.',
  body: Closed(sentFingerprint),
  answer: ReleaseAnswer,
  problems: [
    'auth.insufficient_scope',
    'license.session_not_valid',
    'license.device_not_allowed',
    'license.release_not_allowed',
  ],
})

const { activationCode: _code, useInteractiveUser: _user, ...visitorFields } = activationFields satisfies TProperties

const TryRequest = Closed({
  ...visitorFields,
  offerId: Type.Optional(NullableUuid({ description: 'The offer to try.' })),
})
export type TryRequest = Static<typeof TryRequest>

export const tryOffer = contract({
  name: 'activations.try',
  method: 'POST',
  path: `${provision}/activations/try`,
  access: 'anyone',
  summary: 'Use an application without an account for a while',
  description:
    'By offerId, or by productCode: of the offers with that product that may be tried, the newest that is Active, or else the newest Draft; one that has ended comes last, and is refused. A try is over after the duration of its policy, or with its offer if that ends sooner. It asks for no account and no activation code, whatever the activationPolicy of its offer does; product code, network and length of the fingerprint are asked for alike. A device tries an offer once; trying again while it may gives the same session. An address, of IPv6 all that share its first 64 bits, may bring 1,000 new devices an hour, counted by each server process; more are answered request.rate_limited with Retry-After.',
  body: TryRequest,
  answer: LicenseAnswer,
  problems: [...activationProblems, 'license.record_not_found'],
})

/** What opens sessions: an Idempotency-Key of one of them is not to be used with other parameters at another. */
export const activationNames: readonly string[] = [activateForToken, activateForLicense, tryOffer].map(
  ({ name }) => name,
)
