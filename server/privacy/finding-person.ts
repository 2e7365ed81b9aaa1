import type { Person } from '../access/users/person.ts'
import { findKnownPerson, lockUser } from '../access/users/personal-data.ts'
import { listSessionIds } from '../activations/personal-data.ts'
import type { Readable, Tx } from '../database/database.ts'
import { listCodeIds } from '../entitlements/personal-data.ts'
import { holdAllRecords } from '../kit/audit.ts'
import { lookApart } from '../kit/looking-apart.ts'

/** The person behind a user, with all that their data are found by; undefined when there is none, or none any more. */
export async function findPerson(read: Readable, tenantId: string, userId: string): Promise<Person | undefined> {
  const known = await findKnownPerson(read, tenantId, userId)
  if (!known) return undefined
  const codeIds = await listCodeIds(read, known)
  return { ...known, codeIds, sessionIds: await listSessionIds(read, { ...known, codeIds }) }
}

/** The same, to whom nothing is added until the transaction ends. */
export async function lockPerson(tx: Tx, tenantId: string, userId: string): Promise<Person | undefined> {
  await holdAllRecords(tx, tenantId)
  await lockUser(tx, tenantId, userId)
  return findPerson(lookApart(tx), tenantId, userId)
}
