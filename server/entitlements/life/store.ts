import type { Readable, Tx } from '../../database/database.ts'
import { storeOf } from '../../kit/records/store.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'

/** The earliest instant at which something of the tenant's entitlements is due. */
export async function findNextDue(read: Readable, tenantId: string): Promise<number | undefined> {
  const row = await waiting(read)
    .select('next_due_at')
    .where('tenant_id', '=', tenantId)
    .orderBy('next_due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_due_at ?? undefined
}

/** The tenants with entitlements for which something is due by now, each on its own clock. */
export async function findTenantsWithDue(read: Readable, realNow: number): Promise<string[]> {
  const rows = await read
    .selectFrom('tenants')
    .select('id')
    .where((tenant) =>
      tenant.exists(
        tenant
          .selectFrom('entitlements')
          .select('entitlements.id')
          .whereRef('entitlements.tenant_id', '=', 'tenants.id')
          .where((eb) => eb('next_due_at', '<=', eb('tenants.clock_offset', '+', realNow))),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** At most `limit` entitlements for which something is due by now, the longest waiting first, nobody else's to change; those in other hands are left out. */
export function takeDue(tx: Tx, tenantId: string, now: number, limit: number): Promise<EntitlementRow[]> {
  const query = waiting(tx)
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('next_due_at', '<=', now)
    .orderBy('next_due_at')
    .limit(limit)
  return (storeOf(tx) === 'postgres' ? query.forUpdate().skipLocked() : query).execute()
}

/** Entitlements that something is due for, sooner or later; one that was deleted meanwhile only to be forgotten. */
const waiting = (read: Readable) => read.selectFrom('entitlements').where('next_due_at', 'is not', null)
