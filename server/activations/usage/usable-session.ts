import type { Readable } from '../../database/database.ts'
import type { SessionRow } from '../sessions/licensed.ts'
import { sessionsById } from '../sessions/store.ts'
import { refusalsOf } from './standing.ts'

/** The session that a license token is of; throws why it may use nothing at `now` (milliseconds). */
export async function getUsableSession(
  read: Readable,
  tenantId: string,
  sessionId: string,
  now: number,
): Promise<SessionRow> {
  const refusal = (await refusalsOf(read, tenantId, [sessionId], now)).get(sessionId)
  if (refusal) throw refusal
  const [session] = await sessionsById(read, tenantId, [sessionId])
  return session!
}
