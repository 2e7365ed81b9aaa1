import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { type Client, fromRow, selectClients } from '../clients/store.ts'

/** A client that asks for a token, and the key that would sign it: found in one question, since every grant asks both. */
export interface Grantee {
  client: Client
  /** The newest of the tenant's token keys in use; ids are ordered by their birth. */
  kid: string
}

/** The tenant's client of that id and its key; undefined when there is no such client. */
export async function findGrantee(read: Readable, tenantId: string, clientId: string): Promise<Grantee | undefined> {
  const [row] = await clientWithKey(read, { tenantId, clientId })
  if (!row) return undefined
  if (row.kid === null) throw new Error(`tenant ${tenantId} has no token key`)
  return { client: fromRow(row), kid: row.kid }
}

const clientWithKey = compileOnce((read, { tenantId, clientId }: { tenantId: string; clientId: string }) =>
  selectClients(read, tenantId)
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('signing_keys')
        .select((key) => key.fn.max('signing_keys.id').as('newest'))
        // With parameters here, SQLite plans anew at each execution, for the greatest stands at the end of an index.
        .whereRef('signing_keys.tenant_id', '=', 'clients.tenant_id')
        .where('signing_keys.purpose', '=', sql.lit('token'))
        .where('signing_keys.retired_at', 'is', null)
        .as('kid'),
    )
    .where('id', '=', clientId),
)
