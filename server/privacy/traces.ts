import type { Person } from '../access/users/person.ts'
import type { Readable, Tx } from '../database/database.ts'
import { parseExactly } from '../kit/decimal.ts'
import { holdsFolded } from '../kit/folded-texts.ts'
import { isAmong, listed } from '../kit/listed-values.ts'
import { namerOf } from './naming.ts'

const entriesOf = (read: Readable, { tenantId }: Person) =>
  read.selectFrom('audit_entries').where('tenant_id', '=', tenantId)

const actorsOf = ({ userIds, sessionIds }: Person) => [
  ...userIds.map((id) => `user:${id}`),
  ...sessionIds.map((id) => `session:${id}`),
]

/** Whether an entry of the audit log is of what a person did, or of what was done to these records. */
const isAbout = (read: Readable, person: Person, recordIds: readonly string[]) => [
  isAmong(read, 'actor', listed(read, actorsOf(person))),
  isAmong(read, 'record_id', listed(read, recordIds)),
]

/** The entries of the audit log of what a person did, and of what was done to these records of theirs. */
export const auditOf = (read: Readable, person: Person, recordIds: readonly string[]) =>
  entriesOf(read, person)
    .selectAll()
    .where((eb) => eb.or(isAbout(read, person, recordIds)))
    .orderBy('occurred_at')
    .orderBy('id')
    .execute()

/**
 * Empties the entries of the audit log that a person caused, that are about these records, or that name an address of
 * theirs: that something was done stays, what it was not. Of an entitlement whose contact they are or were the entries lose
 * what they say of contacts.
 */
export async function eraseTraces(
  tx: Tx,
  person: Person,
  { recordIds, contactOf }: { recordIds: readonly string[]; contactOf: readonly string[] },
): Promise<void> {
  const naming = await listNaming(tx, person)
  const ids = naming.map(({ id }) => id)
  await tx
    .updateTable('audit_entries')
    .set({ before: null, after: null })
    .where('tenant_id', '=', person.tenantId)
    .where((eb) => eb.or([...isAbout(tx, person, recordIds), isAmong(tx, 'id', listed(tx, ids))]))
    .execute()
  const wereContact = naming.flatMap((entry) => (entry.record_kind === 'entitlements' ? (entry.record_id ?? []) : []))
  await eraseContacts(tx, person, [...new Set([...contactOf, ...wereContact])])
}

/** The entries that name an address of a person; whether one stands there whole is asked of those that have its characters. */
async function listNaming(tx: Tx, person: Person) {
  const isNaming = namerOf(person.addresses, [])
  const entries = await entriesOf(tx, person)
    .select(['id', 'record_kind', 'record_id', 'before', 'after'])
    .where((eb) => eb.or([holdsFolded(tx, 'before', person.addresses), holdsFolded(tx, 'after', person.addresses)]))
    .execute()
  return entries.filter(({ before, after }) => [before, after].some((text) => text !== null && isNaming(text)))
}

async function eraseContacts(tx: Tx, person: Person, entitlementIds: readonly string[]): Promise<void> {
  const entries = await entriesOf(tx, person)
    .select(['id', 'before', 'after'])
    .where(isAmong(tx, 'record_id', listed(tx, entitlementIds)))
    .where((eb) => eb.or([eb('before', 'like', '%customerContact%'), eb('after', 'like', '%customerContact%')]))
    .execute()
  for (const { id, before, after } of entries)
    await tx
      .updateTable('audit_entries')
      .set({ before: withoutContact(before), after: withoutContact(after) })
      .where('id', '=', id)
      .execute()
}

/** The fields of an entry, whole records' or those that changed, without what they say of a contact. */
function withoutContact(text: string | null): string | null {
  if (text === null) return null
  const fields = Object.entries(parseExactly(text) as object)
  return JSON.stringify(Object.fromEntries(fields.filter(([name]) => !/^\/?customerContact/.test(name))))
}
