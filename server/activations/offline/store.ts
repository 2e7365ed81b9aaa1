import type { Tx } from '../../database/database.ts'
import type { Sealer } from '../../kit/sealing.ts'
import type { Envelope } from './envelope.ts'

/** A request as it is known again: its tenant, and a digest of what makes it the same request. */
export interface KnownRequest {
  tenantId: string
  digest: string
}

const placeOf = ({ tenantId, digest }: KnownRequest) => `offline-issue/${tenantId}/${digest}`

/** What was issued for a request, the same bytes as then; undefined when nothing was. */
export async function findIssue(tx: Tx, sealer: Sealer, request: KnownRequest): Promise<Envelope | undefined> {
  const issue = await tx
    .selectFrom('offline_issues')
    .select('sealed_envelope')
    .where('tenant_id', '=', request.tenantId)
    .where('request_digest', '=', request.digest)
    .executeTakeFirst()
  return issue && (JSON.parse(sealer.open(issue.sealed_envelope, placeOf(request))) as Envelope)
}

/** Keeps what was issued for a request. Of two that are issued at once the first is kept, and answered to both. */
export async function keepIssue(
  tx: Tx,
  sealer: Sealer,
  request: KnownRequest,
  issued: { sessionId: string; envelope: Envelope; now: number },
): Promise<Envelope> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('offline_issues')
    .values({
      tenant_id: request.tenantId,
      request_digest: request.digest,
      session_id: issued.sessionId,
      sealed_envelope: sealer.seal(JSON.stringify(issued.envelope), placeOf(request)),
      issued_at: issued.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n ? issued.envelope : (await findIssue(tx, sealer, request))!
}
