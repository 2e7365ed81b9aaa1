import type { Readable } from '../../database/database.ts'
import { newId } from '../../kit/ids.ts'
import type { Happening } from '../../kit/outbox.ts'
import { loadCopiedProducts } from '../entitlements/copied-products.ts'
import { copyFeatures } from '../entitlements/copying.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { type AppliedPlan, readLayers, readOwnFeatures } from '../entitlements/stored.ts'
import { standingData } from '../life/telling.ts'
import { readProducts } from '../offers/items.ts'
import { withLayers } from './relayering.ts'

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

/** That a plan was applied: which, in place of which, and what products came with it. */
export const tellPlanApplied = (
  { row, attachedProductIds }: Planned,
  before: AppliedPlan | null = null,
): Happening => ({
  type: 'Entitlement.PlanApplied',
  entityId: row.id,
  data: {
    ...standingData(row),
    before: before && nameOf(before),
    after: nameOf(readLayers(row).plan!),
    attachedProductIds,
  },
})

const nameOf = ({ planSetId, planSetName, planId, planName }: AppliedPlan) => ({
  planSetId,
  planSetName,
  planId,
  planName,
})
