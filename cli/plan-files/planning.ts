import { matchKey } from '../../catalog-schema/keys.ts'
import { byName } from '../../catalog-schema/member-names.ts'
import { kinds, sectionOf } from '../../catalog-schema/order.ts'
import { formatVersion, type Snapshot } from '../../catalog-schema/snapshot.ts'
import { createKeyOf } from '../catalog-files/located-items.ts'
import type { CatalogReport } from '../tasks/catalog-report.ts'
import type { ComparedCatalog } from '../tasks/compare.ts'
import { findWorkspace, pathInWorkspace } from '../workspace-paths.ts'
import { inNormalForm } from './normal-form.ts'
import { digestOf, type PlanContent, type PlanFile, sealed } from './plan-file.ts'

/** Where what is planned comes from. */
export interface PlanOrigin extends Pick<PlanContent, 'promotedFrom' | 'git'> {
  /** The catalog files, with how messages call each. */
  files: readonly { name: string; shownName: string; bytes: Uint8Array }[]
}

/**
 * The plan of what a comparison with an environment shows. Nothing is in it that differs where the change does not: no
 * time, no revision, no path of this machine, nothing of what only the environment has.
 */
export function planOf(comparison: ComparedCatalog, environment: string | null, origin: PlanOrigin): PlanFile {
  const { report, selection } = comparison
  const items = report.items.filter(({ action }) => action !== 'unchanged')
  const keys = new Set(items.map(({ key }) => key))
  const onlyHere = report.onlyHere.flatMap(({ kind, key, path }) =>
    path === undefined || !keys.has(key) ? [] : [{ kind, key, path }],
  )
  const snapshot = changedPart(comparison.snapshot, items)
  const { create, update, unchanged, errors, warnings } = report.summary
  return sealed({
    target: { tenantId: report.targetTenantId ?? '', environment },
    promotedFrom: origin.promotedFrom,
    git: origin.git,
    selection: selection
      ? { only: [...selection.only], exclude: [...selection.exclude], alsoNeeded: selection.alsoNeeded }
      : null,
    summary: { create, update, unchanged, onlyHere: onlyHere.length, errors, warnings },
    items: items.map(({ kind, key, action, changes, fingerprint = null, affects }) => ({
      kind,
      key,
      action: action as 'create' | 'update',
      ...(changes && { changes: changes.map(({ path, before, after }) => ({ path, before, after })) }),
      fingerprint,
      ...(affects && { affects: { entitlements: affects.entitlements } }),
    })),
    onlyHere,
    warnings: report.warnings.map(({ key, path, code, message }) => ({ key, path, code, message })),
    snapshotDigest: digestOf(snapshot),
    snapshot,
    files: Object.fromEntries(
      origin.files.map(({ name, bytes }) => [name, digestOf(bytes)] as const).sort(([a], [b]) => byName(a, b)),
    ),
    places: placesOf(comparison, items, origin),
  })
}

/** The items of a snapshot that change, in normal form. What stays as it is, somebody else may change until the plan is applied. */
export function changedPart(snapshot: Snapshot, items: CatalogReport['items']): Snapshot {
  const keyOf = createKeyOf(snapshot)
  const part: Snapshot = { formatVersion }
  for (const kind of kinds) {
    const written = (snapshot[sectionOf[kind]] ?? []).map((item) => ({ key: matchKey(kind, keyOf(kind, item)), item }))
    const has = new Set(written.map(({ key }) => key))
    const changing = new Set(items.filter((item) => item.kind === kind).map(({ key }) => matchKey(kind, key)))
    // Only the environment may know how a suite's code is written in keys; a tag may be created by its name alone.
    const isUnsure = kind !== 'tag' && [...changing].some((key) => !has.has(key))
    const chosen = written.filter(({ key }) => isUnsure || changing.has(key))
    if (chosen.length === 0) continue
    chosen.sort((a, b) => byName(a.key, b.key))
    part[sectionOf[kind]] = chosen.map(({ item }) => inNormalForm(kind, item))
  }
  return part
}

function placesOf({ placeOf }: ComparedCatalog, items: CatalogReport['items'], { files }: PlanOrigin) {
  const workspace = findWorkspace()
  const nameOf = new Map(
    files.map(({ name, shownName }) => [shownName, pathInWorkspace(shownName, workspace) ?? name] as const),
  )
  const places = items.flatMap(({ key }) => {
    const place = placeOf(key)
    const file = place && nameOf.get(place.file)
    return file === undefined ? [] : [[key, { file, line: place!.line }] as const]
  })
  return Object.fromEntries(places)
}
