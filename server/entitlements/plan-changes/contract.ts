import { type Static, Type } from 'typebox'
import { NullableText, NullableUuid, OneOf, Uuid } from '../../../catalog-schema/scalars.ts'
import { Closed } from '../../../catalog-schema/shapes.ts'
import { idParams, listQuery, pageOf } from '../../kit/collection.ts'
import { contract, provision } from '../../kit/contract.ts'
import { Instant, NullInstant, recordId } from '../../kit/records/answers.ts'
import type { NamedPlan } from '../plans/applying.ts'
import { planChangeFilterFields } from './fields.ts'
import { planChangeStatuses } from './status.ts'

const NullPlan = Type.Unsafe<NamedPlan | null>({
  type: ['object', 'null'],
  properties: { planSetId: Uuid(), planSetName: Type.String(), planId: Uuid(), planName: Type.String() },
  required: ['planSetId', 'planSetName', 'planId', 'planName'],
  description: 'The plan that the entitlement was on when it was asked for another; null when it was on none.',
})

/** What a customer or a reviewer may say beside a request. */
export const PlanChangeNote = (description: string) => Type.Optional(NullableText(2000, { description }))

/** A plan-change request as it is answered, to the customer and to the back office alike. */
export const PlanChangeRecord = Closed(
  {
    ...recordId,
    entitlementId: Uuid(),
    userId: NullableUuid({ description: 'The user who asked; null once that user is erased.' }),
    before: NullPlan,
    planSetId: Uuid({ description: 'The set of the plan that is asked for.' }),
    planSetName: Type.String(),
    planId: Uuid({ description: 'The plan that is asked for.' }),
    planName: Type.String(),
    note: NullableText(2000, { description: 'What the customer said.' }),
    status: OneOf(planChangeStatuses, { description: 'Pending until it is decided.' }),
    reviewNote: NullableText(2000, { description: 'What the vendor said; the customer reads it.' }),
    reviewedBy: NullableText(200, {
      description:
        'Who decided, such as `client:ID`; null while it is Pending, and when it was approved by itself, as the renewal policy had it.',
    }),
    reviewedAt: NullInstant('When it was decided.'),
    createdAt: Instant('When it was asked for.'),
  },
  { description: "A customer's wish for another plan." },
)
export type PlanChangeRecord = Static<typeof PlanChangeRecord>

const path = `${provision}/admin/plan-change-requests`

const review = {
  method: 'POST',
  access: 'admin.plan-change-requests:update',
  params: idParams,
  body: Closed({ note: PlanChangeNote('What the customer is told.') }),
  answer: PlanChangeRecord,
  problems: ['license.record_not_found', 'catalog.invalid_transition'],
} as const

export const planChangeContracts = {
  list: contract({
    name: 'admin.planChangeRequests.list',
    method: 'GET',
    path,
    access: 'admin.plan-change-requests:read',
    summary: 'List plan-change requests',
    description: 'Every one that there ever was, oldest first unless a sortOrder says otherwise.',
    query: listQuery,
    answer: pageOf(PlanChangeRecord),
    filterable: planChangeFilterFields.map(({ name }) => name),
  }),
  get: contract({
    name: 'admin.planChangeRequests.get',
    method: 'GET',
    path: `${path}/{id}`,
    access: 'admin.plan-change-requests:read',
    summary: 'Read a plan-change request',
    params: idParams,
    answer: PlanChangeRecord,
    problems: ['license.record_not_found'],
  }),
  approve: contract({
    ...review,
    name: 'admin.planChangeRequests.approve',
    path: `${path}/{id}/approve`,
    summary: 'Approve a plan-change request',
    description:
      'Puts the entitlement on the plan as it is sold now, exactly as apply-plan does. A request that was decided already, a plan that is no longer sold and an entitlement that is Cancelled are refused. Emits Entitlement.PlanApplied and Entitlement.PlanChangeReviewed.',
  }),
  reject: contract({
    ...review,
    name: 'admin.planChangeRequests.reject',
    path: `${path}/{id}/reject`,
    summary: 'Reject a plan-change request',
    description: 'The entitlement stays on its plan. Emits Entitlement.PlanChangeReviewed.',
  }),
}
