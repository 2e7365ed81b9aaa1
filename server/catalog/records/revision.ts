import type { Readable, Tx } from '../../database/database.ts'
import { readAgain } from '../../kit/audit.ts'
import { allDone, compileOnce, leaveToCommit } from '../../kit/compiled-query.ts'
import { shareName, takeName } from '../../kit/named-lock.ts'

/** Takes the tenant's turn to change its catalog, until the transaction ends; answers the revision it stands at. */
export async function lockCatalog(tx: Tx, tenantId: string): Promise<number> {
  const [, [row]] = await allDone([takeName(tx, turnOf(tenantId)), standingRevision(tx, { tenantId })])
  await readAgain(tx)
  return row!.revision
}

const turnOf = (tenantId: string) => `catalog/${tenantId}`

/** The revision as it stands, written to be there. */
const standingRevision = compileOnce((tx, { tenantId }: { tenantId: string }) =>
  tx
    .insertInto('catalog_revisions')
    .values({ tenant_id: tenantId, revision: 0 })
    .onConflict((conflict) =>
      conflict.column('tenant_id').doUpdateSet((eb) => ({ revision: eb.ref('catalog_revisions.revision') })),
    )
    .returning('revision'),
)

/**
 * Keeps the tenant's catalog from changing until the transaction ends, beside whoever else only refers to it; ask before
 * anything else is locked, and not in a transaction that takes the turn later. SQLite's one writer has it kept already.
 */
export const keepCatalog = (tx: Tx, tenantId: string): Promise<void> => shareName(tx, turnOf(tenantId))

/** Says that the catalog is no longer what it was; only when something really changed. */
export const moveRevision = (tx: Tx, tenantId: string): Promise<void> => leaveToCommit(tx, increment(tx, { tenantId }))

const increment = compileOnce((tx, { tenantId }: { tenantId: string }) =>
  tx
    .updateTable('catalog_revisions')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('tenant_id', '=', tenantId),
)

/** The revision a tenant's catalog stands at, by which two of its states are told apart. */
export async function readRevision(readable: Readable, tenantId: string): Promise<number> {
  const [row] = await findRevision(readable, { tenantId })
  return row?.revision ?? 0
}

const findRevision = compileOnce((readable, { tenantId }: { tenantId: string }) =>
  readable.selectFrom('catalog_revisions').select('revision').where('tenant_id', '=', tenantId),
)
