import { CompiledQuery } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'
import { storeOf } from '../../kit/records/store.ts'
import { type SeatPolicy, seatUntil } from '../sessions/leasing.ts'

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
    .where('is_seated', '=', 1)
    .orderBy('id')

/** The sessions that are counted in the seats of these entitlements. */
export const listSeated = (
  read: Readable,
  tenantId: string,
  entitlementIds: readonly string[],
): Promise<SeatedSession[]> => seated(read, tenantId, entitlementIds).execute()

/**
 * Writes until when the seats of these entitlements are held by their present policies, which were changed since it was
 * written last; ask when they are locked.
 */
export async function reckonAnew(tx: Tx, tenantId: string, policies: ReadonlyMap<string, SeatPolicy>): Promise<void> {
  if (policies.size === 0) return
  const ids = [...policies.keys()]
  const query = seated(tx, tenantId, ids)
  const sessions = await (storeOf(tx) === 'postgres' ? query.forUpdate() : query).execute()
  const ends = sessions.map(({ id, entitlement_id, last_access_at, grace_expires_at }) => ({
    id,
    until: seatUntil(last_access_at, policies.get(entitlement_id)!, grace_expires_at),
  }))
  const write = storeOf(tx) === 'postgres' ? writeOnPostgres : writeOnSqlite
  if (ends.length > 0) await tx.executeQuery(CompiledQuery.raw(write, [JSON.stringify(ends), tenantId]))
  await tx
    .updateTable('seat_counts')
    .set({ is_reckoned: 1 })
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'entitlement_id', listed(tx, ids)))
    .execute()
}

const writeOnPostgres = `update license_sessions as s set seat_until = r.until
from json_to_recordset($1::json) as r (id text, until bigint) where s.id = r.id and s.tenant_id = $2`

const writeOnSqlite = `update license_sessions set seat_until = r.value ->> 'until'
from json_each(?) as r where license_sessions.id = r.value ->> 'id' and +tenant_id = ?`
