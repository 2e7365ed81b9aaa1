import { CatalogModel } from '../../catalog-schema/model.ts'
import { sections } from '../../catalog-schema/order.ts'
import { planImport, statedExternal } from '../../catalog-schema/plan.ts'
import { reportedPlan } from '../../catalog-schema/planning/reported.ts'
import { formatVersion, type Snapshot } from '../../catalog-schema/snapshot.ts'
import type { CatalogReport } from './catalog-report.ts'

/**
 * What importing `after` into an environment that holds `before`, and whatever `after` states as External, would do,
 * decided without a server.
 */
export function compareSnapshots(before: Snapshot, after: Snapshot, includeUnchanged = false): CatalogReport {
  const plan = planImport(modelOf(before), after, statedExternal(after))
  return {
    formatVersion,
    comparedAt: new Date().toISOString(),
    sourceTenantId: after.sourceTenantId ?? null,
    targetTenantId: before.sourceTenantId ?? null,
    environmentRevision: null,
    ...reportedPlan(plan, includeUnchanged, () => ({})),
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
