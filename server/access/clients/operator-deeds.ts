import { isName } from '../../../catalog-schema/scalars.ts'
import type { Database, Tx } from '../../database/database.ts'
import type { Sealer } from '../../kit/sealing.ts'
import { recordOperatorDeed } from '../audit/operator-deed.ts'
import { isKnownScope } from '../scopes/known-scopes.ts'
import { nowOfTenant } from '../tenants/tenant-clock.ts'
import { registerClient, rotateSecret } from './registration.ts'
import { type Client, deleteClientRow, fromRow, lockClient, selectClients } from './store.ts'

/** What an operator asked for cannot be done; the message says why. */
class ClientRefused extends Error {}

/** What is asked for would do in no database: a name of the wrong form, a scope that does not exist. */
class ClientUnfit extends ClientRefused {}

/** A client as an operator sees it. */
export interface ListedClient {
  clientId: string
  name: string
  scopes: readonly string[]
}

/** A client with its secret, which is shown this once. */
export interface ClientWithSecret extends ListedClient {
  clientSecret: string
}

/** Registers a client; throws ClientUnfit for a scope that does not exist or a name that will not do. */
export async function createClient(
  database: Database,
  sealer: Sealer,
  wanted: { tenantId: string; name: string; scopes: readonly string[] },
): Promise<ClientWithSecret> {
  if (!isName(wanted.name))
    throw new ClientUnfit('The name must be 1 to 200 characters, without control characters or blanks at the ends.')
  for (const scope of wanted.scopes)
    if (!isKnownScope(scope))
      throw new ClientUnfit(`There is no scope ${JSON.stringify(scope)}: one looks like admin.products:read.`)
  return database.transact(async (tx) => {
    const { client, clientSecret } = await registerClient(tx, sealer, wanted, await nowOfTenant(tx, wanted.tenantId))
    await recordDeed(tx, wanted.tenantId, 'create', null, client)
    return withSecret(client, clientSecret)
  })
}

/** The tenant's clients, oldest first. */
export async function listClients(database: Database, tenantId: string): Promise<ListedClient[]> {
  const rows = await selectClients(database.read, tenantId).selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map((row) => toListed(fromRow(row)))
}

/** Gives a client a new secret, the previous one good for another 24 hours on the tenant's clock; throws ClientRefused when there is no such client. */
export const rotateClientSecret = (
  database: Database,
  sealer: Sealer,
  tenantId: string,
  clientId: string,
): Promise<ClientWithSecret> =>
  database.transact(async (tx) => {
    const found = (await lockClient(tx, tenantId, clientId)) ?? refuseUnknown(clientId)
    const { client, clientSecret } = await rotateSecret(tx, sealer, tenantId, found, await nowOfTenant(tx, tenantId))
    await recordDeed(tx, tenantId, 'rotateSecret', found, client)
    return withSecret(client, clientSecret)
  })

/** Deletes a client; its tokens are refused from the next call on. Throws ClientRefused when there is no such client. */
export const deleteClient = (database: Database, tenantId: string, clientId: string): Promise<void> =>
  database.transact(async (tx) => {
    const found = (await lockClient(tx, tenantId, clientId)) ?? refuseUnknown(clientId)
    await deleteClientRow(tx, tenantId, found, await nowOfTenant(tx, tenantId))
    await recordDeed(tx, tenantId, 'delete', found, null)
  })

const recordDeed = (tx: Tx, tenantId: string, verb: string, before: Client | null, after: Client | null) =>
  recordOperatorDeed(tx, tenantId, {
    operation: `operator.clients.${verb}`,
    recordKind: 'clients',
    recordId: (after ?? before)!.id,
    before: before && toAudited(before),
    after: after && toAudited(after),
  })

const toAudited = ({ id, name, scopes, revisionNumber }: Client) => ({ id, name, scopes, revisionNumber })

function refuseUnknown(clientId: string): never {
  throw new ClientRefused(`This tenant has no client ${JSON.stringify(clientId)}.`)
}

const toListed = ({ id, name, scopes }: Client): ListedClient => ({ clientId: id, name, scopes })
const withSecret = (client: Client, clientSecret: string): ClientWithSecret => {
  const { clientId, name, scopes } = toListed(client)
  return { clientId, clientSecret, name, scopes }
}
