import { Code, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { PlanChangeNote, PlanChangeRecord, planChangeContracts } from '../../entitlements/plan-changes/contract.ts'
import { listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'

const path = `${provision}/consumer/me/entitlements/{id}/plan-change-requests`
const params = Closed({ id: Uuid({ description: 'The id of an entitlement that is assigned to the user.' }) })

export const requestOwnPlanChange = contract({
  name: 'consumer.entitlements.planChangeRequests.create',
  method: 'POST',
  path,
  access: 'user',
  summary: 'Ask for another plan',
  description:
    "The plan is one of those that are listed at `plans` as sold. Where the renewal policy's planChangeApproval is Automatic the entitlement is put on it at once, and the request is answered as Approved; else it is Pending until its review, and there is no other until then. Emits Entitlement.PlanChangeRequested when it awaits its review, else Entitlement.PlanApplied and Entitlement.PlanChangeReviewed.",
  params,
  body: Closed({
    planSetId: Uuid({ description: 'The id of the plan set.' }),
    planName: Code({ description: 'The name of the plan in it.' }),
    note: PlanChangeNote('What the vendor is told.'),
  }),
  answer: PlanChangeRecord,
  recordKind: 'planChangeRequests',
  problems: ['license.record_not_found', 'license.plan_change_open', 'catalog.invalid_transition'],
})

export const listOwnPlanChanges = contract({
  name: 'consumer.entitlements.planChangeRequests.list',
  method: 'GET',
  path,
  access: 'user',
  summary: 'List what the user asked for of other plans, and what was decided',
  params,
  query: listQuery,
  answer: pageOf(PlanChangeRecord),
  filterable: planChangeContracts.list.filterable,
  problems: ['license.record_not_found'],
})
