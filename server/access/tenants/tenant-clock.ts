import type { Readable } from '../../database/database.ts'
import type { Tenant } from '../../kit/context.ts'

/** Now on the tenant's clock, in milliseconds: real time, on a sandbox tenant plus what its test clock was moved by. */
export async function tenantNow(read: Readable, tenant: Pick<Tenant, 'id' | 'kind'>): Promise<number> {
  if (tenant.kind === 'Live') return Date.now()
  return nowOfTenant(read, tenant.id)
}

/** The same of a tenant known by its id alone. */
export async function nowOfTenant(read: Readable, id: string): Promise<number> {
  const { clock_offset } = await read
    .selectFrom('tenants')
    .select('clock_offset')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return Date.now() + clock_offset
}
