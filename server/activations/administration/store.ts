import { type SelectQueryBuilder, sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { codeTextFieldOf } from '../../entitlements/activation-codes/lookup.ts'
import { type HeldSeats, heldSeats } from '../../entitlements/seats/held.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ReadContext } from '../../kit/context.ts'
import { no, yes } from '../../kit/flags.ts'
import { readListQuery } from '../../kit/list-query.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { readCountedPage } from '../../kit/records/counted-page.ts'
import { fingerprintsOf } from '../sessions/former-fingerprints.ts'
import type { SessionRow } from '../sessions/licensed.ts'
import { sessionFilterFields, sessionIdField } from './fields.ts'

/** Which sessions of a tenant a list is of; none given, all of them. */
export interface Listed {
  entitlementId?: string
  userId?: string
  /** Only those that hold a seat. */
  seated?: boolean
}

/** A page of the tenant's sessions as they are now, oldest first unless a sortOrder says otherwise; throws the validation problem. */
export async function listRows(context: ReadContext, query: ListQuery, listed: Listed) {
  const { read, tenant, now } = context
  const fields = [...sessionFilterFields, codeTextFieldOf(context, 'license_sessions.activation_code_id')]
  const { page, condition, ordering } = readListQuery(query, fields, sessionIdField, sessionIdField.name)
  const isOf = (column: 'entitlement_id' | 'user_id', id: string | undefined) =>
    id === undefined ? sql<boolean>`1 = 1` : sql<boolean>`${sql.ref(column)} = ${id}`
  const among = sql<boolean>`${isOf('entitlement_id', listed.entitlementId)} and ${isOf('user_id', listed.userId)}`
  let matching = judged(read, await heldSeats(read, tenant.id, now), now)
    .where('tenant_id', '=', tenant.id)
    .where(among)
  if (listed.seated) matching = matching.where('holds_seat', '=', yes)
  if (condition) matching = matching.where(condition)
  // Nothing that is computed of a session makes a difference to how many there are.
  const all = read.selectFrom('license_sessions').where('tenant_id', '=', tenant.id).where(among)
  const found = await readCountedPage<SessionRow>({
    ...{ matching: matching as never, id: sessionIdField.column, ordering, page },
    select: (rows) => rows.selectAll(),
    ...(listed.seated || condition ? {} : { counted: all as never }),
    isFoundFirst: listed.entitlementId === undefined && listed.userId === undefined,
  })
  return { ...found, ...page }
}

type JudgedSession = SessionRow & {
  application_instance_id: string | null
  is_revoked: number
  holds_seat: number
  is_valid: number
  license_key: string | null
}

/**
 * Sessions with what is computed of them at `now`, to filter and sort by, under the table's own name. Of the
 * entitlement its status is enough: it is Expired from its end on, and no session's own window outlasts that end.
 */
function judged(read: Readable, isHeld: HeldSeats, now: number) {
  const at = sql`cast(${now} as bigint)`
  const sessions = read
    .selectFrom('license_sessions')
    .leftJoin('entitlements', (join) =>
      join.onRef('entitlements.id', '=', 'license_sessions.entitlement_id').on('entitlements.is_deleted', '=', no),
    )
    .selectAll('license_sessions')
    .select([
      'entitlements.license_key',
      sql<string | null>`nullif(instance_id, '')`.as('application_instance_id'),
      sql<number>`case when revoked_at is null then 0 else 1 end`.as('is_revoked'),
      sql<number>`case when is_seated = 1 and entitlements.id is not null and (${isHeld}) then 1 else 0 end`.as(
        'holds_seat',
      ),
      sql<number>`case when revoked_at is null and released_at is null and lease_expires_at > ${at}
and (not_before is null or not_before <= ${at}) and (not_after is null or not_after > ${at})
and entitlements.status = 'Active'
and (entitlements.not_valid_before_date_time is null or entitlements.not_valid_before_date_time <= ${at})
then 1 else 0 end`.as('is_valid'),
    ])
  return read.selectFrom(sessions.as('license_sessions')) as unknown as SelectQueryBuilder<
    { license_sessions: JudgedSession },
    'license_sessions',
    object
  >
}

/** A session of the tenant's; throws the not-found problem. */
export async function getRow(read: Readable, tenantId: string, id: string): Promise<SessionRow> {
  const row = await read
    .selectFrom('license_sessions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id.toLowerCase())
    .executeTakeFirst()
  if (!row) throw recordNotFound('license session')
  return row
}

/** Writes what ended a session, unless it has ended so before. */
export async function endSession(
  tx: Tx,
  { tenant_id, id }: SessionRow,
  end: { revoked_at: number; revoke_reason: string | null } | { released_at: number; released_by?: string },
): Promise<void> {
  const stillOpen = 'revoked_at' in end ? (['revoked_at'] as const) : (['revoked_at', 'released_at'] as const)
  let query = tx.updateTable('license_sessions').set(end).where('tenant_id', '=', tenant_id).where('id', '=', id)
  for (const column of stillOpen) query = query.where(column, 'is', null)
  await query.execute()
}

/** When this end user last freed devices, so many of them, the newest first. */
export async function listReleases(
  read: Readable,
  tenantId: string,
  releasedBy: string,
  count: number,
): Promise<number[]> {
  const rows = await read
    .selectFrom('license_sessions')
    .select('released_at')
    .where('tenant_id', '=', tenantId)
    .where('released_by', '=', releasedBy)
    .orderBy('released_at', 'desc')
    .limit(count)
    .execute()
  return rows.map((row) => row.released_at!)
}

/** Keeps the device of a session from activating on its entitlement, by every fingerprint that it had; what is kept out already stays as it is. */
export async function blockDevice(
  tx: Tx,
  session: SessionRow,
  block: Pick<Tables['blocked_devices'], 'reason' | 'blocked_at' | 'blocked_by'>,
): Promise<void> {
  const { id: session_id, tenant_id, entitlement_id } = session
  await tx
    .insertInto('blocked_devices')
    .values(
      fingerprintsOf(session).map((fingerprint) => ({ tenant_id, entitlement_id, fingerprint, session_id, ...block })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Lets the device of a session activate on its entitlement again, and all that was blocked together with a fingerprint of
 * it; whether it was kept out.
 */
export async function removeBlock(tx: Tx, session: SessionRow): Promise<boolean> {
  const { tenant_id, entitlement_id } = session
  const isOfDevice = isAmong(tx, 'fingerprint', listed(tx, fingerprintsOf(session)))
  const together = tx
    .selectFrom('blocked_devices')
    .select('session_id')
    .where('tenant_id', '=', tenant_id)
    .where('entitlement_id', '=', entitlement_id)
    .where(isOfDevice)
  const { numDeletedRows } = await tx
    .deleteFrom('blocked_devices')
    .where('tenant_id', '=', tenant_id)
    .where('entitlement_id', '=', entitlement_id)
    .where((eb) => eb.or([isOfDevice, eb('session_id', 'in', together)]))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
