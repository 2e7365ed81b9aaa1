import { findUserStanding } from '../access/users/standing.ts'
import { getUsableSession } from '../activations/usage/usable-session.ts'
import type { Readable } from '../database/database.ts'
import type { RequestContext, UserCaller } from '../kit/context.ts'

/** Who gives feedback: a signed-in user, or the device of a license session, which may have a user too. */
export interface Reporter {
  userId: string | null
  sessionId: string | null
  deviceName: string | null
  /** Where they can be reached, as far as is known. */
  email: string | null
}

/** The reporter behind a user's token or a license token; throws why its session may not be used. */
export async function getReporter(
  read: Readable,
  { tenant, caller, now }: Pick<RequestContext, 'tenant' | 'caller' | 'now'>,
): Promise<Reporter> {
  if (caller.kind !== 'session') {
    const { userId, email } = caller as UserCaller
    return { userId, sessionId: null, deviceName: null, email }
  }
  const session = await getUsableSession(read, tenant.id, caller.sessionId, now)
  const user = session.user_id === null ? undefined : await findUserStanding(read, tenant.id, session.user_id)
  return {
    userId: session.user_id,
    sessionId: session.id,
    deviceName: session.device_name,
    email: user?.email ?? session.email,
  }
}
