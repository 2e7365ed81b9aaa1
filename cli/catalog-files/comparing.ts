import { canonicalItem } from '../../catalog-schema/canonical.ts'
import { CatalogModel } from '../../catalog-schema/model.ts'
import { type Kind, sectionOf } from '../../catalog-schema/order.ts'
import { fillIn } from '../../catalog-schema/planning/filling-in.ts'
import { TagRegistry } from '../../catalog-schema/planning/tag-registry.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { itemChecks } from '../../catalog-schema/snapshot.ts'

type Item = Record<string, unknown>

/**
 * An item of a file: as it is given, its scalars canonical and what may be left out filled in; and its canonical form beside the
 * environment. A line item that names no product is given as about its suite's sole member in the files, even where the
 * environment's suite has more members, so that what is held names none.
 */
interface Meaning {
  given: Item
  held: Item
}

/** What an item says when it is created; undefined when it is not of sound shape. */
export type MeaningOf = (kind: Kind, item: Item) => Meaning | undefined

/** How items of files are read beside an environment's: tags in its casing, a suite's sole member, names made of codes. */
export function createMeaning(files: Snapshot, environment: Snapshot): MeaningOf {
  const inFiles = modelOf(files)
  const around = modelOf(files, environment)
  const tags = new TagRegistry(around)
  return (kind, item) => {
    const checked = structuredClone(item)
    if (itemChecks[kind](checked).length > 0) return undefined
    const read = fillIn(kind, checked, true, around, tags)
    return { given: fillIn(kind, read, true, inFiles, tags), held: canonicalItem(kind, read) }
  }
}

/** What the items of snapshots are about; of an item that several have, the last counts. */
function modelOf(...snapshots: Snapshot[]): CatalogModel {
  const model = new CatalogModel()
  for (const snapshot of snapshots)
    for (const kind of ['tag', 'product', 'suite'] as const)
      for (const item of snapshot[sectionOf[kind]] ?? []) {
        const checked = structuredClone(item)
        if (itemChecks[kind](checked).length === 0) model.add(kind, canonicalItem(kind, checked))
      }
  return model
}
