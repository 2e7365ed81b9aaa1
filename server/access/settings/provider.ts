import type { Readable } from '../../database/database.ts'
import type { Tenant } from '../../kit/context.ts'
import { readSettings } from './store.ts'

/** Who stands behind a tenant's licences, as they are told who use them: the tenant's own name where it has set none. */
export async function getProvider(read: Readable, tenant: Tenant) {
  const { settings } = await readSettings(read, tenant.id)
  return { id: tenant.id, ...settings.provider, name: settings.provider.name ?? tenant.name }
}
