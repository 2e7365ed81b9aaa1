import { Type } from 'typebox'
import { Duration, Int32, NullableText, Text } from '../../../catalog-schema/scalars.ts'
import { Closed, type FullOf, Patchable } from '../../../catalog-schema/shapes.ts'
import { contract, provision } from '../../kit/contract.ts'
import { NullInstant } from '../../kit/records/answers.ts'
import { bodyOf, withoutDefaults } from '../../kit/records/body.ts'
import { NullableEmail } from '../users/email-address.ts'

const WebAddress = (description: string) =>
  NullableText(500, { pattern: '^https?://[^\\s\\u0000-\\u001f\\u007f]+$', description })

const providerFields = {
  name: NullableText(200, { description: "The vendor's name as customers know it; null is the tenant's own." }),
  supportEmail: NullableEmail('Where a customer asks for help.'),
  supportUrl: WebAddress('A page where a customer finds help.'),
  url: WebAddress("The vendor's own page."),
}

/** Who stands behind the licences. */
export type Provider = FullOf<typeof providerFields>

/** An outside OpenID issuer that a tenant trusts to sign its end users in. */
export interface TrustedIssuer {
  issuer: string
  audience: string
  jwksUri: string
}

const trustedIssuer = Closed({
  issuer: Text(500, { min: 1, description: 'The `iss` of its tokens, exactly.' }),
  audience: Text(500, {
    min: 1,
    description: 'What the `aud` of a token must be or hold: usually our client id there.',
  }),
  jwksUri: Text(1000, {
    min: 1,
    description:
      'Where its public keys are: https at a public address. Where the service listens at a loopback address alone, http and loopback will do.',
  }),
})

const lostDeviceFields = {
  most: Int32({ default: 3, minimum: 0, description: 'How many devices; 0 is none.' }),
  within: Duration({ default: 'P30D', description: 'Within how long, as an ISO 8601 duration.' }),
}

/** How often an end user may free the seat of a lost device. */
export type LostDevices = FullOf<typeof lostDeviceFields>

const webhookRetentionFields = {
  delivered: Duration({ default: 'P30D', description: 'How long what was delivered is kept, from then on.' }),
  deadLettered: Duration({ default: 'P90D', description: 'How long what was given up is kept, from then on.' }),
}

/** How long deliveries of webhooks are kept once they are over. */
export type WebhookRetention = FullOf<typeof webhookRetentionFields>

/** What a tenant sets for itself. */
export const settingsFields = {
  lostDevices: Patchable(lostDeviceFields, [], {
    default: {},
    description: 'How often end users may free the seat of a device of their own, such as a lost one.',
  }),
  provider: Patchable(providerFields, [], {
    default: {},
    description: 'Who stands behind the licences, for those who use them.',
  }),
  trustedIssuers: Type.Unsafe<TrustedIssuer[]>({
    type: 'array',
    items: trustedIssuer,
    maxItems: 20,
    default: [],
    description: 'Outside OpenID issuers whose tokens sign end users in; the list replaces the stored one.',
  }),
  webhookRetention: Patchable(webhookRetentionFields, [], {
    default: {},
    description:
      'How long deliveries of webhooks are kept with their attempts, as ISO 8601 durations of 1 to 3650 days. An event that no delivery tells of any more is kept for the longer of the two.',
  }),
}

const SettingsRecord = Closed(
  {
    ...settingsFields,
    updatedAt: NullInstant('When they were last changed; null when they never were.'),
    revisionNumber: Type.Integer({ description: 'Counts the changes; If-Match asks for it.' }),
  },
  { title: 'Settings', description: 'What a tenant sets for itself.' },
)

export const settingsContracts = {
  get: contract({
    name: 'admin.settings.get',
    method: 'GET',
    path: `${provision}/admin/settings`,
    access: 'admin.settings:read',
    summary: 'Read the settings of the tenant',
    answer: SettingsRecord,
  }),
  update: contract({
    name: 'admin.settings.update',
    method: 'PATCH',
    path: `${provision}/admin/settings`,
    access: 'admin.settings:update',
    summary: 'Change settings of the tenant',
    description:
      'What is absent or null stays as it is; an empty text clears one. Of provider, the fields that are named change.',
    body: withoutDefaults(bodyOf(settingsFields)),
    answer: SettingsRecord,
    problems: ['request.precondition_failed'],
  }),
}
