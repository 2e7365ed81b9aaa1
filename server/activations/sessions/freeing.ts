import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import { lockSeats } from '../seating/counting.ts'
import type { SessionRow } from './licensed.ts'

/**
 * Frees the seats that these sessions of the tenant's hold, each once however often it is asked. The seats of their
 * entitlements are locked first, so ask before you look at the sessions' rows to change them.
 */
export async function freeSeats(
  tx: Tx,
  tenantId: string,
  sessions: readonly Pick<SessionRow, 'id' | 'entitlement_id'>[],
): Promise<void> {
  if (sessions.length === 0) return
  await lockSeats(
    tx,
    tenantId,
    sessions.map((session) => session.entitlement_id),
  )
  const freed = await tx
    .updateTable('license_sessions')
    .set({ is_seated: 0 })
    .where('tenant_id', '=', tenantId)
    .where(
      'id',
      'in',
      sessions.map(({ id }) => id),
    )
    .where('is_seated', '=', 1)
    .returning(['entitlement_id', 'activation_code_id'])
    .execute()
  for (const [id, seats] of countedBy(freed, 'entitlement_id'))
    await tx
      .updateTable('seat_counts')
      .set({ taken: sql`taken - ${seats}` })
      .where('tenant_id', '=', tenantId)
      .where('entitlement_id', '=', id)
      .execute()
  for (const [id, seats] of countedBy(freed, 'activation_code_id'))
    await tx
      .updateTable('activation_codes')
      .set({ used_activations: sql`used_activations - ${seats}` })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
}

/** How many rows there are by the value of a column, nulls aside, in the order of the values. */
function countedBy<K extends string>(rows: readonly { [C in K]: string | null }[], column: K): [string, number][] {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const value = row[column]
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
}
