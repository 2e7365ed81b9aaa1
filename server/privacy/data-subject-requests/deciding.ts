import type { Person } from '../../access/users/person.ts'
import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { recordEvents } from '../../kit/outbox.ts'
import { Problem } from '../../kit/problem.ts'
import { erasePerson } from '../erasing.ts'
import { lockPerson } from '../finding-person.ts'
import { type Step, statusAfter } from './steps.ts'
import { countFiled, getRequest, insertRequest, lockRequest, type RequestRow, updateRequest } from './store.ts'
import { tellStatus } from './wire.ts'

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
  await recordEvents(causeOf(context), [tellStatus(row)])
  return row
}

/** Takes a request a step further, and erases the person where that is what it completes; throws the not-found problem, and catalog.invalid_transition for a step that is not next. */
export async function takeStep(
  context: WriteContext,
  { id, step, note }: { id: string; step: Step; note: string | null },
): Promise<RequestRow> {
  const { tx, tenant, now, actor } = context
  const { kind, user_id } = await getRequest(tx, tenant.id, id)
  const isErasing = kind === 'Erasure' && step === 'complete'
  // The user before the request, so that two erasures of one person wait for each other and no more.
  const person = isErasing ? await lockPerson(tx, tenant.id, user_id) : undefined
  const before = await lockRequest(tx, tenant.id, id)
  const status = statusAfter(before.status, step)
  if (!status) throw new Problem('catalog.invalid_transition', `The request is ${before.status}: not to ${step} now.`)
  const said = isErasing ? { note: null, review_note: null } : { review_note: note ?? before.review_note }
  const decided = { ...before, ...said, status }
  const row: RequestRow =
    status === 'Completed' ? { ...decided, completed_at: now } : { ...decided, reviewed_by: actor, reviewed_at: now }
  await updateRequest(tx, row)
  await recordEvents(causeOf(context), [tellStatus(row)])
  if (person) await erase(context, person, row.id)
  return row
}

/** Erases a person, and tells of each user that is gone. */
async function erase(context: WriteContext, person: Person, requestId: string): Promise<void> {
  await erasePerson(context, person)
  const erased = person.userIds.map(
    (userId) => ({ type: 'User.Erased', entityId: userId, data: { userId, requestId } }) as const,
  )
  await recordEvents(causeOf(context), erased)
}
