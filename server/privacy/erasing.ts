import type { Person } from '../access/users/person.ts'
import { eraseUser as eraseFromAccess } from '../access/users/personal-data.ts'
import { eraseUser as eraseFromActivations } from '../activations/personal-data.ts'
import { eraseUser as eraseFromEntitlements } from '../entitlements/personal-data.ts'
import { eraseUser as eraseFromFeedback } from '../feedback/personal-data.ts'
import { causeOf } from '../kit/cause.ts'
import type { WriteContext } from '../kit/context.ts'
import { forgetAnswers } from '../kit/idempotency.ts'
import { eraseSessions } from '../metering/personal-data.ts'
import { eraseRequests } from './data-subject-requests/erasing.ts'
import { namerOf } from './naming.ts'
import { eraseTraces } from './traces.ts'

/** Removes a person, or whatever names them, from every room, and from what is kept of what was done; no total of what was consumed changes. */
export async function erasePerson(context: WriteContext, person: Person): Promise<void> {
  const cause = causeOf(context)
  const { tx, tenantId } = cause
  const { addresses, sessionIds } = person
  const entitlementIds = await eraseFromActivations(cause, person)
  await eraseSessions(tx, tenantId, { sessionIds, entitlementIds })
  const { recordIds, contactOf } = await eraseFromEntitlements(cause, person)
  const told = [
    ...sessionIds,
    ...recordIds,
    ...(await eraseFromFeedback(cause, person)),
    ...(await eraseRequests(cause, person)),
    ...(await eraseFromAccess(tx, person)),
  ]
  await eraseTraces(tx, person, { recordIds: told, contactOf })
  const callers = [...person.userIds, ...sessionIds]
  await forgetAnswers(tx, { tenantId, sealer: context.sealer }, callers, namerOf(addresses, told))
}
