import { findEntitlements } from '../../entitlements/entitlements/loading.ts'
import type { WriteContext } from '../../kit/context.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { freeSeats } from '../sessions/freeing.ts'
import type { SessionRecord } from '../sessions/wire.ts'
import { answerSessionPage, answerSessions } from './answering.ts'
import {
  getSession,
  listActiveSessions,
  listSessions,
  listSessionsOfUser,
  releaseSession,
  revokeSession,
  revokeSessionById,
  unblockDevice,
} from './contract.ts'
import { blockDevice, endSession, getRow, removeBlock } from './store.ts'

async function revoke(
  context: WriteContext,
  { id, reason, blockDevice: blocks }: { id: string; reason?: string | null; blockDevice?: boolean | null },
): Promise<SessionRecord> {
  const { tx, tenant, now, actor } = context
  const session = await getRow(tx, tenant.id, id)
  await freeSeats(tx, tenant.id, [session])
  await endSession(tx, session, { revoked_at: now, revoke_reason: reason || null })
  // Read again now that it is locked: it may have been activated with another fingerprint meanwhile.
  const ended = blocks ? await getRow(tx, tenant.id, id) : undefined
  // A device that was erased with its person is no device to block.
  if (ended && ended.fingerprint !== '')
    await blockDevice(tx, ended, { reason: reason || null, blocked_at: now, blocked_by: actor })
  return answerChanged(context, session.id)
}

async function answerChanged(context: WriteContext, id: string): Promise<SessionRecord> {
  const [record] = await answerSessions(context.tx, context, [await getRow(context.tx, context.tenant.id, id)])
  return record!
}

/** What the back office does with license sessions. */
export const sessions = {
  list: query(listSessions, (context, input) => answerSessionPage(context, input)),

  get: query(getSession, async (context, { id }) => {
    const [record] = await answerSessions(context.read, context, [await getRow(context.read, context.tenant.id, id)])
    return record!
  }),

  listByUser: query(listSessionsOfUser, (context, { userId, ...input }) =>
    answerSessionPage(context, input, { userId: userId.toLowerCase() }),
  ),

  revoke: mutation(revokeSession, revoke),
  revokeById: mutation(revokeSessionById, revoke),

  release: mutation(releaseSession, async (context, { id }) => {
    const { tx, tenant, now } = context
    const session = await getRow(tx, tenant.id, id)
    await freeSeats(tx, tenant.id, [session])
    await endSession(tx, session, { released_at: now })
    return answerChanged(context, session.id)
  }),

  unblockDevice: mutation(unblockDevice, async (context, { id }) => {
    const session = await getRow(context.tx, context.tenant.id, id)
    const wasBlocked = await removeBlock(context.tx, session)
    context.deed = { before: { isDeviceBlocked: wasBlocked }, after: { isDeviceBlocked: false } }
    return answerChanged(context, session.id)
  }),
}

/** The active sessions of an entitlement, for the vendor's backend. */
export const listByEntitlement = query(listActiveSessions, async (context, { id, ...input }) => {
  const [entitlement] = await findEntitlements(context.read, context.tenant.id, [id.toLowerCase()])
  if (!entitlement) throw recordNotFound('entitlement')
  return answerSessionPage(context, input, { entitlementId: entitlement.id, seated: true })
})
