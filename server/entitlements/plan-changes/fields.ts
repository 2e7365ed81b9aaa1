import type { ColumnField } from '../../kit/filter/fields.ts'
import { planChangeStatuses } from './status.ts'

const field = (name: string, column: string, nullable = false) => ({
  name,
  column: `plan_change_requests.${column}`,
  nullable,
})

/** What lists of plan-change requests are filtered and sorted by; the id tells them apart. */
export const planChangeFilterFields: readonly [ColumnField, ...ColumnField[]] = [
  { ...field('id', 'id'), type: 'uuid' },
  { ...field('entitlementId', 'entitlement_id'), type: 'uuid' },
  { ...field('userId', 'user_id', true), type: 'uuid' },
  { ...field('planSetId', 'plan_set_id'), type: 'uuid' },
  { ...field('planSetName', 'plan_set_name'), type: 'text' },
  { ...field('planId', 'plan_id'), type: 'uuid' },
  { ...field('planName', 'plan_name'), type: 'text' },
  { ...field('note', 'note', true), type: 'text' },
  { ...field('status', 'status'), type: 'enum', values: planChangeStatuses },
  { ...field('reviewNote', 'review_note', true), type: 'text' },
  { ...field('reviewedBy', 'reviewed_by', true), type: 'text' },
  { ...field('reviewedAt', 'reviewed_at', true), type: 'instant' },
  { ...field('createdAt', 'created_at'), type: 'instant' },
]
