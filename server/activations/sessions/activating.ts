import type { Tx } from '../../database/database.ts'
import type { RequestContext } from '../../kit/context.ts'
import { type Done, holdSessions, Overtaken, settle } from './batch.ts'
import type { ActivationRequest } from './contract.ts'
import { findActivatingUser, prepareActivation } from './preparing.ts'
import { doneOf, mostAttempts } from './settling.ts'

/** Activates one device without a network, inside a transaction that does more; throws the problem of a refusal. An attempt that was overtaken has written nothing. */
export async function activateOffline(tx: Tx, context: RequestContext, request: ActivationRequest): Promise<Done> {
  const user = await findActivatingUser(context, request)
  const asked = { ...(await prepareActivation(tx, context, request, user)), isOffline: true }
  for (let attempt = 1; ; attempt++)
    try {
      return doneOf((await settle(tx, [{ context, asked }]))[0]!)
    } catch (error) {
      if (!(error instanceof Overtaken) || attempt === mostAttempts) throw error
      await holdSessions(tx, error)
    }
}
