import { CatalogModel } from '../../catalog-schema/model.ts'
import { kinds, sectionOf } from '../../catalog-schema/order.ts'
import { type ImportPlan, planImport } from '../../catalog-schema/plan.ts'
import { checkSnapshot, type Snapshot } from '../../catalog-schema/snapshot.ts'

/** The environment after a plan: its own items, and those that the plan writes. */
export function applied(environment: CatalogModel, plan: ImportPlan): CatalogModel {
  const after = new CatalogModel()
  for (const kind of kinds) {
    for (const { key, item } of environment.entries(kind)) after.add(kind, item, key)
    for (const { kind: planned, key, after: item } of plan.items) if (planned === kind) after.add(kind, item, key)
  }
  return after
}

/** The snapshot as the server plans it: of checked shape, its scalars in canonical form. The one given is left as it is. */
export function checked(snapshot: Snapshot): Snapshot {
  const copy = structuredClone(snapshot)
  const findings = checkSnapshot(copy)
  if (findings.length > 0) throw new Error(JSON.stringify(findings.slice(0, 3)))
  return copy
}

/** A new environment that holds a snapshot and nothing else. */
export function environmentOf(snapshot: Snapshot): CatalogModel {
  const empty = new CatalogModel()
  const plan = planImport(empty, checked(snapshot))
  if (plan.errors.length > 0) throw new Error(JSON.stringify(plan.errors.slice(0, 3)))
  return applied(empty, plan)
}

/** An environment's own items as a snapshot, every field of them. */
export const exported = (environment: CatalogModel): Snapshot => ({
  formatVersion: '1.0',
  ...(Object.fromEntries(
    kinds.map((kind) => [sectionOf[kind], [...environment.entries(kind)].map(({ item }) => item)]),
  ) as object),
})
