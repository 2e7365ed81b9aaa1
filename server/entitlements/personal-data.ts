import { foldText } from '../../catalog-schema/folding.ts'
import {
  hasAddress,
  hasAnyAddress,
  type KnownPerson,
  type Person,
  type PersonalData,
  toPersonalRecord,
} from '../access/users/person.ts'
import type { Readable, Tx } from '../database/database.ts'
import { toNullableInstant } from '../kit/instants.ts'
import { isAmong, isTenants, listed } from '../kit/listed-values.ts'
import { lookApart } from '../kit/looking-apart.ts'
import type { Cause } from '../kit/outbox.ts'
import { fromColumns } from '../kit/records/columns.ts'
import { workflowStorage } from './activation-codes/fields.ts'
import type { CodeRow } from './activation-codes/store.ts'
import { customerKind } from './customers/contract.ts'
import { toWire as toPlanChange } from './plan-changes/wire.ts'

/** The ids of the codes that were issued to a person: for their user alone, or to their address, each kind by its index. */
export async function listCodeIds(read: Readable, person: KnownPerson): Promise<string[]> {
  const codes = read.selectFrom('activation_codes').select('id').where('tenant_id', '=', person.tenantId)
  const forThem = codes.where(isAmong(read, 'required_user_id', listed(read, person.userIds)))
  const theirs = forThem.union(codes.where(hasAddress('email', person)))
  return (await theirs.orderBy('id').execute()).map(({ id }) => id)
}

/** What a person may use, bought and asked for: assignments, codes, customers and contacts with their address, requests for another plan. */
export async function dataOfUser(
  read: Readable,
  person: Person,
): Promise<
  PersonalData<'entitlements' | 'entitlementContacts' | 'customers' | 'activationCodes' | 'planChangeRequests'>
> {
  const { tenantId } = person
  const userIds = listed(read, person.userIds)
  const assigned = read
    .selectFrom('entitlement_principals')
    .innerJoin('entitlements', 'entitlements.id', 'entitlement_principals.entitlement_id')
    .select(['entitlements.id', 'entitlements.name', 'entitlements.status', 'entitlement_principals.assigned_at'])
    .where('entitlement_principals.tenant_id', '=', tenantId)
    .where(isAmong(read, 'entitlement_principals.user_id', userIds))
    .orderBy('entitlements.id')
  const contacts = read
    .selectFrom('entitlements')
    .select(['id', 'name', 'customer_contact_email', 'customer_contact_name'])
    .where('tenant_id', '=', tenantId)
    .where(hasAddress('customer_contact_email', person))
    .orderBy('id')
  const customers = read
    .selectFrom('customers')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(hasAddress('email', person))
    .orderBy('id')
  const codes = read
    .selectFrom('activation_codes')
    .selectAll()
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'id', listed(read, person.codeIds)))
    .orderBy('id')
  const requests = read
    .selectFrom('plan_change_requests')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(isAmong(read, 'user_id', userIds))
    .orderBy('id')
  return {
    entitlements: (await assigned.execute()).map(toPersonalRecord),
    entitlementContacts: (await contacts.execute()).map(toPersonalRecord),
    customers: (await customers.execute()).map((row) => customerKind.toWire(row, {})),
    activationCodes: (await codes.execute()).map(toCode),
    planChangeRequests: (await requests.execute()).map((row) => ({ ...toPlanChange(row) })),
  }
}

/** The ids of records that have an address of a person. */
async function listNamed(
  tx: Tx,
  table: 'customers' | 'entitlements' | 'activation_codes',
  { tenantId }: Person,
  hasTheirs: ReturnType<typeof hasAddress>,
): Promise<string[]> {
  const rows = await lookApart(tx)
    .selectFrom(table)
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where(hasTheirs)
    .execute()
  return rows.map(({ id }) => id)
}

/** A code as its own operation answers it, but for its text and what follows from the entitlement. */
function toCode(row: CodeRow): Record<string, unknown> {
  const { activationCode: _, ...workflow } = fromColumns(workflowStorage, row, {})
  const ends = { revokedAt: toNullableInstant(row.revoked_at), createdAt: toNullableInstant(row.created_at) }
  return { id: row.id, entitlementId: row.entitlement_id, ...workflow, ...ends }
}

/** What of a room's records told of a person. */
interface Told {
  /** The ids of the records that were theirs. */
  recordIds: string[]
  /** The ids of the entitlements whose contact they were. */
  contactOf: string[]
}

