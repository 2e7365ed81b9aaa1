import { type Person, toPersonalRecord } from '../access/users/person.ts'
import { dataOfUser as dataOfAccess } from '../access/users/personal-data.ts'
import { dataOfUser as dataOfActivations, listSessionIds } from '../activations/personal-data.ts'
import type { Readable } from '../database/database.ts'
import { dataOfUser as dataOfEntitlements } from '../entitlements/personal-data.ts'
import { dataOfUser as dataOfFeedback } from '../feedback/personal-data.ts'
import { toInstant } from '../kit/clock.ts'
import { listOfUser } from './data-subject-requests/store.ts'
import { auditOf } from './traces.ts'

/** All that is kept of a person, as one document. */
export async function documentOf(read: Readable, person: Person, now: number) {
  const { tenantId, userId } = person
  const sessionIds = await listSessionIds(read, person)
  const kept = {
    ...(await dataOfAccess(read, person)),
    ...(await dataOfEntitlements(read, person)),
    ...(await dataOfActivations(read, person)),
    ...(await dataOfFeedback(read, person, sessionIds)),
    dataSubjectRequests: (await listOfUser(read, tenantId, userId)).map(toPersonalRecord),
  }
  const audit = await auditOf(read, person, sessionIds)
  return { generatedAt: toInstant(now), ...kept, audit: audit.map(toPersonalRecord) }
}
