import type { Person } from '../access/users/person.ts'
import type { Readable, Tx } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { firstPersonalActor } from '../kit/audit.ts'
import { parseExactly } from '../kit/decimal.ts'
import { holdsFolded } from '../kit/folded-texts.ts'
import { isAmong, isTenants, listed } from '../kit/listed-values.ts'
import { lookApart } from '../kit/looking-apart.ts'
import { namerOf } from './naming.ts'

const entriesOf = (read: Readable, { tenantId }: Person) =>
  read.selectFrom('audit_entries').where('tenant_id', '=', tenantId)

const actorsOf = ({ userIds, sessionIds }: Person) => [
  ...userIds.map((id) => `user:${id}`),
  ...sessionIds.map((id) => `session:${id}`),
]

/** The ids of the entries of the audit log of what a person did, or of what was done to these records. */
async function listAbout(read: Readable, person: Person, recordIds: readonly string[]): Promise<string[]> {
  const entries = entriesOf(read, person).select('id')
  const did = entries
    .where('actor', '>=', firstPersonalActor)
    .where(isAmong(read, 'actor', listed(read, actorsOf(person))))
  const rows = await did.union(entries.where(isAmong(read, 'record_id', listed(read, recordIds)))).execute()
  return rows.map(({ id }) => id)
}

/**
 * The entries of the audit log of what a person did, of what was done to these records of theirs, and of what else names an
 * address of theirs, of which the fields that do.
 */
export async function auditOf(
  read: Readable,
  person: Person,
  recordIds: readonly string[],
): Promise<Tables['audit_entries'][]> {
  const about = await read
    .selectFrom('audit_entries')
    .selectAll()
    .where(isTenants(read, person.tenantId))
    .where(isAmong(read, 'id', listed(read, await listAbout(read, person, recordIds))))
    .execute()
  const known = new Set(about.map(({ id }) => id))
  const isNaming = namerOf(person.addresses, [])
  const others = (await listNaming(read, person))
    .filter(({ id }) => !known.has(id))
    .map((entry) => {
      const [before, after] = [entry.before, entry.after].map((text) =>
        fieldsWhere(text, (_name, value) => isNaming(JSON.stringify(value))),
      )
      return { ...entry, before: before ?? null, after: after ?? null }
    })
  return [...about, ...others].sort((one, other) => one.occurred_at - other.occurred_at || (one.id < other.id ? -1 : 1))
}

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
  const apart = lookApart(tx)
  const naming = await listNaming(apart, person)
  const ids = [...naming.map(({ id }) => id), ...(await listAbout(apart, person, recordIds))]
  await tx
    .updateTable('audit_entries')
    .set({ before: null, after: null })
    .where(isTenants(tx, person.tenantId))
    .where(isAmong(tx, 'id', listed(tx, ids)))
    .execute()
  const wereContact = naming.flatMap((entry) => (entry.record_kind === 'entitlements' ? (entry.record_id ?? []) : []))
  await eraseContacts(tx, person, [...new Set([...contactOf, ...wereContact])], new Set(ids))
}

/** The entries that name an address of a person; whether one stands there whole is asked of those that have its characters. */
async function listNaming(read: Readable, person: Person) {
  const isNaming = namerOf(person.addresses, [])
  const entries = await entriesOf(read, person)
    .selectAll()
    .where((eb) => eb.or([holdsFolded(read, 'before', person.addresses), holdsFolded(read, 'after', person.addresses)]))
    .execute()
  return entries.filter(({ before, after }) => [before, after].some((text) => text !== null && isNaming(text)))
}

/** Entries that are empty already stay so. */
async function eraseContacts(
  tx: Tx,
  person: Person,
  entitlementIds: readonly string[],
  emptied: ReadonlySet<string>,
): Promise<void> {
  const apart = lookApart(tx)
  const entries = await entriesOf(apart, person)
    .select(['id', 'before', 'after'])
    .where(isAmong(apart, 'record_id', listed(apart, entitlementIds)))
    .where((eb) => eb.or([eb('before', 'like', '%customerContact%'), eb('after', 'like', '%customerContact%')]))
    .execute()
  for (const { id, before, after } of entries.filter((entry) => !emptied.has(entry.id)))
    await tx
      .updateTable('audit_entries')
      .set({ before: withoutContact(before), after: withoutContact(after) })
      .where('id', '=', id)
      .execute()
}

const withoutContact = (text: string | null) => fieldsWhere(text, (name) => !/^\/?customerContact/.test(name))

/** Some of the fields that an entry has, be they a whole record's or those that changed. */
function fieldsWhere(text: string | null, isKept: (name: string, value: unknown) => boolean): string | null {
  if (text === null) return null
  const fields = Object.entries(parseExactly(text) as object)
  return JSON.stringify(Object.fromEntries(fields.filter(([name, value]) => isKept(name, value))))
}