/** What a customer is called that was called as a person who was erased. */
const nobody = 'Erased'

/** The customers among those with a person's address that are called as the person is. */
async function listNamesakes(tx: Tx, { tenantId, userIds }: Person, customers: readonly string[]): Promise<string[]> {
  if (customers.length === 0) return []
  const users = await tx
    .selectFrom('users')
    .select('display_name')
    .where(isTenants(tx, tenantId))
    .where(isAmong(tx, 'id', listed(tx, userIds)))
    .where('display_name', 'is not', null)
    .execute()
  const names = new Set(users.map(({ display_name }) => folded(display_name!)))
  const rows = await tx
    .selectFrom('customers')
    .select(['id', 'name'])
    .where(isTenants(tx, tenantId))
    .where(isAmong(tx, 'id', listed(tx, customers)))
    .execute()
  return rows.filter(({ name }) => names.has(folded(name))).map(({ id }) => id)
}

const folded = (name: string) => foldText(name).trim()

/**
 * Takes every entitlement from a person, and their address from customers and contacts (from a customer that is called as they
 * are the name, too), their words from requests. Of their codes the address and the devices go; one that was for the user or for
 * named devices alone opens nothing any more. A code that was sent to their address, which is not known to be theirs, loses
 * that alone.
 */
export async function eraseUser(cause: Cause, person: Person): Promise<Told> {
  const { tx, now, actor } = cause
  const { tenantId } = person
  const userIds = listed(tx, person.userIds)
  const customers = await listNamed(tx, 'customers', person, hasAddress('email', person))
  const contactOf = await listNamed(tx, 'entitlements', person, hasAddress('customer_contact_email', person))
  const addressed = await listNamed(tx, 'activation_codes', person, hasAnyAddress('email', person))
  const namesakes = await listNamesakes(tx, person, customers)
  for (const table of ['entitlement_principals', 'registered_offers'] as const)
    await tx
      .deleteFrom(table)
      .where('tenant_id', '=', tenantId)
      .where(isAmong(tx, 'user_id', userIds))
      .execute()
  const allCodes = tx.updateTable('activation_codes').where(isTenants(tx, tenantId))
  const codes = allCodes.where(isAmong(tx, 'id', listed(tx, person.codeIds)))
  await codes
    .set({ revoked_at: now })
    .where('revoked_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('required_user_id', 'is not', null),
        eb('fingerprint', 'is not', null),
        eb('pre_authorized_devices', '<>', '[]'),
      ]),
    )
    .execute()
  await codes
    .set((eb) => ({
      ...{ email: null, required_user_id: null, fingerprint: null, pre_authorized_devices: '[]' },
      ...{ updated_at: now, updated_by: actor, revision_number: eb('revision_number', '+', 1) },
    }))
    .execute()
  await allCodes
    .set((eb) => ({ email: null, updated_at: now, updated_by: actor, revision_number: eb('revision_number', '+', 1) }))
    .where(isAmong(tx, 'id', listed(tx, addressed)))
    .where('email', 'is not', null)
    .execute()
  await tx
    .updateTable('customers')
    .set((eb) => ({
      ...{ email: null, updated_at: now, updated_by: actor },
      revision_number: eb('revision_number', '+', 1),
    }))
    .where(isTenants(tx, tenantId))
    .where(isAmong(tx, 'id', listed(tx, customers)))
    .execute()
  await tx
    .updateTable('customers')
    .set({ name: nobody })
    .where(isTenants(tx, tenantId))
    .where(isAmong(tx, 'id', listed(tx, namesakes)))
    .execute()
  const contacts = await tx
    .updateTable('entitlements')
    .set((eb) => ({
      ...{ customer_contact_email: null, customer_contact_name: null, updated_at: now, updated_by: actor },
      revision_number: eb('revision_number', '+', 1),
    }))
    .where(isTenants(tx, tenantId))
    .where(isAmong(tx, 'id', listed(tx, contactOf)))
    .returning('id')
    .execute()
  const requests = await tx
    .updateTable('plan_change_requests')
    .set({ user_id: null, note: null, review_note: null })
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'user_id', userIds))
    .returning('id')
    .execute()
  return {
    recordIds: [...person.codeIds, ...addressed, ...namesakes, ...requests.map(({ id }) => id)],
    contactOf: contacts.map(({ id }) => id),
  }
}
