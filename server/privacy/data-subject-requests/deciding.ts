import { findPerson } from '../../access/users/person.ts'
import { causeOf } from '../../kit/cause.ts'
import { toInstant, toNullableInstant } from '../../kit/clock.ts'
import type { WriteContext } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { recordEvents } from '../../kit/outbox.ts'
import { Problem } from '../../kit/problem.ts'
import { erasePerson } from '../erasing.ts'
import type { RequestRecord } from './contract.ts'
import { type Step, statusAfter } from './steps.ts'
import { countFiled, insertRequest, lockRequest, type RequestRow, updateRequest } from './store.ts'

const mostFiled = 100

/** Files a user's request; throws request.rate_limited when as many as may be wait for an answer. */
export async function fileRequest(
  context: WriteContext,
  { userId, kind, note }: { userId: string; kind: RequestRow['kind']; note: string | null },
): Promise<RequestRow> {
  const { tx, tenant, now } = context
  if ((await countFiled(tx, tenant.id, userId)) >= mostFiled)
    throw new Problem('request.rate_limited', `${mostFiled} requests wait for an answer already.`, {
      headers: { 'retry-after': '86400' },
    })
  const row: RequestRow = {
    ...{ id: newId(), tenant_id: tenant.id, user_id: userId, kind, note, status: 'Filed' },
    ...{ review_note: null, reviewed_by: null, reviewed_at: null, completed_at: null, created_at: now },
  }
  await insertRequest(tx, row)
  const data = { ...eventData(row), status: 'Filed' as const }
  await recordEvents(causeOf(context), [{ type: 'DataSubjectRequest.Filed', entityId: row.id, data }])
  return row
}

/** Takes a request a step further, and erases the person where that is what it completes; throws the not-found problem, and catalog.invalid_transition for a step that is not next. */
export async function takeStep(
  context: WriteContext,
  { id, step, note }: { id: string; step: Step; note: string | null },
): Promise<RequestRow> {
  const { tx, tenant, now, actor } = context
  const before = await lockRequest(tx, tenant.id, id)
  const status = statusAfter(before.status, step)
  if (!status) throw new Problem('catalog.invalid_transition', `The request is ${before.status}: not to ${step} now.`)
  const decided = { ...before, status, review_note: note ?? before.review_note }
  const row: RequestRow =
    status === 'Completed' ? { ...decided, completed_at: now } : { ...decided, reviewed_by: actor, reviewed_at: now }
  await updateRequest(tx, row)
  const data = eventData(row)
  await recordEvents(causeOf(context), [
    status === 'Approved'
      ? { type: 'DataSubjectRequest.Approved', entityId: row.id, data: { ...data, status } }
      : status === 'Rejected'
        ? { type: 'DataSubjectRequest.Rejected', entityId: row.id, data: { ...data, status } }
        : { type: 'DataSubjectRequest.Completed', entityId: row.id, data: { ...data, status } },
  ])
  return status === 'Completed' && row.kind === 'Erasure' ? erase(context, row) : row
}

/** Erases the person of a request, unless another erased them before. */
async function erase(context: WriteContext, row: RequestRow): Promise<RequestRow> {
  const cause = causeOf(context)
  const person = await findPerson(cause.tx, cause.tenantId, row.user_id)
  if (person) {
    await erasePerson(cause, person)
    const data = { userId: row.user_id, requestId: row.id }
    await recordEvents(cause, [{ type: 'User.Erased', entityId: row.user_id, data }])
  }
  return { ...row, note: null, review_note: null }
}

const eventData = ({ id, kind, user_id }: RequestRow) => ({ requestId: id, kind, userId: user_id })

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
