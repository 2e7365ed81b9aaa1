import type { Readable } from '../../database/database.ts'
import type { Tenant } from '../../kit/context.ts'

/** Now on the tenant's clock, in milliseconds: real time, on a sandbox tenant plus what its test clock was moved by. */
export const tenantNow = (read: Readable, tenant: Pick<Tenant, 'id' | 'kind'>): number | Promise<number> =>
  tenant.kind === 'Live' ? Date.now() : nowOfTenant(read, tenant.id)

/** The same of a tenant known by its id alone. */
export async function nowOfTenant(read: Readable, id: string): Promise<number> {
  const { clock_offset } = await read
    .selectFrom('tenants')
    .select('clock_offset')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return Date.now() + clock_offset
}
