import type { Database } from '../../server/database/database.ts'
import type { Tenant } from '../../server/kit/context.ts'
import { databaseProblem } from '../operator/database-problems.ts'
import { withInstallation } from '../operator/opened-database.ts'
import { Problem } from '../problems.ts'

/** A tenant as operators see it. */
export interface ShownTenant {
  id: string
  slug: string
  name: string
  kind: Tenant['kind']
  /** Where its base URL begins below the server's origin. */
  path: string
}

const shown = ({ id, slug, name, kind }: Tenant): ShownTenant => ({ id, slug, name, kind, path: `/t/${slug}` })

/**
 * Makes a tenant, and the database with it where there is none. Raises cli.usage for a slug, name or host name that will
 * not do, cli.failed for one that is taken.
 */
export async function createTenant(
  url: string,
  wanted: { slug: string; name: string; sandbox: boolean; hostNames: readonly string[] },
): Promise<ShownTenant> {
  const creation = await import('../../server/access/tenants/tenant-creation.ts')
  const { slug, name, sandbox, hostNames } = wanted
  const kind = sandbox ? 'Sandbox' : 'Live'
  const tenant = { slug, name, kind, hostNames } as const
  try {
    creation.readWanted(tenant)
  } catch (error) {
    throw databaseProblem(error, url)
  }
  return withInstallation(
    url,
    async ({ database, sealer }) => shown(await creation.createTenant(database, sealer, tenant, Date.now())),
    { mustExist: false },
  )
}

/** Every tenant of the installation, oldest first. */
export async function listTenants(url: string): Promise<ShownTenant[]> {
  const lookup = await import('../../server/access/tenants/tenant-lookup.ts')
  return withInstallation(url, async ({ database }) => (await lookup.listTenants(database)).map(shown))
}

/** The tenant with a slug; raises cli.input, naming those there are. */
export async function getTenant(database: Database, slug: string): Promise<Tenant> {
  const lookup = await import('../../server/access/tenants/tenant-lookup.ts')
  const tenant = await lookup.findTenantBySlug(database, slug)
  if (tenant) return tenant
  const slugs = (await lookup.listTenants(database)).slice(0, 10).map((each) => each.slug)
  throw new Problem('cli.input', `There is no tenant "${slug}".`, {
    hint: slugs.length > 0 ? `one of ${slugs.join(', ')}` : 'licet tenant create SLUG',
  })
}
