import type { Readable, Tx } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { listRows } from '../../kit/records/plain-list.ts'
import { storeOf } from '../../kit/records/store.ts'
import type { RegistrationTables } from './tables.ts'

export type RegistrationRow = RegistrationTables['registrations']

const column = (name: string, column: string) => ({ name, column: `registrations.${column}` })

export const registrationFilterFields: readonly [ColumnField, ...ColumnField[]] = [
  { ...column('id', 'id'), type: 'uuid', nullable: false },
  { ...column('email', 'email'), type: 'text', nullable: false },
  { ...column('displayName', 'display_name'), type: 'text', nullable: true },
  { ...column('createdAt', 'created_at'), type: 'instant', nullable: false },
  { ...column('expiresAt', 'expires_at'), type: 'instant', nullable: false },
]

/** A page of what can still be confirmed, the first made first unless a sortOrder says otherwise. */
export const listPending = (read: Readable, tenantId: string, now: number, query: ListQuery) =>
  listRows(
    read.selectFrom('registrations').where('tenant_id', '=', tenantId).where('expires_at', '>', now),
    registrationFilterFields,
    'createdAt',
    query,
  )

/** Keeps a new registration. */
export const insertRegistration = async (tx: Tx, row: RegistrationRow): Promise<void> =>
  void (await tx.insertInto('registrations').values(row).execute())

/**
 * The registration that is found by a value and can still be confirmed, undefined when there is none. Nobody else confirms one
 * of the same address until the transaction ends.
 */
export async function lockPending(
  tx: Tx,
  tenantId: string,
  by: { id: string } | { token_hash: string },
  now: number,
): Promise<RegistrationRow | undefined> {
  const pending = tx
    .selectFrom('registrations')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('expires_at', '>', now)
  const found = await pending.where((eb) => eb.and(by)).executeTakeFirst()
  if (!found || storeOf(tx) !== 'postgres') return found
  const alike = pending.where('folded_email', '=', found.folded_email).orderBy('id').forUpdate()
  return (await alike.execute()).find(({ id }) => id === found.id)
}

/** Forgets every registration of an address. */
export const deleteRegistrations = async (tx: Tx, tenantId: string, foldedEmail: string): Promise<void> =>
  void (await tx
    .deleteFrom('registrations')
    .where('tenant_id', '=', tenantId)
    .where('folded_email', '=', foldedEmail)
    .execute())

const forgottenAtOnce = 200

/** Forgets some of those that nobody confirmed in time. */
export const forgetExpired = async (tx: Tx, tenantId: string, now: number): Promise<void> =>
  void (await tx
    .deleteFrom('registrations')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('registrations')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(forgottenAtOnce),
    )
    .execute())
