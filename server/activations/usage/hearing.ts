import type { Tx } from '../../database/database.ts'
import type { RequestContext, SessionCaller } from '../../kit/context.ts'
import type { Problem } from '../../kit/problem.ts'
import { type Operation, settle } from '../sessions/batch.ts'

/**
 * Hears of the sessions that call as if they checked in: a seat is kept, or taken again where it had lapsed. Answers by the
 * session's id why one may not go on.
 */
export async function hearOf(tx: Tx, calls: readonly RequestContext[]): Promise<Map<string, Problem>> {
  const checkIns = new Map<string, Operation>()
  for (const context of calls) {
    const { sessionId, entitlementId } = context.caller as SessionCaller
    checkIns.set(sessionId, { context, asked: { deed: 'check-in', sessionId, entitlementId, fingerprint: null } })
  }
  const outcomes = await settle(tx, [...checkIns.values()])
  const refusals = new Map<string, Problem>()
  for (const [index, sessionId] of [...checkIns.keys()].entries()) {
    const outcome = outcomes[index]!
    if ('refusal' in outcome) refusals.set(sessionId, outcome.refusal)
  }
  return refusals
}
