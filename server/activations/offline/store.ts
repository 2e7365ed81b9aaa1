import type { Tx } from '../../database/database.ts'
import { takeName } from '../../kit/named-lock.ts'
import type { Sealer } from '../../kit/sealing.ts'
import type { Envelope } from './envelope.ts'

/** A request as it is known again: its tenant, and a digest of what makes it the same request. */
export interface KnownRequest {
  tenantId: string
  digest: string
}

const placeOf = ({ tenantId, digest }: KnownRequest) => `offline-issue/${tenantId}/${digest}`

/** What was issued, and for which session. */
export interface Issue {
  sessionId: string
  envelope: Envelope
}

/** What was issued for a request, the same bytes as then; undefined when nothing was. */
export async function findIssue(tx: Tx, sealer: Sealer, request: KnownRequest): Promise<Issue | undefined> {
  const issue = await tx
    .selectFrom('offline_issues')
    .select(['session_id', 'sealed_envelope'])
    .where('tenant_id', '=', request.tenantId)
    .where('request_digest', '=', request.digest)
    .executeTakeFirst()
  if (!issue) return undefined
  const envelope = JSON.parse(sealer.open(issue.sealed_envelope, placeOf(request))) as Envelope
  return { sessionId: issue.session_id, envelope }
}

/** Keeps what was issued for a request that nothing was issued for. */
export async function keepIssue(
  tx: Tx,
  sealer: Sealer,
  request: KnownRequest,
  issued: Issue & { now: number },
): Promise<Issue> {
  await tx
    .insertInto('offline_issues')
    .values({
      tenant_id: request.tenantId,
      request_digest: request.digest,
      session_id: issued.sessionId,
      sealed_envelope: sealer.seal(JSON.stringify(issued.envelope), placeOf(request)),
      issued_at: issued.now,
    })
    .execute()
  return issued
}

/** Has whoever asks the same at once wait until the transaction ends: what one activates may be revoked before another looks for it. */
export const lockIssue = (tx: Tx, request: KnownRequest): Promise<void> => takeName(tx, placeOf(request))
