import { normalInstant } from '../../../catalog-schema/instant.ts'
import { getCurrentSigner } from '../../access/signing-keys/signer.ts'
import { canonicalJson } from '../../kit/canonical-json.ts'
import type { WriteContext } from '../../kit/context.ts'
import { toInstant } from '../../kit/instants.ts'
import { mutation } from '../../kit/procedure.ts'
import { getRow } from '../administration/store.ts'
import { licenseClaims } from '../license-tokens/claims.ts'
import { activateOffline } from '../sessions/activating.ts'
import { issueOffline } from './contract.ts'
import { signEnvelope } from './envelope.ts'
import { refuseOffline } from './refusing.ts'
import { type RequestArtifact, readBody, requireVersion } from './request-artifact.ts'
import { findIssue, type KnownRequest, keepIssue, lockIssue } from './store.ts'

/** Issues an offline licence: what was issued for the same request before, or a new one for a device that activation lets in. */
export const issue = mutation(issueOffline, async (context, { artifact }) => {
  requireVersion(artifact)
  const { tx, sealer, now } = context
  const request = knownBy(context, artifact)
  await lockIssue(tx, request)
  const { sessionId, envelope } =
    (await findIssue(tx, sealer, request)) ??
    (await keepIssue(tx, sealer, request, { ...(await issueAnew(context, artifact)), now }))
  context.deed = { recordKind: 'sessions', recordId: sessionId, after: await ownersOf(context, sessionId) }
  return envelope
})

/** Whose license session it is, and by which code. */
async function ownersOf({ tx, tenant }: WriteContext, sessionId: string) {
  const session = await getRow(tx, tenant.id, sessionId)
  return { entitlementId: session.entitlement_id, activationCodeId: session.activation_code_id }
}

/** What makes two requests the same: of the time the instant, however it is written. The code is in it, which a digest without a key could give away. */
function knownBy({ tenant, sealer }: WriteContext, { meta, body }: RequestArtifact): KnownRequest {
  const same = canonicalJson([body.activationCode, body.fingerprint, meta.nonce, normalInstant(meta.requestedAt)])
  return { tenantId: tenant.id, digest: sealer.hash(same, `offline-issue/${tenant.id}`) }
}

async function issueAnew(context: WriteContext, { meta, body }: RequestArtifact) {
  const { tx, tenant, sealer, baseUrl } = context
  const licensed = await activateOffline(tx, context, readBody(body)).catch(refuseOffline)
  const signer = await getCurrentSigner(tx, sealer, tenant.id, 'offline')
  const envelope = signEnvelope(signer, {
    ...licenseClaims(licensed, { baseUrl, tenantId: tenant.id, now: licensed.now }),
    schemaVersion: meta.schemaVersion,
    nonce: meta.nonce,
    requestedAt: meta.requestedAt,
    issuedAt: toInstant(licensed.now),
    kid: signer.kid,
  })
  return { sessionId: licensed.session.id, envelope }
}
