import { toInstant, toNullableInstant } from '../../kit/instants.ts'
import type { NamedPlan } from '../plans/applying.ts'
import type { PlanChangeRecord } from './contract.ts'
import type { PlanChangeRow } from './store.ts'

/** The plan that the entitlement was on when it was asked for another. */
export const readPlanBefore = ({ plan_before }: PlanChangeRow): NamedPlan | null =>
  plan_before === null ? null : (JSON.parse(plan_before) as NamedPlan)

/** The plan that a request asks for. */
export const readWantedPlan = (row: PlanChangeRow): NamedPlan => ({
  planSetId: row.plan_set_id,
  planSetName: row.plan_set_name,
  planId: row.plan_id,
  planName: row.plan_name,
})

/** A request as it is answered. */
export const toWire = (row: PlanChangeRow): PlanChangeRecord => ({
  id: row.id,
  entitlementId: row.entitlement_id,
  userId: row.user_id,
  before: readPlanBefore(row),
  ...readWantedPlan(row),
  note: row.note,
  status: row.status,
  reviewNote: row.review_note,
  reviewedBy: row.reviewed_by,
  reviewedAt: toNullableInstant(row.reviewed_at),
  createdAt: toInstant(row.created_at),
})
