import type { Database } from '../../database/database.ts'
import type { Tenant } from '../../kit/context.ts'
import { isSlug } from '../../kit/rest/tenant-path.ts'
import { normalHostName } from './host-names.ts'

/** Tenants are never renamed or deleted: one that was found once is not asked for again. */
const found = new WeakMap<Database, { bySlug: Map<string, Tenant>; byHostName: Map<string, Tenant> }>()

function foundIn(database: Database) {
  let lookups = found.get(database)
  if (!lookups) {
    lookups = { bySlug: new Map(), byHostName: new Map() }
    found.set(database, lookups)
  }
  return lookups
}

/** The tenant with that slug; other processes' new tenants included. */
export function findTenantBySlug(database: Database, slug: string): Tenant | undefined | Promise<Tenant | undefined> {
  const known = foundIn(database).bySlug.get(slug)
  return known || !isSlug(slug) ? known : readTenantBySlug(database, slug)
}

async function readTenantBySlug(database: Database, slug: string): Promise<Tenant | undefined> {
  const tenant = await tenants(database).where('slug', '=', slug).executeTakeFirst()
  if (tenant) foundIn(database).bySlug.set(slug, tenant)
  return tenant
}

/** The tenant that a Host header (with or without a port) names. */
export async function findTenantByHostName(database: Database, host: string): Promise<Tenant | undefined> {
  const { byHostName } = foundIn(database)
  const hostName = normalHostName(host)
  if (hostName === undefined) return undefined
  const known = byHostName.get(hostName)
  if (known) return known
  const tenant = await tenants(database)
    .innerJoin('tenant_host_names', 'tenant_host_names.tenant_id', 'tenants.id')
    .where('host_name', '=', hostName)
    .executeTakeFirst()
  if (tenant) byHostName.set(hostName, tenant)
  return tenant
}

/** The tenant's host names, in alphabetical order. */
export async function listHostNames(database: Database, tenantId: string): Promise<string[]> {
  const rows = await database.read
    .selectFrom('tenant_host_names')
    .select('host_name')
    .where('tenant_id', '=', tenantId)
    .orderBy('host_name')
    .execute()
  return rows.map((row) => row.host_name)
}

/** Every tenant, oldest first. */
export const listTenants = (database: Database): Promise<Tenant[]> =>
  tenants(database).orderBy('tenants.created_at').orderBy('tenants.id').execute()

const tenants = (database: Database) =>
  database.read.selectFrom('tenants').select(['tenants.id', 'tenants.slug', 'tenants.name', 'tenants.kind'])
