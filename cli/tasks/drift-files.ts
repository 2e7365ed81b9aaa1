import { matchKey } from '../../catalog-schema/keys.ts'
import { type Kind, kinds, sectionOf } from '../../catalog-schema/order.ts'
import { isWritten } from '../../catalog-schema/paths.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { createKeyOf } from '../catalog-files/located-items.ts'
import type { CatalogReport, ReportItem } from './catalog-report.ts'
import type { DriftReport } from './drift-report.ts'

/**
 * What the files say of something that has drifted: the same as the environment now; what was there at the last import,
 * so that importing them puts it back; something else again; or nothing, so that importing them leaves it.
 */
export type FilesSay = 'same' | 'restores' | 'differs' | 'silent'

type DriftItem = DriftReport['items'][number]
type Change = NonNullable<DriftItem['changes']>[number]

/** Answers what the files say of a drifted item, or of one of its fields; `wanted` is what importing them would do. */
export function filesReader(snapshot: Snapshot, wanted: Pick<CatalogReport, 'items'>) {
  const written = writtenItems(snapshot)
  const changing = new Map(wanted.items.map((item) => [matchKey(item.kind as Kind, item.key), item]))
  return ({ kind, key, action }: DriftItem, change?: Change): FilesSay => {
    const folded = matchKey(kind as Kind, key)
    const item = written.get(folded)
    const planned = changing.get(folded)
    // What files do not write may come of them all the same, such as the tag of an item.
    if (action === 'delete') return planned?.action === 'create' ? 'restores' : 'same'
    if (item === undefined) return 'silent'
    if (change === undefined) return planned?.action === 'update' ? 'differs' : 'same'
    return ofField(planned, change, isWritten(kind as Kind, item, change.path))
  }
}

/** A field that is nothing now is not written: files without it say so. */
function ofField(planned: ReportItem | undefined, { path, before, after }: Change, isNamed: boolean): FilesSay {
  const within = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}/`)
  const planning = (planned?.changes ?? []).filter((other) => within(other.path, path) || within(path, other.path))
  const [first] = planning
  if (first === undefined) return isNamed || after === null ? 'same' : 'silent'
  const isBack = first.path === path && JSON.stringify(first.after) === JSON.stringify(before)
  return isBack ? 'restores' : 'differs'
}

/** The items of a snapshot as they were written, by key. */
function writtenItems(snapshot: Snapshot): Map<string, unknown> {
  const keyOf = createKeyOf(snapshot)
  const entries = kinds.flatMap((kind) =>
    (snapshot[sectionOf[kind]] ?? []).map((item) => [matchKey(kind, keyOf(kind, item)), item] as const),
  )
  return new Map(entries)
}
