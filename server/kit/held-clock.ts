import type { Tx } from '../database/database.ts'
import type { RequestContext } from './context.ts'
import { shareName, takeName } from './named-lock.ts'

const clockOf = (tenantId: string) => `clock/${tenantId}`

/**
 * Has whoever would move the clocks of these requests' sandbox tenants wait until the transaction ends; what had to wait for one
 * that was moved is done, and dated, at the time that it is by then. Ask before anything else is locked.
 */
export async function holdClocks(tx: Tx, contexts: readonly RequestContext[]): Promise<void> {
  const ofSandboxes = contexts.filter(({ tenant, clock }) => tenant.kind === 'Sandbox' && clock !== undefined)
  if (ofSandboxes.length === 0) return
  const byTenant = [...Map.groupBy(ofSandboxes, ({ tenant }) => tenant.id)]
  for (const [tenantId, some] of byTenant.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    await shareName(tx, clockOf(tenantId))
    const now = await some[0]!.clock!(tx)
    for (const context of some) context.now = Math.max(context.now, now)
  }
}

/** Has whoever writes of a tenant, and whoever else would move its clock, wait until the transaction ends. */
export const takeClock = (tx: Tx, tenantId: string): Promise<void> => takeName(tx, clockOf(tenantId))
