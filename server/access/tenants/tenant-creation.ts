import { isName } from '../../../catalog-schema/scalars.ts'
import type { Database, Tx } from '../../database/database.ts'
import type { Tenant } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { isSlug } from '../../kit/rest/tenant-path.ts'
import type { Sealer } from '../../kit/sealing.ts'
import { recordOperatorDeed } from '../audit/operator-deed.ts'
import { generateSigningKey } from '../signing-keys/key-pairs.ts'
import { insertSigningKey } from '../signing-keys/store.ts'
import { normalHostName } from './host-names.ts'

/** A tenant that cannot be made; the message says why, in words for an operator. */
export class TenantRefused extends Error {}

/** What is asked for would do in no database: a slug, name or host name of the wrong form. */
class TenantUnfit extends TenantRefused {}

export interface NewTenant {
  slug: string
  name: string
  kind: Tenant['kind']
  hostNames: readonly string[]
}

/** Makes a tenant with its signing keys and an empty catalog at revision 1; throws TenantRefused. */
export async function createTenant(
  database: Database,
  sealer: Sealer,
  wanted: NewTenant,
  now: number,
): Promise<Tenant & { hostNames: string[] }> {
  const hostNames = readWanted(wanted)
  const keys = await Promise.all([generateSigningKey('token'), generateSigningKey('offline')])
  const tenant: Tenant = { id: newId(), slug: wanted.slug, name: wanted.name, kind: wanted.kind }
  await database.transact(async (tx) => {
    await insertTenant(tx, tenant, now)
    for (const hostName of hostNames) await insertHostName(tx, tenant.id, hostName)
    for (const key of keys) await insertSigningKey(tx, sealer, tenant.id, key, now)
    await tx.insertInto('catalog_revisions').values({ tenant_id: tenant.id, revision: 1 }).execute()
    await recordOperatorDeed(tx, tenant.id, {
      operation: 'operator.tenants.create',
      recordKind: 'tenants',
      recordId: tenant.id,
      before: null,
      after: { ...tenant, hostNames },
    })
  })
  return { ...tenant, hostNames }
}

/** The host names in normal form; throws TenantUnfit for what would do in no database. */
export function readWanted({ slug, name, hostNames }: NewTenant): string[] {
  if (!isSlug(slug))
    throw new TenantUnfit(
      'The slug must be 2 to 63 lower-case letters, digits and hyphens, the first of them a letter.',
    )
  if (!isName(name))
    throw new TenantUnfit('The name must be 1 to 200 characters, without control characters or blanks at the ends.')
  return [
    ...new Set(
      hostNames.map((text) => {
        const hostName = normalHostName(text)
        if (hostName === undefined) throw new TenantUnfit(`${JSON.stringify(text)} is not a host name.`)
        return hostName
      }),
    ),
  ]
}

async function insertTenant(tx: Tx, tenant: Tenant, now: number) {
  const inserted = await tx
    .insertInto('tenants')
    .values({ ...tenant, clock_offset: 0, created_at: now })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows !== 1n)
    throw new TenantRefused(`There is a tenant with the slug "${tenant.slug}" already.`)
}

async function insertHostName(tx: Tx, tenantId: string, hostName: string) {
  const inserted = await tx
    .insertInto('tenant_host_names')
    .values({ host_name: hostName, tenant_id: tenantId })
    .onConflict((conflict) => conflict.column('host_name').doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows !== 1n)
    throw new TenantRefused(`The host name "${hostName}" belongs to another tenant already.`)
}
