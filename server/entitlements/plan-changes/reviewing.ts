import { findPricedPlanSet } from '../../catalog/plan-sets/standing.ts'
import { lockCatalog } from '../../catalog/records/revision.ts'
import { type Cause, recordEvents } from '../../kit/outbox.ts'
import { Problem } from '../../kit/problem.ts'
import { type EntitlementRow, lockEntitlement } from '../entitlements/loading.ts'
import { applyPlanTo, refuseCancelled } from '../plans/applying.ts'
import { requireUndecided } from './status.ts'
import { findOpenRequestId, getRequest, lockRequest, type PlanChangeRow, recordReview } from './store.ts'
import { tellReviewed } from './telling.ts'
import { readWantedPlan } from './wire.ts'

/** A request, and what its reviewer has to say. */
interface Review {
  id: string
  note: string | null
}

/** Puts the entitlement on the plan that was asked for; throws catalog.invalid_transition when that can no longer be. */
export async function approveRequest(cause: Cause, { id, note }: Review): Promise<PlanChangeRow> {
  await lockCatalog(cause.tx, cause.tenantId)
  const { request, entitlement } = await lockUndecided(cause, id)
  refuseCancelled(entitlement)
  await requireStillSold(cause, request)
  const planned = await applyPlanTo(cause, entitlement, readWantedPlan(request))
  return decide(cause, planned, { ...request, status: 'Approved' }, note)
}

/** Leaves the entitlement on its plan; throws catalog.invalid_transition for a request that was decided already. */
export async function rejectRequest(cause: Cause, { id, note }: Review): Promise<PlanChangeRow> {
  const { request, entitlement } = await lockUndecided(cause, id)
  return decide(cause, entitlement, { ...request, status: 'Rejected' }, note)
}

/** Rejects what is still asked for an entitlement that is about to go. */
export async function rejectOpenRequest(cause: Cause, { id }: EntitlementRow): Promise<void> {
  const requestId = await findOpenRequestId(cause.tx, cause.tenantId, id)
  if (requestId !== undefined) await rejectRequest(cause, { id: requestId, note: null })
}

/** A request and its entitlement, locked in the order in which a deletion locks them. */
async function lockUndecided({ tx, tenantId }: Cause, id: string) {
  const { status, entitlement_id } = await getRequest(tx, tenantId, id)
  requireUndecided(status)
  const entitlement = await lockEntitlement(tx, tenantId, entitlement_id)
  const request = await lockRequest(tx, tenantId, id)
  requireUndecided(request.status)
  return { request, entitlement }
}

async function decide(
  cause: Cause,
  entitlement: EntitlementRow,
  decided: PlanChangeRow & { status: 'Approved' | 'Rejected' },
  note: string | null,
): Promise<PlanChangeRow> {
  const reviewed = { ...decided, review_note: note, reviewed_by: cause.actor, reviewed_at: cause.now }
  await recordReview(cause.tx, reviewed)
  await recordEvents(cause, [tellReviewed(entitlement, reviewed)])
  return reviewed
}

async function requireStillSold({ tx, tenantId }: Cause, row: PlanChangeRow): Promise<void> {
  const set = await findPricedPlanSet(tx, tenantId, row.plan_set_id)
  if (set?.status === 'Published' && set.plans.some(({ name }) => name === row.plan_name)) return
  throw new Problem(
    'catalog.invalid_transition',
    `Plan "${row.plan_name}" of plan set "${row.plan_set_name}" is no longer sold.`,
  )
}
