import type { Tx } from '../../database/database.ts'

/** The offset of a tenant's clock (milliseconds). */
export async function readOffset(tx: Tx, tenantId: string): Promise<number> {
  const { clock_offset } = await tx
    .selectFrom('tenants')
    .select('clock_offset')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return clock_offset
}

/** Adds to the offset of a tenant's clock and answers the new one. */
export async function moveOffset(tx: Tx, tenantId: string, millis: number): Promise<number> {
  const { clock_offset } = await tx
    .updateTable('tenants')
    .set((eb) => ({ clock_offset: eb('clock_offset', '+', millis) }))
    .where('id', '=', tenantId)
    .returning('clock_offset')
    .executeTakeFirstOrThrow()
  return clock_offset
}
