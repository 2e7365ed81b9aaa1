import type { Readable, Tx } from '../../database/database.ts'
import { storeOf } from '../../kit/records/store.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'

/** At most `limit` entitlements for which something is due by now, the longest waiting first, nobody else's to change; those in other hands are left out. */
export const takeDue = (tx: Tx, tenantId: string, now: number, limit: number): Promise<EntitlementRow[]> =>
  waiting(tx)
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('next_due_at', '<=', now)
    .orderBy('next_due_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

/** Locks every entitlement for which something is due by now, in the order of their ids; on SQLite a transaction is alone anyway. */
export async function holdDue(tx: Tx, tenantId: string, now: number): Promise<void> {
  if (storeOf(tx) === 'sqlite') return
  const due = waiting(tx).select('id').where('tenant_id', '=', tenantId).where('next_due_at', '<=', now)
  await due.orderBy('id').forUpdate().execute()
}

/** Entitlements that something is due for, sooner or later; one that was deleted meanwhile only to be forgotten. */
const waiting = (read: Readable) => read.selectFrom('entitlements').where('next_due_at', 'is not', null)
