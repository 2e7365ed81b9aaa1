import type { Tx } from '../../database/database.ts'

/** Takes the tenant's turn to change its catalog, until the transaction ends; answers the revision it stands at. */
export async function lockCatalog(tx: Tx, tenantId: string): Promise<number> {
  await tx
    .insertInto('catalog_revisions')
    .values({ tenant_id: tenantId, revision: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // An update takes the row's lock on PostgreSQL; SQLite's one writer has its turn already.
  const { revision } = await tx
    .updateTable('catalog_revisions')
    .set((eb) => ({ revision: eb.ref('revision') }))
    .where('tenant_id', '=', tenantId)
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

/** Says that the catalog is no longer what it was; only when something really changed. */
export async function moveRevision(tx: Tx, tenantId: string): Promise<void> {
  await tx
    .updateTable('catalog_revisions')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** The revision a tenant's catalog stands at, by which two of its states are told apart. */
export async function readRevision(readable: Pick<Tx, 'selectFrom'>, tenantId: string): Promise<number> {
  const row = await readable
    .selectFrom('catalog_revisions')
    .select('revision')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.revision ?? 0
}
