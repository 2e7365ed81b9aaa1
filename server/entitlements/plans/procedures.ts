import { getAddOnStanding } from '../../catalog/add-ons/standing.ts'
import { lockCatalog } from '../../catalog/records/revision.ts'
import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'
import { requireRevision } from '../../kit/if-match.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { mutation } from '../../kit/procedure.ts'
import { type EntitlementRow, lockEntitlement } from '../entitlements/loading.ts'
import { isOfferId } from '../entitlements/offers-among.ts'
import { saveEntitlement } from '../entitlements/saving.ts'
import { readLayers } from '../entitlements/stored.ts'
import { answerEntitlement } from '../entitlements/wire.ts'
import { editOffer } from '../offers/editing.ts'
import { addOnLayer } from './add-on-layer.ts'
import { applyPlanTo, refuseCancelled } from './applying.ts'
import { applyAddOnContract, applyPlanContract, removeAddOnContract } from './contract.ts'
import { givenPlanLayer } from './plan-layer.ts'
import { withLayers } from './relayering.ts'

/** Puts an entitlement on a plan, the catalog staying as it is meanwhile; an offer starts on it from then on. */
export const applyPlan = mutation(applyPlanContract, async (context, { id, planSetId, planName }) => {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  if (await isOfferId(context, id)) {
    await givenPlanLayer(tx, tenant.id, planSetId, planName)
    await editOffer(context, id, { assignedPlanSetId: planSetId, assignedPlanName: planName })
    return answerEntitlement(tx, tenant.id, id)
  }
  const before = await load(context, id)
  await applyPlanTo(causeOf(context), before, { planSetId, planName })
  return answerEntitlement(tx, tenant.id, before.id)
})

const apply = mutation(applyAddOnContract, async (context, { id, addOnId }) => {
  const { tx, tenant } = context
  await lockCatalog(tx, tenant.id)
  const before = await load(context, id)
  const addOn = await getAddOnStanding(tx, tenant.id, addOnId)
  const layers = readLayers(before)
  if (!layers.addOns.some((applied) => applied.addOnId === addOn.id)) {
    const addOns = [...layers.addOns, await addOnLayer(tx, before, addOn)]
    await saveEntitlement(causeOf(context), withLayers(before, { ...layers, addOns }), before)
  }
  return answerEntitlement(tx, tenant.id, before.id)
})

const remove = mutation(removeAddOnContract, async (context, { id, addOnId }) => {
  const before = await load(context, id)
  const layers = readLayers(before)
  const addOns = layers.addOns.filter((applied) => applied.addOnId !== addOnId.toLowerCase())
  if (addOns.length === layers.addOns.length) throw recordNotFound('add-on of this entitlement')
  await saveEntitlement(causeOf(context), withLayers(before, { ...layers, addOns }), before)
  return undefined
})

/** The add-ons of an entitlement. */
export const addOns = { apply, remove }

/** Loads the entitlement that is to be changed; a cancelled one stays as it was. */
async function load(context: WriteContext, id: string): Promise<EntitlementRow> {
  const row = await lockEntitlement(context.tx, context.tenant.id, id)
  requireRevision(context, row.revision_number)
  refuseCancelled(row)
  return row
}
