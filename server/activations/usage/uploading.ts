import type { Tx } from '../../database/database.ts'
import { lockEntitlement } from '../../entitlements/entitlements/loading.ts'
import { openLateMeters } from '../../entitlements/plans/late-meters.ts'
import type { RequestContext } from '../../kit/context.ts'
import { Problem } from '../../kit/problem.ts'
import { actorOf } from '../../kit/procedure.ts'
import { requireOwnSession } from '../../kit/scope-check.ts'
import type { Scope } from '../../metering/transactions/counting.ts'
import { isRejection, type Rejection, readTransaction, type Transaction } from '../../metering/transactions/reading.ts'
import { takeBatch } from '../../metering/transactions/uploading.ts'
import { performAlone } from '../sessions/settling.ts'
import { sessionsById } from '../sessions/store.ts'
import { hearOf } from './hearing.ts'
import { lockStandingOf } from './standing.ts'
import { uploadOfEntitlement, uploadOfSession } from './upload-contract.ts'

/** Takes a batch of a session, sent with the session's own token. */
export function uploadForSession(context: RequestContext, request: { sessionId: string; records: unknown[] }) {
  const { sessionId, entitlementId } = requireOwnSession(context.caller, request.sessionId)
  const scope = { entitlementId, sessionId, sessionIds: new Set([sessionId]) }
  return upload(context, uploadOfSession.name, request, async () => scope)
}

/** Takes a batch of an entitlement, sent with the token of a session of it or of a client that may change entitlements. */
export function uploadForEntitlement(context: RequestContext, request: { entitlementId: string; records: unknown[] }) {
  const { caller, tenant } = context
  const entitlementId = request.entitlementId.toLowerCase()
  if (caller.kind === 'session' && caller.entitlementId !== entitlementId)
    throw new Problem('auth.insufficient_scope', 'The token is of a session of another entitlement.')
  return upload(context, uploadOfEntitlement.name, request, async (tx, records) => {
    if (caller.kind !== 'session') await lockEntitlement(tx, tenant.id, entitlementId)
    return { entitlementId, sessionId: null, sessionIds: await sessionsNamed(tx, tenant.id, entitlementId, records) }
  })
}

type Read = readonly (Transaction | Rejection)[]

/** The sessions of an entitlement, open or not, that records name. */
async function sessionsNamed(tx: Tx, tenantId: string, entitlementId: string, records: Read): Promise<Set<string>> {
  const named = records.map((record) => (isRejection(record) ? null : record.sessionId)).filter((id) => id !== null)
  const sessions = await sessionsById(tx, tenantId, [...new Set(named)])
  return new Set(sessions.filter((session) => session.entitlement_id === entitlementId).map(({ id }) => id))
}

/** The metrics that records have usage of. */
const metricsOf = (records: Read) => [
  ...new Set(records.flatMap((record) => (isRejection(record) || !record.usage ? [] : [record.usage.metricName]))),
]

function upload(
  context: RequestContext,
  name: string,
  request: { records: unknown[] },
  scopeOf: (tx: Tx, records: Read) => Promise<Scope>,
) {
  const { tenant, caller, correlationId } = context
  const records = request.records.map(readTransaction)
  return performAlone(context, { name, parameters: request }, async (tx) => {
    const { now } = context
    if (caller.kind === 'session') {
      const { refusal, isToBeHeardOf } = await lockStandingOf(tx, tenant.id, caller.sessionId, now)
      if (refusal) throw refusal
      // What has happened is taken even when there is no seat left.
      if (isToBeHeardOf()) await hearOf(tx, [context])
    }
    const cause = { tx, tenantId: tenant.id, now, actor: actorOf(context), correlationId }
    const scope = await scopeOf(tx, records)
    await openLateMeters(cause, scope.entitlementId, metricsOf(records))
    return takeBatch(cause, scope, records)
  })
}
