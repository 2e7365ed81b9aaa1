import type { ClientWithSecret, ListedClient } from '../../server/access/clients/operator-deeds.ts'
import { type Installation, withInstallation } from '../operator/opened-database.ts'
import { getTenant } from './tenants.ts'

/** Where a client is: the database, and the tenant's slug. */
export interface ClientPlace {
  url: string
  tenant: string
}

type Deeds = typeof import('../../server/access/clients/operator-deeds.ts')

async function withTenant<Result>(
  { url, tenant: slug }: ClientPlace,
  work: (deeds: Deeds, installation: Installation, tenantId: string) => Promise<Result>,
): Promise<Result> {
  const deeds = await import('../../server/access/clients/operator-deeds.ts')
  return withInstallation(url, async (installation) => {
    const { id } = await getTenant(installation.database, slug)
    return work(deeds, installation, id)
  })
}

/** Registers a client; its secret is only in this answer. Raises cli.usage for an unknown scope or a name that will not do. */
export const createClient = (
  place: ClientPlace,
  wanted: { name: string; scopes: readonly string[] },
): Promise<ClientWithSecret> =>
  withTenant(place, (deeds, { database, sealer }, tenantId) =>
    deeds.createClient(database, sealer, { tenantId, ...wanted }, Date.now()),
  )

/** The tenant's clients, oldest first, without secrets. */
export const listClients = (place: ClientPlace): Promise<ListedClient[]> =>
  withTenant(place, (deeds, { database }, tenantId) => deeds.listClients(database, tenantId))

/** Gives a client a new secret; the one before stays good for 24 hours. Raises cli.failed when there is no such client. */
export const rotateClientSecret = (place: ClientPlace, clientId: string): Promise<ClientWithSecret> =>
  withTenant(place, (deeds, { database, sealer }, tenantId) =>
    deeds.rotateClientSecret(database, sealer, tenantId, clientId, Date.now()),
  )

/** Deletes a client; its tokens are refused from the next call on. Raises cli.failed when there is no such client. */
export const deleteClient = (place: ClientPlace, clientId: string): Promise<void> =>
  withTenant(place, (deeds, { database }, tenantId) => deeds.deleteClient(database, tenantId, clientId, Date.now()))
