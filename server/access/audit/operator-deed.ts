import type { Tx } from '../../database/database.ts'
import { type Deed, recordAudit } from '../../kit/audit.ts'
import { newId } from '../../kit/ids.ts'
import { nowOfTenant } from '../tenants/tenant-clock.ts'

/** Keeps what the person who runs the server did by hand, in the transaction in which it was done. */
export async function recordOperatorDeed(tx: Tx, tenantId: string, deed: Deed): Promise<void> {
  const now = await nowOfTenant(tx, tenantId)
  await recordAudit({ tx, tenantId, now, actor: 'operator', correlationId: newId() }, deed)
}
