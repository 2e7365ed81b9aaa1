import { type Static, Type } from 'typebox'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { Problem } from '../../kit/problem.ts'
import { deviceFields } from '../sessions/contract.ts'

const metaFields = {
  schemaVersion: Type.Literal(1, { description: 'The major version of the format.' }),
  nonce: Type.Unsafe<string>({
    type: 'string',
    // 43 characters carry 258 bits: the last two must be zero, or another text would decode to the same bytes.
    pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$',
    'x-pattern-words': 'must be 32 bytes in base64url without padding',
    description: '32 random bytes, base64url without padding; the licence repeats them.',
  }),
  requestedAt: Type.Unsafe<string>({
    type: 'string',
    maxLength: 40,
    'x-written-instant': true,
    description:
      'When the device asked, by its own clock, as an RFC 3339 date-time; the licence repeats it as it is written.',
  }),
  sdkVersion: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 200,
      description: 'What the request was made with; for diagnosis only.',
    }),
  ),
}

const bodyFields = {
  activationCode: Type.Unsafe<string>({
    type: 'string',
    maxLength: 200,
    pattern: '\\S',
    'x-pattern-words': 'must not be empty',
    description: 'The activation code, however it is typed.',
  }),
  ...deviceFields,
}

const VersionOne = Closed({ meta: Closed(metaFields), body: Closed(bodyFields) })

/** What a device without a network asks for, in a file that somebody carries. */
export type RequestArtifact = Static<typeof VersionOne>

const saysVersionOne = {
  type: 'object',
  required: ['meta'],
  properties: { meta: { type: 'object', required: ['schemaVersion'], properties: { schemaVersion: { const: 1 } } } },
}

/**
 * The JSON Schema of a request artifact. It says nothing of an artifact of another version, whose shape nobody knows here;
 * `requireVersion` refuses that.
 */
export const artifactSchema = { type: 'object', if: { not: saysVersionOne }, else: VersionOne }

/** Throws offline.schema_version for an artifact that does not say that it is of version 1. */
export function requireVersion({ meta }: { meta?: { schemaVersion?: unknown } | null }): void {
  if (meta?.schemaVersion === 1) return
  throw new Problem('offline.schema_version', 'meta.schemaVersion must be 1, a whole number: no other is read here.')
}

/** What the request asks of activation. */
export const readBody = ({ applicationInfo, components, ...body }: RequestArtifact['body']) => ({
  ...body,
  applicationInfo: applicationInfo ?? null,
  components: components ?? null,
})
