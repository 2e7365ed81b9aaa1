import { sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'

/** An API client as it is known inside: its secrets only by their hashes. */
export interface Client {
  id: string
  name: string
  scopes: readonly string[]
  secretHash: string
  previousSecretHash: string | null
  previousSecretUntil: number | null
  createdAt: number
  updatedAt: number
  revisionNumber: number
}

interface ClientRow {
  id: string
  name: string
  scopes: string
  secret_hash: string
  previous_secret_hash: string | null
  previous_secret_until: number | null
  created_at: number
  updated_at: number
  revision_number: number
}

export const fromRow = (row: ClientRow): Client => ({
  id: row.id,
  name: row.name,
  scopes: JSON.parse(row.scopes) as string[],
  secretHash: row.secret_hash,
  previousSecretHash: row.previous_secret_hash,
  previousSecretUntil: row.previous_secret_until,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revisionNumber: row.revision_number,
})

/** Until when a client's previous secret is good; null when there is none, or none that is good at `now`. */
export const previousSecretUntil = (now: number) =>
  sql<number | null>`case when previous_secret_until > ${now} then previous_secret_until end`

/** The tenant's clients that are not deleted. */
export const selectClients = (read: Readable, tenantId: string) =>
  read.selectFrom('clients').where('tenant_id', '=', tenantId).where('is_deleted', '=', no)

/** The client, unless it was deleted or is another tenant's. */
export async function findClient(read: Readable, tenantId: string, id: string): Promise<Client | undefined> {
  const [row] = await clientById(read, { tenantId, id })
  return row && fromRow(row)
}

const clientById = compileOnce((read, { tenantId, id }: { tenantId: string; id: string }) =>
  selectClients(read, tenantId).selectAll().where('id', '=', id),
)

/** The client with its row locked until the transaction ends. */
export async function lockClient(tx: Tx, tenantId: string, id: string): Promise<Client | undefined> {
  await tx
    .updateTable('clients')
    .set((eb) => ({ revision_number: eb.ref('revision_number') }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
  return findClient(tx, tenantId, id)
}

/** Writes a new client of the tenant's. */
export async function insertClient(tx: Tx, tenantId: string, client: Client): Promise<void> {
  await tx
    .insertInto('clients')
    .values({
      id: client.id,
      tenant_id: tenantId,
      name: client.name,
      secret_hash: client.secretHash,
      previous_secret_hash: client.previousSecretHash,
      previous_secret_until: client.previousSecretUntil,
      scopes: JSON.stringify(client.scopes),
      is_deleted: 0,
      created_at: client.createdAt,
      updated_at: client.updatedAt,
      revision_number: client.revisionNumber,
    })
    .execute()
}

/** Writes a client's new state; its revision number goes up by one. */
export async function updateClient(tx: Tx, tenantId: string, client: Client, now: number): Promise<Client> {
  const changed = { ...client, updatedAt: now, revisionNumber: client.revisionNumber + 1 }
  await tx
    .updateTable('clients')
    .set({
      name: changed.name,
      secret_hash: changed.secretHash,
      previous_secret_hash: changed.previousSecretHash,
      previous_secret_until: changed.previousSecretUntil,
      scopes: JSON.stringify(changed.scopes),
      updated_at: changed.updatedAt,
      revision_number: changed.revisionNumber,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', client.id)
    .execute()
  return changed
}

/** Marks a client deleted; its secrets are forgotten. */
export async function deleteClientRow(tx: Tx, tenantId: string, client: Client, now: number): Promise<void> {
  await tx
    .updateTable('clients')
    .set({
      is_deleted: 1,
      secret_hash: '',
      previous_secret_hash: null,
      previous_secret_until: null,
      updated_at: now,
      revision_number: client.revisionNumber + 1,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', client.id)
    .execute()
}
