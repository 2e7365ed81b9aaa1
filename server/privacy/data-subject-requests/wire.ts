import { toInstant, toNullableInstant } from '../../kit/instants.ts'
import type { Happening } from '../../kit/outbox.ts'
import type { RequestRecord } from './contract.ts'
import type { RequestRow } from './store.ts'

/** A request as it is answered. */
export const toWire = (row: RequestRow): RequestRecord => ({
  id: row.id,
  userId: row.user_id,
  kind: row.kind,
  note: row.note,
  status: row.status,
  reviewNote: row.review_note,
  reviewedBy: row.reviewed_by,
  reviewedAt: toNullableInstant(row.reviewed_at),
  completedAt: toNullableInstant(row.completed_at),
  createdAt: toInstant(row.created_at),
})

/** What is told of a request's new status: nothing that was written. */
export function tellStatus({ id, kind, user_id, status }: RequestRow): Happening {
  const of = { entityId: id, data: { requestId: id, kind, userId: user_id } }
  switch (status) {
    case 'Filed':
      return { type: 'DataSubjectRequest.Filed', ...of, data: { ...of.data, status } }
    case 'Approved':
      return { type: 'DataSubjectRequest.Approved', ...of, data: { ...of.data, status } }
    case 'Rejected':
      return { type: 'DataSubjectRequest.Rejected', ...of, data: { ...of.data, status } }
    case 'Completed':
      return { type: 'DataSubjectRequest.Completed', ...of, data: { ...of.data, status } }
  }
}
