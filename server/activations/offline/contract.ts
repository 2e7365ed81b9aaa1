import { Type } from 'typebox'
import { contract, provision } from '../../kit/contract.ts'
import { artifactSchema, type RequestArtifact } from './request-artifact.ts'

const Envelope = Type.Object({
  signedPayload: Type.String({
    description:
      'The licence: UTF-8 JSON as base64url without padding. Verify the signature over its bytes before reading it.',
  }),
  signature: Type.String({
    description: "Base64 of the tenant's RSA-SHA256 signature (PKCS#1 v1.5) over the bytes inside signedPayload.",
  }),
})

export const issueOffline = contract({
  name: 'operational.activations.offline.issue',
  method: 'POST',
  path: `${provision}/operational/activations/offline/issue`,
  access: 'operational.entitlements:create',
  summary: 'Issue an offline licence for the request of a device that has no network',
  description:
    'The licence holds every claim of the license token, and schemaVersion, nonce, requestedAt, issuedAt and kid. The same request (activationCode, fingerprint, nonce and requestedAt) issued again is answered with the same bytes and takes no further seat, whatever became of its session meanwhile. Every condition of activation holds; that on networks is asked of the address that hands the request in. A field that version 1 does not name is refused; of an artifact of another version nothing but that is said. A refused activation is 400, and `reason` is the code name of the refusal.',
  body: Type.Unsafe<RequestArtifact>(artifactSchema),
  bodySlot: 'artifact',
  answer: Envelope,
  problems: ['offline.schema_version', 'offline.activation_refused'],
})
