import { Code, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { idParams } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { EntitlementRecord } from '../entitlements/contract.ts'

const path = `${provision}/admin/entitlements/{id}`

const addOnParams = Closed({
  id: Uuid({ description: 'The id of the entitlement.' }),
  addOnId: Uuid({ description: 'The id of the add-on.' }),
})

const refusals = ['license.record_not_found', 'request.precondition_failed', 'catalog.invalid_transition'] as const

export const applyPlanContract = contract({
  name: 'admin.entitlements.applyPlan',
  method: 'POST',
  path: `${path}/apply-plan`,
  access: 'admin.entitlements:update',
  summary: 'Put an entitlement on a plan',
  description:
    "Writes the plan's line items onto the entitlement as they are now, in place of those of the plan it had: values of features, and the tiers and credits of its monitored assets. Products that the plan includes and the entitlement lacks are attached, and named in the event. Add-ons are applied anew over the plan, and usage already consumed is kept. A plan set or plan that is not there is 404 (2005), and the detail says which; a plan of a Retired set is not applied any more; the same plan again, unchanged, changes nothing. Emits Entitlement.PlanApplied each time. Of an offer it is the plan that entitlements of it start on, and nobody is told.",
  params: idParams,
  body: Closed({
    planSetId: Uuid({ description: 'The id of the plan set.' }),
    planName: Code({ description: 'The name of the plan in it.' }),
  }),
  answer: EntitlementRecord,
  problems: refusals,
})

export const applyAddOnContract = contract({
  name: 'admin.entitlements.addOns.apply',
  method: 'POST',
  path: `${path}/add-ons/{addOnId}`,
  access: 'admin.entitlements:update',
  summary: 'Apply an add-on to an entitlement',
  description:
    'Changes values and tiers as they are on the plans that the add-on targets, after the plan and the add-ons applied before it: Replace sets the value, Add adds to a number or to the bounds of tiers, Max keeps the larger. One that is applied already stays as it is; a Retired one is not applied any more.',
  params: addOnParams,
  answer: EntitlementRecord,
  problems: refusals,
})

export const removeAddOnContract = contract({
  name: 'admin.entitlements.addOns.remove',
  method: 'DELETE',
  path: `${path}/add-ons/{addOnId}`,
  access: 'admin.entitlements:delete',
  summary: 'Remove an add-on from an entitlement',
  description: 'Features and tiers are as if it had never been applied; usage already consumed is kept.',
  params: addOnParams,
  problems: refusals,
})
