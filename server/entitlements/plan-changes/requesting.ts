import { lockCatalog } from '../../catalog/records/revision.ts'
import { newId } from '../../kit/ids.ts'
import { type Cause, recordEvents } from '../../kit/outbox.ts'
import { Problem } from '../../kit/problem.ts'
import { type EntitlementRow, lockEntitlement } from '../entitlements/loading.ts'
import { readLayers } from '../entitlements/stored.ts'
import { applyPlanTo, namedPlan, refuseCancelled } from '../plans/applying.ts'
import { usualRenewalOf } from '../policies/effective.ts'
import { requireAssigned } from '../principals/assignments.ts'
import type { PlanChoice } from './choices.ts'
import { choosePlanToChangeTo } from './choosing.ts'
import type { PlanChangeRecord } from './contract.ts'
import { findOpenRequestId, insertRequest, type PlanChangeRow } from './store.ts'
import { tellRequested, tellReviewed } from './telling.ts'
import { readWantedPlan, toWire } from './wire.ts'

/** The plan that a user wants for an entitlement. */
interface WantedPlan {
  entitlementId: string
  userId: string
  planSetId: string
  planName: string
  note: string | null
}

/**
 * Asks for another plan for an entitlement, which it is put on at once where its renewal policy approves by itself. Throws
 * the not-found problem for an entitlement that the user is not assigned to, the validation problem for a plan that it cannot
 * change to, and license.plan_change_open while another request awaits its review.
 */
export async function requestPlanChange(cause: Cause, wanted: WantedPlan): Promise<PlanChangeRecord> {
  const { tx, tenantId } = cause
  await requireAssigned(tx, tenantId, wanted.userId, wanted.entitlementId)
  await lockCatalog(tx, tenantId)
  const entitlement = await lockEntitlement(tx, tenantId, wanted.entitlementId)
  refuseCancelled(entitlement)
  if (await findOpenRequestId(tx, tenantId, entitlement.id))
    throw new Problem('license.plan_change_open', 'Another request for this entitlement awaits its review.')
  const choice = await choosePlanToChangeTo(tx, entitlement, wanted)
  const asked = requestFor(cause, entitlement, choice, wanted)
  const isAutomatic = usualRenewalOf(entitlement).planChangeApproval === 'Automatic'
  return toWire(isAutomatic ? await grant(cause, entitlement, asked) : await file(cause, entitlement, asked))
}

const requestFor = (
  { tenantId, now }: Cause,
  entitlement: EntitlementRow,
  { planSetId, planSetName, plan }: PlanChoice,
  { userId, note }: WantedPlan,
): PlanChangeRow => {
  const { plan: before } = readLayers(entitlement)
  return {
    id: newId(),
    tenant_id: tenantId,
    entitlement_id: entitlement.id,
    user_id: userId,
    plan_before: before && JSON.stringify(namedPlan(before)),
    plan_set_id: planSetId,
    plan_set_name: planSetName,
    plan_id: plan.id,
    plan_name: plan.name,
    note,
    status: 'Pending',
    review_note: null,
    reviewed_by: null,
    reviewed_at: null,
    created_at: now,
  }
}

async function file(cause: Cause, entitlement: EntitlementRow, asked: PlanChangeRow): Promise<PlanChangeRow> {
  await insertRequest(cause.tx, asked)
  await recordEvents(cause, [tellRequested(entitlement, asked)])
  return asked
}

async function grant(cause: Cause, entitlement: EntitlementRow, asked: PlanChangeRow): Promise<PlanChangeRow> {
  const granted = { ...asked, status: 'Approved' as const, reviewed_at: cause.now }
  await insertRequest(cause.tx, granted)
  const planned = await applyPlanTo(cause, entitlement, readWantedPlan(granted))
  await recordEvents(cause, [tellReviewed(planned, granted)])
  return granted
}
