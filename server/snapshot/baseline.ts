import { canonicalItem } from '../../catalog-schema/canonical.ts'
import { CatalogModel } from '../../catalog-schema/model.ts'
import { type Kind, kinds, sectionOf } from '../../catalog-schema/order.ts'
import type { ImportPlan } from '../../catalog-schema/plan.ts'
import type { Readable, Tx } from '../database/database.ts'
import { compressJson, parseCompressed } from './compressed-json.ts'
import type { Environment } from './environment.ts'
import { nameFormerGroups } from './former-groups.ts'

type Item = Record<string, unknown>

/** What is to be written, and the environment it is written into. */
interface Planned {
  environment: Environment
  plan: ImportPlan
}

/** The state that an import leaves, compressed: what drift is measured from. */
export const baselineAfter = (planned: Planned): Promise<Uint8Array> => compressJson(itemsAfter(planned))

/** Whether the state at this revision is what the tenant's last import left. */
export async function isBaseline(readable: Readable, tenantId: string, revision: number): Promise<boolean> {
  const row = await readable
    .selectFrom('catalog_baselines')
    .select('revision')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.revision === revision
}

/** Every item as an import leaves it, by section. */
function itemsAfter({ environment, plan }: Planned): Record<string, Item[]> {
  const changed = Map.groupBy(
    plan.items.filter(({ action }) => action !== 'unchanged'),
    ({ kind }) => kind,
  )
  const sections = kinds.map((kind) => {
    const after = new Map((changed.get(kind) ?? []).map(({ key, after }) => [key, after]))
    const items: Item[] = []
    for (const { key, item } of environment.model.entries(kind)) {
      items.push(after.get(key) ?? item)
      after.delete(key)
    }
    items.push(...after.values())
    return [sectionOf[kind], items] as const
  })
  return Object.fromEntries(sections)
}

/** The statement that keeps the state that an import left, in the place of the one before it. */
export function keepingBaseline(
  tx: Tx,
  tenantId: string,
  { importId, revisionAfter, baseline }: { importId: string; revisionAfter: number; baseline: Uint8Array | null },
) {
  const row = { import_id: importId, revision: revisionAfter, ...(baseline ? { items: baseline } : {}) }
  if (!baseline) return tx.updateTable('catalog_baselines').set(row).where('tenant_id', '=', tenantId)
  return tx
    .insertInto('catalog_baselines')
    .values({ tenant_id: tenantId, items: baseline, ...row })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
}

/** A tenant's last import and the revision it left; undefined before the first. */
export async function findLastImport(readable: Readable, tenantId: string) {
  const row = await readable
    .selectFrom('catalog_baselines')
    .innerJoin('catalog_imports', 'catalog_imports.id', 'catalog_baselines.import_id')
    .select(['import_id', 'revision', 'imported_at', 'imported_by'])
    .where('catalog_baselines.tenant_id', '=', tenantId)
    .executeTakeFirst()
  if (!row) return undefined
  return { importId: row.import_id, importedAt: row.imported_at, importedBy: row.imported_by, revision: row.revision }
}
export type LastImport = NonNullable<Awaited<ReturnType<typeof findLastImport>>>

/** A catalog, with the last import and the state that it left; an empty one where there was none. */
export interface Measured {
  environment: Environment
  baseline: CatalogModel
  since: LastImport | undefined
}

/** The state that the last import left: the environment itself for as long as it stands at that revision. */
export async function measureSince(
  readable: Readable,
  tenantId: string,
  environment: Environment,
  since: LastImport | undefined,
): Promise<Measured> {
  const { model, revision } = environment
  if (!since) return { environment, since, baseline: new CatalogModel() }
  const baseline = since.revision === revision ? model : await readBaseline(readable, tenantId)
  return { environment, since, baseline }
}

/** The catalog as the tenant's last import left it, in the canonical form of this version. */
export async function readBaseline(readable: Readable, tenantId: string): Promise<CatalogModel> {
  const { items } = await readable
    .selectFrom('catalog_baselines')
    .select('items')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  const sections = parseCompressed<Record<string, Item[]>>(items)
  await nameFormerGroups(readable, tenantId, sections.entitlementOffers ?? [])
  const itemsOf = (kind: Kind) => (sections[sectionOf[kind]] ?? []).map((item) => canonicalItem(kind, item))
  const model = new CatalogModel()
  for (const product of sections.products ?? [])
    model.declareProduct(product as { productCode: string; productVersion: string | null })
  for (const kind of kinds) for (const item of itemsOf(kind)) model.add(kind, item)
  return model
}
