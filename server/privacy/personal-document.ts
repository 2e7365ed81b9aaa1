import { toWire as toEntry } from '../access/audit/wire.ts'
import type { Person } from '../access/users/person.ts'
import { dataOfUser as dataOfAccess } from '../access/users/personal-data.ts'
import { dataOfUser as dataOfActivations } from '../activations/personal-data.ts'
import { dataOfUser as dataOfEntitlements } from '../entitlements/personal-data.ts'
import { dataOfUser as dataOfFeedback } from '../feedback/personal-data.ts'
import type { ReadContext } from '../kit/context.ts'
import { toInstant } from '../kit/instants.ts'
import { dataOfSessions } from '../metering/personal-data.ts'
import { listOfPerson } from './data-subject-requests/store.ts'
import { toWire as toRequest } from './data-subject-requests/wire.ts'
import { auditOf } from './traces.ts'

/** All that is kept of a person, as one document. */
export async function documentOf(context: ReadContext, person: Person) {
  const { read, now } = context
  const requests = await listOfPerson(read, person)
  const records = {
    ...(await dataOfAccess(read, person)),
    ...(await dataOfEntitlements(read, person)),
    ...(await dataOfActivations(context, person)),
    ...(await dataOfFeedback(read, person)),
    dataSubjectRequests: requests.map((row) => ({ ...toRequest(row) })),
  }
  const { organizationGroups: _, entitlements: __, entitlementContacts: ___, ...own } = records
  const ids = Object.values(own).flatMap((list) => list.map(({ id }) => id))
  const recordIds = ids.filter((id) => typeof id === 'string')
  return {
    generatedAt: toInstant(now),
    ...records,
    ...(await dataOfSessions(read, person.tenantId, person.sessionIds)),
    audit: (await auditOf(read, person, recordIds)).map((row) => ({ ...toEntry(row) })),
  }
}
