import type { Readable, Tx } from '../../database/database.ts'
import type { SessionRow } from '../sessions/licensed.ts'
import { sessionsById } from '../sessions/store.ts'
import { lockStandingOf, standingOf } from './standing.ts'

/** The session that a license token is of; throws why it may use nothing at `now` (milliseconds). */
export async function getUsableSession(
  read: Readable,
  tenantId: string,
  sessionId: string,
  now: number,
): Promise<SessionRow> {
  const { refusal } = await standingOf(read, tenantId, sessionId, now)
  if (refusal) throw refusal
  return getSession(read, tenantId, sessionId)
}

/** The same, which nobody erases until the transaction ends. */
export async function lockUsableSession(tx: Tx, tenantId: string, sessionId: string, now: number): Promise<SessionRow> {
  const { refusal } = await lockStandingOf(tx, tenantId, sessionId, now)
  if (refusal) throw refusal
  return getSession(tx, tenantId, sessionId)
}

const getSession = async (read: Readable, tenantId: string, sessionId: string): Promise<SessionRow> =>
  (await sessionsById(read, tenantId, [sessionId]))[0]!
