import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'
import { recordEvents } from '../../kit/outbox.ts'
import { Problem } from '../../kit/problem.ts'
import { mutation, query } from '../../kit/procedure.ts'
import { itemContracts } from './contract.ts'
import { type Decision, planReview } from './reviewing.ts'
import { getItem, type ItemRow, listItems, lockItems, recordReview } from './store.ts'
import { toEventData, toWire } from './wire.ts'

const list = query(itemContracts.list, async ({ read, tenant }, query) => {
  const page = await listItems(read, tenant.id, query)
  return { ...page, items: page.items.map(toWire) }
})

const get = query(itemContracts.get, async ({ read, tenant }, { id }) => toWire(await getItem(read, tenant.id, id)))

const accept = mutation(itemContracts.accept, async (context, { id, note }) => {
  const [item] = await lockItems(context.tx, context.tenant.id, [id])
  return review(context, item!, 'Accept', note)
})

const decline = mutation(itemContracts.decline, async (context, { id, note, duplicateOfId }) => {
  const ids = duplicateOfId == null ? [id] : [id, duplicateOfId]
  const [item, original] = await lockItems(context.tx, context.tenant.id, ids)
  return review(context, item!, original ? { duplicateOf: original } : 'Decline', note)
})

async function review(context: WriteContext, item: ItemRow, decision: Decision, note: string | null | undefined) {
  const plan = planReview(item, decision)
  if ('refused' in plan) throw new Problem(plan.refused, plan.why)
  const row: ItemRow = {
    ...item,
    status: plan.status,
    reviewed_by: context.actor,
    reviewed_at: context.now,
    note: note || null,
    duplicate_of_id: typeof decision === 'object' ? decision.duplicateOf.id : null,
  }
  await recordReview(context.tx, row)
  const data = {
    ...toEventData(row),
    status: plan.status,
    reviewedBy: context.actor,
    duplicateOfId: row.duplicate_of_id,
  }
  await recordEvents(causeOf(context), [{ type: 'Feedback.Reviewed', entityId: row.id, data }])
  return toWire(row)
}

/** What people say of the products, for the vendor to decide on. */
export const feedbackItems = { list, get, accept, decline }
