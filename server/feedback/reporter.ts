import { findUserStanding } from '../access/users/standing.ts'
import type { SessionRow } from '../activations/sessions/licensed.ts'
import { getUsableSession, lockUsableSession } from '../activations/usage/usable-session.ts'
import type { Readable, Tx } from '../database/database.ts'
import type { RequestContext, UserCaller } from '../kit/context.ts'

/** Who gives feedback: a signed-in user, or the device of a license session, which may have a user too. */
export interface Reporter {
  userId: string | null
  sessionId: string | null
  deviceName: string | null
  /** Where they can be reached, as far as is known. */
  email: string | null
}

type Asking = Pick<RequestContext, 'tenant' | 'caller' | 'now'>

/** The reporter behind a user's token or a license token; throws why its session may not be used. */
export const getReporter = (read: Readable, asking: Asking): Promise<Reporter> =>
  reporterOf(read, asking, (sessionId) => getUsableSession(read, asking.tenant.id, sessionId, asking.now))

/** The same, whose session nobody erases until the transaction ends. */
export const lockReporter = (tx: Tx, asking: Asking): Promise<Reporter> =>
  reporterOf(tx, asking, (sessionId) => lockUsableSession(tx, asking.tenant.id, sessionId, asking.now))

async function reporterOf(
  read: Readable,
  { tenant, caller }: Asking,
  getSession: (sessionId: string) => Promise<SessionRow>,
): Promise<Reporter> {
  if (caller.kind !== 'session') {
    const { userId, email } = caller as UserCaller
    return { userId, sessionId: null, deviceName: null, email }
  }
  const session = await getSession(caller.sessionId)
  const user = session.user_id === null ? undefined : await findUserStanding(read, tenant.id, session.user_id)
  return {
    userId: session.user_id,
    sessionId: session.id,
    deviceName: session.device_name,
    email: user?.email ?? session.email,
  }
}
