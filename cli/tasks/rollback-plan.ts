import { isDeepStrictEqual } from 'node:util'
import { kindOfKey, matchKey } from '../../catalog-schema/keys.ts'
import { sectionOf, sections } from '../../catalog-schema/order.ts'
import { lifecycles } from '../../catalog-schema/rules/lifecycle.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { createKeyOf } from '../catalog-files/located-items.ts'
import type { CatalogReport, ReportItem } from './catalog-report.ts'

/** Something that an import did and that putting back what was there before does not undo, and why. */
export interface Staying {
  key: string
  path?: string
  why: string
}

/** The snapshot with every section present, so that a comparison with it also says what the import created and is there still. */
export const withEverySection = ({ scope: _scope, ...snapshot }: Snapshot): Snapshot => ({
  ...Object.fromEntries(sections.map((section) => [section, []])),
  ...snapshot,
})

/**
 * The snapshot without the lifecycle fields that cannot go back to what they were (each error of a comparison with it
 * that says so), and what therefore stays. Every other error is left to whoever shows them.
 */
export function withoutImpossibleSteps(
  snapshot: Snapshot,
  { errors }: Pick<CatalogReport, 'errors'>,
): { snapshot: Snapshot; staying: Staying[] } {
  const refused = errors.filter(({ codeName }) => codeName === 'catalog.invalid_transition')
  const staying = refused.map(({ key, path, message }) => ({ key, path, why: message }))
  if (staying.length === 0) return { snapshot, staying }
  const keyOf = createKeyOf(snapshot)
  const kept = { ...snapshot }
  for (const kind of new Set(refused.flatMap(({ key }) => kindOfKey(key) ?? []))) {
    const { field } = lifecycles[kind]!
    const keys = new Set(refused.map(({ key }) => matchKey(kind, key)))
    kept[sectionOf[kind]] = snapshot[sectionOf[kind]]!.map((item) => {
      if (!keys.has(matchKey(kind, keyOf(kind, item)))) return item
      const { [field]: _stays, ...rest } = item
      return rest
    })
  }
  return { snapshot: kept, staying }
}

/** What an import created and the environment still has: whole items, and members of lists that it added to. */
export function stayingAfter(imported: Pick<CatalogReport, 'items'>, now: Pick<CatalogReport, 'onlyHere'>): Staying[] {
  const done = itemsByKey(imported)
  return now.onlyHere.flatMap(({ key, path }) => {
    const item = done.get(key)
    if (path === undefined) return item?.action === 'create' ? [{ key, why: 'created by the import' }] : []
    const added = item?.changes?.some((change) => change.path === path && change.before === null)
    return added ? [{ key, path, why: 'added by the import' }] : []
  })
}

/**
 * The keys that somebody has changed since an import, of those that putting back what was there before it (`now` says
 * how) would change: what it undoes is more, or other, than what the import did.
 */
export function editedSince(imported: Pick<CatalogReport, 'items'>, now: Pick<CatalogReport, 'items'>): string[] {
  const done = itemsByKey(imported)
  const isUndone = (did: ReportItem | undefined, undo: Change) =>
    did?.changes?.some(
      ({ path, before, after }) =>
        path === undo.path && isDeepStrictEqual(before, undo.after) && isDeepStrictEqual(after, undo.before),
    )
  return now.items
    .filter(({ action }) => action !== 'unchanged')
    .filter(
      ({ key, action, changes = [] }) =>
        action === 'create' || !changes.every((change) => isUndone(done.get(key), change)),
    )
    .map(({ key }) => key)
}

type Change = NonNullable<ReportItem['changes']>[number]

const itemsByKey = ({ items }: Pick<CatalogReport, 'items'>) => new Map(items.map((item) => [item.key, item]))
