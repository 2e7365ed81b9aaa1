import { CatalogModel } from '../../catalog-schema/model.ts'
import { sections } from '../../catalog-schema/order.ts'
import { type ImportPlan, planImport, statedExternal } from '../../catalog-schema/plan.ts'
import { formatVersion, type Snapshot } from '../../catalog-schema/snapshot.ts'
import type { CatalogReport } from './catalog-report.ts'

/**
 * What importing `after` into an environment that holds `before`, and whatever `after` states as External, would do,
 * decided without a server.
 */
export function compareSnapshots(before: Snapshot, after: Snapshot, includeUnchanged = false): CatalogReport {
  const plan = planImport(modelOf(before), after, statedExternal(after))
  const count = (action: string) => plan.items.filter((item) => item.action === action).length
  return {
    formatVersion,
    comparedAt: new Date().toISOString(),
    sourceTenantId: after.sourceTenantId ?? null,
    targetTenantId: before.sourceTenantId ?? null,
    environmentRevision: null,
    summary: {
      create: count('create'),
      update: count('update'),
      unchanged: count('unchanged'),
      onlyHere: plan.onlyHere.length,
      errors: plan.errors.length,
      warnings: plan.warnings.length,
    },
    items: itemsOf(plan, includeUnchanged),
    onlyHere: plan.onlyHere,
    errors: plan.errors.map(({ key, path, code, codeName, message }) => ({ key, path, code, codeName, message })),
    warnings: plan.warnings.map(({ key, path, code, message }) => ({ key, path, code, message })),
  }
}

/** How many items a snapshot has. */
export const itemCount = (snapshot: Snapshot) =>
  sections.reduce((sum, section) => sum + (snapshot[section]?.length ?? 0), 0)

function modelOf(snapshot: Snapshot): CatalogModel {
  const model = new CatalogModel()
  for (const { kind, key, after } of planImport(new CatalogModel(), snapshot).items) model.add(kind, after, key)
  return model
}

const itemsOf = (plan: ImportPlan, includeUnchanged: boolean): CatalogReport['items'] =>
  plan.items
    .filter((item) => includeUnchanged || item.action !== 'unchanged')
    .map(({ kind, key, action, changes }) => ({ kind, key, action, ...(action === 'update' ? { changes } : {}) }))
