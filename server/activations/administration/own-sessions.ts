import type { Readable } from '../../database/database.ts'
import { findEntitlements } from '../../entitlements/entitlements/loading.ts'
import { licensePolicyOf } from '../../entitlements/policies/effective.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ReadContext, WriteContext } from '../../kit/context.ts'
import { addDuration } from '../../kit/duration-adding.ts'
import { toInstant } from '../../kit/instants.ts'
import { writable } from '../../kit/last-instant.ts'
import { Problem, recordNotFound } from '../../kit/problem.ts'
import { freeSeats } from '../sessions/freeing.ts'
import type { SessionRow } from '../sessions/licensed.ts'
import { answerSessionPage } from './answering.ts'
import { endSession, getRow, listReleases } from './store.ts'

/** The sessions that a user activated and that hold a seat, a page of them. */
export const listOwnSessions = (context: ReadContext, userId: string, query: ListQuery) =>
  answerSessionPage(context, query, { userId, seated: true })

/** A session that a user activated, ended ones too; throws the not-found problem for anybody else's. */
export async function getOwnSession(
  read: Readable,
  tenantId: string,
  { id, userId }: { id: string; userId: string },
): Promise<SessionRow> {
  const session = await getRow(read, tenantId, id)
  if (session.user_id !== userId) throw recordNotFound('license session')
  return session
}

/**
 * Frees the seat of a user's own device, at most `most` of them within a time; again, the same answer. Throws the not-found
 * problem for a session of anybody else's, and the problems of a release that may not be.
 */
export async function releaseOwnSession(
  context: WriteContext,
  { id, userId }: { id: string; userId: string },
  limit: { most: number; within: string },
) {
  const { tx, tenant, now, actor } = context
  const session = await getOwnSession(tx, tenant.id, { id, userId })
  if (session.released_at !== null) return released(session.id, session.released_at)
  if (session.revoked_at !== null) throw revoked()
  const [entitlement] = await findEntitlements(tx, tenant.id, [session.entitlement_id])
  if (entitlement && !licensePolicyOf(entitlement).allowRelease)
    throw new Problem('license.release_not_allowed', 'A device may not give this seat back.')
  refuseTooMany(await listReleases(tx, tenant.id, actor, limit.most), limit, now)
  await freeSeats(tx, tenant.id, [session])
  await endSession(tx, session, { released_at: now, released_by: actor })
  // Whoever was first has ended it: the device itself, or the back office.
  const ended = await getRow(tx, tenant.id, session.id)
  if (ended.released_at === null) throw revoked()
  return released(ended.id, ended.released_at)
}

const revoked = () => new Problem('license.session_not_valid', 'The session was revoked.')

const released = (sessionId: string, at: number) => ({ sessionId, released: true as const, releasedAt: toInstant(at) })

/** Refuses one more release while the last `most` of them, the newest first, are all within the time. */
function refuseTooMany(releasedAt: readonly number[], { most, within }: { most: number; within: string }, now: number) {
  const first = releasedAt[most - 1]
  const freeAgainAt = most === 0 ? now + aDay : first === undefined ? now : writable(addDuration(first, within))
  if (freeAgainAt <= now) return
  throw new Problem('request.rate_limited', `At most ${most} devices can be freed within ${within}; ask the vendor.`, {
    headers: { 'retry-after': String(Math.ceil((freeAgainAt - now) / 1000)) },
  })
}

const aDay = 24 * 3_600_000
