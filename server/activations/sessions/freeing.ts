import type { Tx } from '../../database/database.ts'
import { yes } from '../../kit/flags.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { freedBy, lockSeats, recordSeats } from '../seating/store.ts'
import type { SessionRow } from './licensed.ts'

/**
 * Frees the seats that these sessions of the tenant's hold, each once however often it is asked. The seats of their
 * entitlements are locked first, so ask before you read the sessions to change them.
 */
export async function freeSeats(
  tx: Tx,
  tenantId: string,
  sessions: readonly Pick<SessionRow, 'id' | 'entitlement_id'>[],
): Promise<void> {
  if (sessions.length === 0) return
  const entitlementIds = sessions.map((session) => session.entitlement_id)
  await lockSeats(tx, tenantId, entitlementIds)
  const ids = sessions.map(({ id }) => id)
  const freed = await tx
    .updateTable('license_sessions')
    .set({ is_seated: 0 })
    .where(isTenants(tx, tenantId))
    .where(isAmong(tx, 'id', listed(tx, ids)))
    .where('is_seated', '=', yes)
    .returning(['entitlement_id', 'activation_code_id'])
    .execute()
  await recordSeats(tx, tenantId, freedBy(freed))
}
