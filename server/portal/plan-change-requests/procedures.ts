import { listOwnRequests } from '../../entitlements/plan-changes/own-requests.ts'
import { requestPlanChange } from '../../entitlements/plan-changes/requesting.ts'
import { causeOf } from '../../kit/cause.ts'
import { callerId } from '../../kit/context.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { listOwnPlanChanges, requestOwnPlanChange } from './contract.ts'

/** What signed-in end users ask for of other plans. */
export const ownPlanChangeRequests = {
  create: mutation(requestOwnPlanChange, (context, { id: entitlementId, note, ...plan }) =>
    requestPlanChange(causeOf(context), {
      ...plan,
      entitlementId,
      userId: callerId(context.caller),
      note: note || null,
    }),
  ),

  list: query(listOwnPlanChanges, ({ read, tenant, caller }, { id: entitlementId, ...input }) =>
    listOwnRequests(read, tenant.id, { entitlementId, userId: callerId(caller) }, input),
  ),
}
