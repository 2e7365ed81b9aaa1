import type { Tx } from '../../database/database.ts'
import type { RequestContext } from '../../kit/context.ts'
import { attemptUnless } from '../../kit/savepoint.ts'
import { type Done, holdSessions, Overtaken, settle } from './batch.ts'
import type { ActivationRequest } from './contract.ts'
import { findActivatingUser, prepareActivation } from './preparing.ts'
import { doneOf, mostAttempts } from './settling.ts'

/** Activates one device without a network, inside a transaction that does more; throws the problem of a refusal. */
export async function activateOffline(tx: Tx, context: RequestContext, request: ActivationRequest): Promise<Done> {
  const user = await findActivatingUser(context, request)
  const asked = { ...(await prepareActivation(tx, context, request, user)), isOffline: true }
  for (let attempt = 1; ; attempt++) {
    const settled = await attemptUnless(tx, () => settle(tx, [{ context, asked }]), isOvertaken)
    if ('answer' in settled) return doneOf(settled.answer[0]!)
    if (attempt === mostAttempts) throw settled.refusal
    await holdSessions(tx, settled.refusal)
  }
}

const isOvertaken = (error: unknown): error is Overtaken => error instanceof Overtaken
