import type { Readable } from '../../database/database.ts'
import type { Tenant } from '../../kit/context.ts'

/** Now on the tenant's clock, in milliseconds: real time, on a sandbox tenant plus what its test clock was moved by. */
export async function tenantNow(read: Readable, tenant: Pick<Tenant, 'id' | 'kind'>): Promise<number> {
  if (tenant.kind === 'Live') return Date.now()
  const { clock_offset } = await read
    .selectFrom('tenants')
    .select('clock_offset')
    .where('id', '=', tenant.id)
    .executeTakeFirstOrThrow()
  return Date.now() + clock_offset
}
