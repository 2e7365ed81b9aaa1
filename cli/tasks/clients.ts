import type { ClientWithSecret, ListedClient } from '../../server/access/clients/operator-deeds.ts'
import type { KnownScope } from '../../server/access/scopes/known-scopes.ts'
import { nearest } from '../nearest.ts'
import { type Installation, withInstallation } from '../operator/opened-database.ts'
import { Problem } from '../problems.ts'
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
export async function createClient(
  place: ClientPlace,
  wanted: { name: string; scopes: readonly string[] },
): Promise<ClientWithSecret> {
  const known = (await listScopes()).map(({ scope }) => scope)
  const unknown = wanted.scopes.find((scope) => !known.includes(scope))
  if (unknown !== undefined) throw unknownScope(unknown, known)
  return withTenant(place, (deeds, { database, sealer }, tenantId) =>
    deeds.createClient(database, sealer, { tenantId, ...wanted }),
  )
}

/** Every scope that a client can be registered for, with what it opens. */
export const listScopes = async (): Promise<readonly KnownScope[]> =>
  (await import('../../server/access/scopes/known-scopes.ts')).knownScopes

const unknownScope = (unknown: string, known: readonly string[]) =>
  new Problem('cli.usage', `There is no scope ${JSON.stringify(unknown)}.`, {
    hint: nearest(unknown, known)[0] ?? 'one looks like admin.products:read',
  })

/** The tenant's clients, oldest first, without secrets. */
export const listClients = (place: ClientPlace): Promise<ListedClient[]> =>
  withTenant(place, (deeds, { database }, tenantId) => deeds.listClients(database, tenantId))

/** Gives a client a new secret; the one before stays good for 24 hours. Raises cli.failed when there is no such client. */
export const rotateClientSecret = (place: ClientPlace, clientId: string): Promise<ClientWithSecret> =>
  withTenant(place, (deeds, { database, sealer }, tenantId) =>
    deeds.rotateClientSecret(database, sealer, tenantId, clientId),
  )

/** Deletes a client; its tokens are refused from the next call on. Raises cli.failed when there is no such client. */
export const deleteClient = (place: ClientPlace, clientId: string): Promise<void> =>
  withTenant(place, (deeds, { database }, tenantId) => deeds.deleteClient(database, tenantId, clientId))
