import type { Tx } from '../../database/database.ts'
import type { RequestContext } from '../../kit/context.ts'
import { type Done, settle } from './batch.ts'
import type { ActivationRequest } from './contract.ts'
import { findActivatingUser, prepareActivation } from './preparing.ts'
import { doneOf } from './settling.ts'

/** Activates one device without a network, inside a transaction that does more; throws the problem of a refusal. */
export async function activateOffline(tx: Tx, context: RequestContext, request: ActivationRequest): Promise<Done> {
  const user = await findActivatingUser(context, request)
  const asked = { ...(await prepareActivation(tx, context, request, user)), isOffline: true }
  return doneOf((await settle(tx, [{ context, asked }]))[0]!)
}
