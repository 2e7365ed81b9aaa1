import type { Readable } from '../../database/database.ts'
import type { SessionRow } from './licensed.ts'
import { sessionsById } from './store.ts'

/** The session of that id, open or not, if that user activated it. */
export async function findSessionOfUser(
  read: Readable,
  tenantId: string,
  userId: string,
  sessionId: string,
): Promise<SessionRow | undefined> {
  const [session] = await sessionsById(read, tenantId, [sessionId.toLowerCase()])
  return session?.user_id === userId ? session : undefined
}
