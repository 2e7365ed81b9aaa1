import { CompiledQuery, sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { compileOnce, writeInOrder } from '../../kit/compiled-query.ts'
import { yes } from '../../kit/flags.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { storeOf } from '../../kit/records/store.ts'

interface Ids extends Record<string, unknown> {
  tenantId: string
  ids: unknown
}

const taken = (read: Readable, { tenantId, ids }: Ids) =>
  read
    .selectFrom('seat_counts')
    .select(['entitlement_id', 'taken', 'is_reckoned'])
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'entitlement_id', ids))

const readTaken = compileOnce(taken)
const lockTaken = compileOnce((read, ids: Ids) => taken(read, ids).orderBy('entitlement_id').forUpdate())

/** The seats of an entitlement: how many are taken, and whether they lapse as the sessions have it. */
export type SeatCount = Pick<Tables['seat_counts'], 'taken' | 'is_reckoned'>

/**
 * Locks the seats of these entitlements of the tenant's, in the order of their ids, until the transaction ends: on
 * PostgreSQL by their rows, on SQLite by the transaction itself. Whoever takes or frees a seat asks this first. Answers how
 * they are counted.
 */
export async function lockSeats(
  tx: Tx,
  tenantId: string,
  entitlementIds: readonly string[],
): Promise<Map<string, SeatCount>> {
  const count = storeOf(tx) === 'postgres' ? lockTaken : readTaken
  const rows = await count(tx, { tenantId, ids: listed(tx, [...new Set(entitlementIds)]) })
  return new Map(rows.map((row) => [row.entitlement_id, row]))
}

/** How many seats were taken (or, below 0, freed) in all, by entitlement and by code, in the order of their ids. */
export interface SeatChanges {
  byEntitlement: readonly (readonly [id: string, by: number])[]
  byCode: readonly (readonly [id: string, by: number])[]
}

/** Counts seats that were taken or freed. */
export async function recordSeats(tx: Tx, tenantId: string, { byEntitlement, byCode }: SeatChanges): Promise<void> {
  await writeInOrder(tx, [
    ...byEntitlement.map(
      ([id, by]) =>
        () =>
          countEntitlement(tx, { tenantId, id, by }),
    ),
    ...byCode.map(
      ([id, by]) =>
        () =>
          countCode(tx, { tenantId, id, by }),
    ),
  ])
}

interface Count extends Record<string, unknown> {
  tenantId: string
  id: string
  by: number
}

const countEntitlement = compileOnce((tx, { tenantId, id, by }: Count) =>
  tx
    .updateTable('seat_counts')
    .set({ taken: sql`taken + ${by}` })
    .where('entitlement_id', '=', id)
    .where('tenant_id', '=', tenantId),
)

const countCode = compileOnce((tx, { tenantId, id, by }: Count) =>
  tx
    .updateTable('activation_codes')
    .set({ used_activations: sql`used_activations + ${by}` })
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId),
)

interface Lapsed extends Ids {
  now: number
}

const lapseSeats = compileOnce((tx, { tenantId, ids, now }: Lapsed) =>
  tx
    .updateTable('license_sessions')
    .set({ is_seated: 0 })
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'entitlement_id', ids))
    .where('is_seated', '=', yes)
    .where('seat_until', '<=', now)
    .returning(['entitlement_id', 'activation_code_id']),
)

/** Frees the seats of these entitlements that have lapsed by `now`; ask when they are locked. Answers whether there were any. */
export async function freeLapsedSeats(tx: Tx, tenantId: string, entitlementIds: readonly string[], now: number) {
  const lapsed = await lapseSeats(tx, { tenantId, ids: listed(tx, entitlementIds), now })
  if (lapsed.length > 0) await recordSeats(tx, tenantId, freedBy(lapsed))
  return lapsed.length > 0
}

const lapsedSeats = compileOnce((read, { tenantId, ids, now }: Lapsed) =>
  read
    .selectFrom('license_sessions')
    .select('entitlement_id')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where(isAmong(read, 'entitlement_id', ids))
    .where('is_seated', '=', yes)
    .where('seat_until', '<=', now),
)

/** Which of these entitlements have seats that have lapsed by `now`, and are counted still. */
export const findLapsedSeats = async (
  read: Readable,
  tenantId: string,
  entitlementIds: readonly string[],
  now: number,
) => (await lapsedSeats(read, { tenantId, ids: listed(read, entitlementIds), now })).map((row) => row.entitlement_id)

/** What it changes when these sessions hold a seat no more. */
export const freedBy = (
  sessions: readonly { entitlement_id: string; activation_code_id: string | null }[],
): SeatChanges => ({
  byEntitlement: counted(sessions.map((session) => session.entitlement_id)),
  byCode: counted(sessions.map((session) => session.activation_code_id).filter((id) => id !== null)),
})

function counted(ids: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) - 1)
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** A session that is counted in seats, with all that its seat depends on beside the policy. */
export interface SeatedSession {
  id: string
  entitlement_id: string
  activation_code_id: string | null
  last_access_at: number
  grace_expires_at: number
}

const seated = (read: Readable, tenantId: string, entitlementIds: readonly string[]) =>
  read
    .selectFrom('license_sessions')
    .select(['id', 'entitlement_id', 'activation_code_id', 'last_access_at', 'grace_expires_at'])
    .where('tenant_id', '=', tenantId)
    .where(isAmong(read, 'entitlement_id', listed(read, entitlementIds)))
    .where('is_seated', '=', yes)
    .orderBy('id')

/** The sessions that are counted in the seats of these entitlements. */
export const listSeated = (
  read: Readable,
  tenantId: string,
  entitlementIds: readonly string[],
): Promise<SeatedSession[]> => seated(read, tenantId, entitlementIds).execute()

/** The same, nobody else's to change until the transaction ends. */
export const lockSeated = (tx: Tx, tenantId: string, entitlementIds: readonly string[]): Promise<SeatedSession[]> =>
  seated(tx, tenantId, entitlementIds).forUpdate().execute()

/** Writes until when each of these sessions holds its seat (null: no end), which are all that these entitlements have. */
export async function writeSeatEnds(
  tx: Tx,
  tenantId: string,
  entitlementIds: readonly string[],
  ends: readonly { id: string; until: number | null }[],
): Promise<void> {
  const write = storeOf(tx) === 'postgres' ? writeOnPostgres : writeOnSqlite
  if (ends.length > 0) await tx.executeQuery(CompiledQuery.raw(write, [JSON.stringify(ends), tenantId]))
  await tx
    .updateTable('seat_counts')
    .set({ is_reckoned: 1 })
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'entitlement_id', listed(tx, entitlementIds)))
    .execute()
}

const writeOnPostgres = `update license_sessions as s set seat_until = r.until
from json_to_recordset($1::json) as r (id text, until bigint) where s.id = r.id and s.tenant_id = $2`

const writeOnSqlite = `update license_sessions set seat_until = r.value ->> 'until'
from json_each(?) as r where license_sessions.id = r.value ->> 'id' and +tenant_id = ?`
