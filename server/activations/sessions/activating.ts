import type { Tx } from '../../database/database.ts'
import type { RequestContext } from '../../kit/context.ts'
import { type Done, settle } from './batch.ts'
import type { ActivationRequest } from './contract.ts'
import { findActivatingUser, prepareActivation } from './preparing.ts'
import { doneOf } from './settling.ts'

/** A session that was activated, with everything that its license says. */
export type Activated = Done

/** One activation inside a transaction that does more; throws the problem of a refusal. `isOffline`: for a device without a network. */
export async function activateNow(
  tx: Tx,
  context: RequestContext,
  request: ActivationRequest,
  { isOffline = false } = {},
): Promise<Activated> {
  const user = await findActivatingUser(context, request)
  const asked = { ...(await prepareActivation(tx, context, request, user)), isOffline }
  return doneOf((await settle(tx, [{ context, asked }]))[0]!)
}
