import type { Person } from '../access/users/person.ts'
import { eraseUser as eraseFromAccess } from '../access/users/personal-data.ts'
import { eraseUser as eraseFromActivations } from '../activations/personal-data.ts'
import { eraseUser as eraseFromEntitlements } from '../entitlements/personal-data.ts'
import { eraseUser as eraseFromFeedback } from '../feedback/personal-data.ts'
import type { Cause } from '../kit/outbox.ts'
import { eraseSessionRecords } from '../metering/transactions/personal-data.ts'
import { eraseNotes } from './data-subject-requests/store.ts'
import { eraseTraces } from './traces.ts'

/** Removes a person, or whatever names them, from every room, and from what is kept of what was done; no total of what was consumed changes. */
export async function erasePerson(cause: Cause, person: Person): Promise<void> {
  const { tx, tenantId } = cause
  const sessionIds = await eraseFromActivations(cause, person)
  await eraseSessionRecords(tx, tenantId, sessionIds)
  const told = [
    ...sessionIds,
    ...(await eraseFromFeedback(cause, person, sessionIds)),
    ...(await eraseFromEntitlements(cause, person)),
    ...(await eraseNotes(tx, tenantId, person.userId)),
    ...(await eraseFromAccess(tx, person)),
  ]
  await eraseTraces(tx, person, sessionIds, told)
}
