import type { Readable } from '../../database/database.ts'
import { newId } from '../../kit/ids.ts'
import { type Cause, type Happening, recordEvents } from '../../kit/outbox.ts'
import { Problem } from '../../kit/problem.ts'
import { loadCopiedProducts } from '../entitlements/copied-products.ts'
import { copyFeatures } from '../entitlements/copying.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { saveEntitlement } from '../entitlements/saving.ts'
import { type AppliedPlan, readLayers, readOwnFeatures } from '../entitlements/stored.ts'
import { standingData } from '../life/telling.ts'
import { readProducts } from '../offers/items.ts'
import { givenPlanLayer } from './plan-layer.ts'
import { withLayers } from './relayering.ts'

export type NamedPlan = Pick<AppliedPlan, 'planSetId' | 'planSetName' | 'planId' | 'planName'>

/** An entitlement put on a plan, not saved yet. */
export interface Planned {
  row: EntitlementRow
  /** The products that the plan includes and the entitlement had not. */
  attachedProductIds: string[]
}

/** The entitlement on a plan in place of the one it has, with its add-ons over that; products that the plan includes and it lacks are attached. */
export async function putOnPlan(read: Readable, row: EntitlementRow, plan: AppliedPlan): Promise<Planned> {
  const products = readProducts(row)
  const missing = plan.lineItems
    .filter(({ included, productId }) => included && !products.some((held) => held.productId === productId))
    .map(({ productId }) => productId)
  const copied = [...(await loadCopiedProducts(read, row.tenant_id, missing)).values()]
  const wider = {
    ...row,
    assigned_plan_set_id: plan.planSetId,
    assigned_plan_name: plan.planName,
    products: JSON.stringify([...products, ...copied.map(({ productId }) => ({ productId, features: [] }))]),
    own_features: JSON.stringify([
      ...readOwnFeatures(row),
      ...copied.flatMap((product) => copyFeatures(product, [], newId)),
    ]),
  }
  return {
    row: withLayers(wider, { ...readLayers(row), plan }),
    attachedProductIds: copied.map(({ productId }) => productId),
  }
}

/**
 * Writes an entitlement on a plan in place of the one it has, and tells of it; answers its row. Throws the not-found problem for a
 * plan that nobody has, and the validation problem for one that is no longer sold. Asked in the tenant's turn to change its catalog.
 */
export async function applyPlanTo(
  cause: Cause,
  before: EntitlementRow,
  { planSetId, planName }: { planSetId: string; planName: string },
): Promise<EntitlementRow> {
  const plan = await givenPlanLayer(cause.tx, cause.tenantId, planSetId, planName)
  const planned = await putOnPlan(cause.tx, before, plan)
  const saved = await saveEntitlement(cause, planned.row, before)
  await recordEvents(cause, [tellPlanApplied(planned, readLayers(before).plan)])
  return saved
}

/** Refuses to change the plan or the add-ons of an entitlement that is Cancelled. */
export function refuseCancelled({ status }: EntitlementRow): void {
  if (status !== 'Cancelled') return
  throw new Problem('catalog.invalid_transition', 'It is Cancelled: its plan and add-ons stay as they were.')
}

/** That a plan was applied: which, in place of which, and what products came with it. */
export const tellPlanApplied = ({ row, attachedProductIds }: Planned, before: AppliedPlan | null): Happening => ({
  type: 'Entitlement.PlanApplied',
  entityId: row.id,
  data: {
    ...standingData(row),
    before: before && namedPlan(before),
    after: namedPlan(readLayers(row).plan!),
    attachedProductIds,
  },
})

/** A plan as events name it. */
export const namedPlan = ({ planSetId, planSetName, planId, planName }: NamedPlan): NamedPlan => ({
  planSetId,
  planSetName,
  planId,
  planName,
})
