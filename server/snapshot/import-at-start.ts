import { matchKey } from '../../catalog-schema/keys.ts'
import type { PlanError } from '../../catalog-schema/plan.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { tenantNow } from '../access/tenants/tenant-clock.ts'
import { TenantRefused } from '../access/tenants/tenant-creation.ts'
import { findTenantBySlug, listTenants } from '../access/tenants/tenant-lookup.ts'
import { lockCatalog } from '../catalog/records/revision.ts'
import type { Database, Readable, Tx } from '../database/database.ts'
import { digestOf } from '../kit/canonical-json.ts'
import type { Tenant } from '../kit/context.ts'
import { newId } from '../kit/ids.ts'
import { toInstant } from '../kit/instants.ts'
import { readDrift } from './drift.ts'
import { recordImport } from './history.ts'
import { CatalogMoved, prepareImport, type Rehearsal, rehearse, writeImport } from './importing.ts'
import { findDeletions } from './key-histories.ts'
import type { Report } from './report.ts'

/** A catalog that a server brings along, of checked shape. */
export interface CatalogAtStart {
  snapshot: Snapshot
  /** Import it at every start, over whatever was edited since. */
  overwrite: boolean
}

/** A key that an import at the start would have changed, had nobody edited it since it was imported last. */
interface EditedKey {
  key: string
  changedAt: string | null
  changedBy: string | null
}

/** What became of a catalog at the start: imported, imported at an earlier start, or left out for the sake of later edits. */
export type StartOutcome = { tenant: string; source: string } & (
  | { outcome: 'imported'; importId: string; summary: Report['summary'] }
  | { outcome: 'imported before'; importId: string; importedAt: string }
  | { outcome: 'left out'; edited: EditedKey[] }
)

/** The catalog that a server brings along cannot be imported; every error says why. */
export class CatalogRefused extends Error {
  readonly tenant: string
  readonly errors: readonly PlanError[]

  constructor(tenant: string, errors: readonly PlanError[]) {
    super(`The catalog cannot be imported into tenant "${tenant}": ${errors[0]?.message}`)
    this.tenant = tenant
    this.errors = errors
  }
}

/** Who an import at the start is recorded as. */
const actor = 'operator'

/**
 * Imports a catalog into the tenant that a server answers for, once for each content (its digest stands in the history as
 * the source), however many processes start at a time. It is left out when it would change what somebody has edited
 * since it was imported; `overwrite` says that the catalog wins, at every start. Throws CatalogRefused, or TenantRefused
 * where the tenant is not clear.
 */
export async function importAtStart(
  database: Database,
  defaultTenant: string | undefined,
  catalog: CatalogAtStart,
): Promise<StartOutcome> {
  const tenant = await chooseTenant(database, defaultTenant)
  for (;;)
    try {
      return await importInto(database, tenant, catalog)
    } catch (error) {
      if (!(error instanceof CatalogMoved)) throw error
    }
}

async function importInto(
  database: Database,
  tenant: Tenant,
  { snapshot, overwrite }: CatalogAtStart,
): Promise<StartOutcome> {
  const about = { tenant: tenant.slug, source: `serve --import sha256:${digestOf(snapshot)}` }
  const known = overwrite ? undefined : await findImport(database.read, tenant.id, about.source)
  if (known) return { ...about, ...known }
  const now = await tenantNow(database.read, tenant)
  return database.transact(async (tx) => {
    await lockCatalog(tx, tenant.id)
    // Another process may have been first, and waits no longer.
    const before = await findImport(tx, tenant.id, about.source)
    if (before && !overwrite) return { ...about, ...before }
    const rehearsal = await rehearse(tx, tenant.id, snapshot)
    const { errors, items } = rehearsal.plan
    if (before && items.every(({ action }) => action === 'unchanged')) return { ...about, ...before }
    const edited = overwrite ? [] : await editedKeys(tx, tenant.id, rehearsal)
    if (edited.length > 0) return { ...about, outcome: 'left out', edited }
    if (errors.length > 0) throw new CatalogRefused(tenant.slug, errors)
    const stamp = { tenantId: tenant.id, actor, now }
    const prepared = await prepareImport(tx, rehearsal, stamp, snapshot.sourceTenantId ?? null, database.kind)
    const written = await writeImport(
      tx,
      stamp,
      prepared,
      async () => prepared,
      async () => undefined,
    )
    await recordImport(tx, stamp, written, about.source, {
      operation: 'operator.catalog.import',
      correlationId: newId(),
    })
    return { ...about, outcome: 'imported', importId: written.importId, summary: written.report.summary }
  })
}

async function chooseTenant(database: Database, slug: string | undefined): Promise<Tenant> {
  if (slug !== undefined) {
    const named = await findTenantBySlug(database, slug)
    if (named) return named
    throw new TenantRefused(`There is no tenant "${slug}" to import into: licet tenant create ${slug}`)
  }
  const [only, ...others] = await listTenants(database)
  if (!only) throw new TenantRefused('There is no tenant to import into yet: licet tenant create SLUG')
  if (others.length === 0) return only
  throw new TenantRefused(
    `There are ${others.length + 1} tenants to import into: --default-tenant SLUG says which is meant.`,
  )
}

async function findImport(readable: Readable, tenantId: string, source: string) {
  const row = await readable
    .selectFrom('catalog_imports')
    .select(['id', 'imported_at'])
    .where('tenant_id', '=', tenantId)
    .where('source', '=', source)
    .orderBy('imported_at', 'desc')
    .executeTakeFirst()
  return row && { outcome: 'imported before' as const, importId: row.id, importedAt: toInstant(row.imported_at) }
}

/**
 * What the import would change and somebody has edited: drifted since the last import, written last by something that
 * was no import, or deleted.
 */
async function editedKeys(tx: Tx, tenantId: string, { environment, plan }: Rehearsal): Promise<EditedKey[]> {
  const { items } = await readDrift(tx, tenantId)
  const drifted = new Map(items.map(({ key, changedAt, changedBy }) => [key, { key, changedAt, changedBy }]))
  const imports = await tx
    .selectFrom('catalog_imports')
    .select(['imported_at', 'imported_by'])
    .where('tenant_id', '=', tenantId)
    .execute()
  const byImport = new Set(imports.map(({ imported_at, imported_by }) => `${imported_at} ${imported_by}`))
  const creates = plan.items.filter(({ action }) => action === 'create')
  const deletions = await findDeletions(tx, tenantId, creates)
  return plan.items.flatMap(({ kind, key, action }) => {
    if (action === 'unchanged') return []
    const row = environment.held(kind, key)?.row
    const isByHand = row !== undefined && !byImport.has(`${row.updated_at} ${row.updated_by}`)
    const write = isByHand ? { at: row.updated_at, by: row.updated_by } : deletions.get(matchKey(kind, key))
    const edited = drifted.get(key)
    if (edited) return [edited]
    return write ? [{ key, changedAt: toInstant(write.at), changedBy: write.by }] : []
  })
}
