import type { Person } from '../../access/users/person.ts'
import { type Cause, recordEvents } from '../../kit/outbox.ts'
import { lockRequestsOf, type RequestRow, updateRequest } from './store.ts'
import { tellStatus } from './wire.ts'

/**
 * Takes the words from all that a person asked for, and closes what waits: Rejected where nobody approved it, else
 * Completed. Answers the ids of those requests.
 */
export async function eraseRequests(cause: Cause, person: Person): Promise<string[]> {
  const rows = await lockRequestsOf(cause.tx, person)
  const closed = rows.map((row) => closedBy(cause, row))
  for (const row of closed) await updateRequest(cause.tx, row)
  const moved = closed.filter((row, place) => row.status !== rows[place]!.status)
  await recordEvents(cause, moved.map(tellStatus))
  return rows.map(({ id }) => id)
}

function closedBy({ now, actor }: Cause, row: RequestRow): RequestRow {
  const erased = { ...row, note: null, review_note: null }
  if (row.status === 'Filed') return { ...erased, status: 'Rejected', reviewed_by: actor, reviewed_at: now }
  return row.status === 'Approved' ? { ...erased, status: 'Completed', completed_at: now } : erased
}
