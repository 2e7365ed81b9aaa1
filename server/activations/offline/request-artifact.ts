import { Problem } from '../../kit/problem.ts'

const applicationInfoNames = [
  'applicationName',
  'installedApplicationVersion',
  'applicationInstanceName',
  'applicationScope',
] as const
const componentNames = ['MachineName', 'MacAddress', 'OsVersion', 'UserName'] as const

/** What a device without a network asks for, in a file that somebody carries. */
export interface RequestArtifact {
  meta: { schemaVersion: number; nonce: string; requestedAt: string; sdkVersion?: string | null }
  body: {
    activationCode: string
    fingerprint: string
    applicationInfo?: { [Name in (typeof applicationInfoNames)[number]]?: string | null } | null
    components?: { [Name in (typeof componentNames)[number]]?: string | null } | null
  }
}

const text = (maxLength: number, description: string) => ({ type: 'string', minLength: 1, maxLength, description })
const optional = (maxLength: number, description: string) => ({ type: ['string', 'null'], maxLength, description })
const optionalFields = (names: readonly string[], maxLength: number, description: string) => ({
  type: ['object', 'null'],
  properties: Object.fromEntries(names.map((name) => [name, { type: ['string', 'null'], maxLength }])),
  description,
})

const versionOne = {
  required: ['meta', 'body'],
  properties: {
    meta: {
      type: 'object',
      required: ['schemaVersion', 'nonce', 'requestedAt'],
      properties: {
        schemaVersion: { const: 1, description: 'The major version of the format.' },
        nonce: {
          type: 'string',
          // 43 characters carry 258 bits: the last two must be zero, or another text would decode to the same bytes.
          pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$',
          'x-pattern-words': 'must be 32 bytes in base64url without padding',
          description: '32 random bytes, base64url without padding; the licence repeats them.',
        },
        requestedAt: { type: 'string', maxLength: 40, 'x-instant': true, description: 'When the device asked.' },
        sdkVersion: optional(200, 'What the request was made with; for diagnosis only.'),
      },
    },
    body: {
      type: 'object',
      required: ['activationCode', 'fingerprint'],
      properties: {
        activationCode: text(500, 'The activation code.'),
        fingerprint: text(500, "The device's fingerprint."),
        applicationInfo: optionalFields(applicationInfoNames, 200, 'What the application says of itself.'),
        components: optionalFields(
          componentNames,
          200,
          'One-way hashes of what the device is made of, for componentMatchingStrategy; without them the fingerprint alone counts.',
        ),
      },
    },
  },
}

const isVersionOne = {
  required: ['meta'],
  properties: { meta: { type: 'object', required: ['schemaVersion'], properties: { schemaVersion: { const: 1 } } } },
}

/**
 * The JSON Schema of a request artifact. It says nothing of an artifact of another version, whose shape nobody knows here;
 * `requireVersion` refuses that. Fields that it does not name are of a later revision of version 1, and ignored.
 */
export const artifactSchema = { type: 'object', if: { not: isVersionOne }, else: versionOne }

/** Throws offline.schema_version for an artifact that does not say that it is of version 1. */
export function requireVersion({ meta }: { meta?: { schemaVersion?: unknown } | null }): void {
  if (meta?.schemaVersion === 1) return
  throw new Problem('offline.schema_version', 'meta.schemaVersion must be 1, a whole number: no other is read here.')
}
