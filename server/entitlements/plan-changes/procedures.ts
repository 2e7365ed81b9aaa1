import { causeOf } from '../../kit/cause.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { planChangeContracts } from './contract.ts'
import { approveRequest, rejectRequest } from './reviewing.ts'
import { getRequest, listRequests } from './store.ts'
import { toWire } from './wire.ts'

/** What the back office does with customers' wishes for other plans. */
export const planChangeRequests = {
  list: query(planChangeContracts.list, async ({ read, tenant }, input) => {
    const page = await listRequests(read, tenant.id, input)
    return { ...page, items: page.items.map(toWire) }
  }),

  get: query(planChangeContracts.get, async ({ read, tenant }, { id }) =>
    toWire(await getRequest(read, tenant.id, id)),
  ),

  approve: mutation(planChangeContracts.approve, async (context, { id, note }) =>
    toWire(await approveRequest(causeOf(context), { id, note: note || null })),
  ),

  reject: mutation(planChangeContracts.reject, async (context, { id, note }) =>
    toWire(await rejectRequest(causeOf(context), { id, note: note || null })),
  ),
}
