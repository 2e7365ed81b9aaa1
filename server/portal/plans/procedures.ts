import { getOwnSession } from '../../activations/administration/own-sessions.ts'
import { getEntitlement } from '../../entitlements/entitlements/loading.ts'
import { requireAssigned } from '../../entitlements/principals/assignments.ts'
import { callerId } from '../../kit/context.ts'
import { query } from '../../kit/procedure.ts'
import { answerPlans } from './answering.ts'
import { listPlansOfOwnEntitlement, listPlansOfOwnSession } from './contract.ts'

/** The plans behind what is assigned to signed-in end users. */
export const plansOfOwnEntitlement = {
  list: query(listPlansOfOwnEntitlement, async (context, { id, ...query }) => {
    const { read, tenant, caller } = context
    await requireAssigned(read, tenant.id, callerId(caller), id)
    return answerPlans(context, await getEntitlement(read, tenant.id, id), query)
  }),
}

/** The plans behind the license sessions of their own devices. */
export const plansOfOwnSession = {
  list: query(listPlansOfOwnSession, async (context, { id, ...query }) => {
    const { read, tenant, caller } = context
    const session = await getOwnSession(read, tenant.id, { id, userId: callerId(caller) })
    return answerPlans(context, await getEntitlement(read, tenant.id, session.entitlement_id), query)
  }),
}
