import type { Tx } from '../../database/database.ts'

/** Adds to the offset of a tenant's clock and answers the new one; the row stays locked until the transaction ends, so that advances add up. */
export async function moveOffset(tx: Tx, tenantId: string, millis: number): Promise<number> {
  const { clock_offset } = await tx
    .updateTable('tenants')
    .set((eb) => ({ clock_offset: eb('clock_offset', '+', millis) }))
    .where('id', '=', tenantId)
    .returning('clock_offset')
    .executeTakeFirstOrThrow()
  return clock_offset
}
