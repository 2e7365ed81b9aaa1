import { canonicalItem } from '../../catalog-schema/canonical.ts'
import { CatalogModel } from '../../catalog-schema/model.ts'
import { type Kind, sectionOf } from '../../catalog-schema/order.ts'
import { fillIn } from '../../catalog-schema/planning/filling-in.ts'
import { TagRegistry } from '../../catalog-schema/planning/tag-registry.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { itemChecks } from '../../catalog-schema/snapshot.ts'

type Item = Record<string, unknown>

/** An item of a file: as it is given, its scalars canonical and what may be left out filled in; and its canonical form. */
interface Meaning {
  given: Item
  held: Item
}

/** What an item says when it is created; undefined when it is not of sound shape. */
export type MeaningOf = (kind: Kind, item: Item) => Meaning | undefined

/** How items of files are read beside an environment's: tags in its casing, a suite's sole member, names made of codes. */
export function createMeaning(files: Snapshot, environment: Snapshot): MeaningOf {
  const around = new CatalogModel()
  const kindsAround = ['tag', 'product', 'suite'] as const
  for (const snapshot of [files, environment])
    for (const kind of kindsAround)
      for (const item of snapshot[sectionOf[kind]] ?? []) {
        const checked = structuredClone(item)
        if (itemChecks[kind](checked).length === 0) around.add(kind, canonicalItem(kind, checked))
      }
  const tags = new TagRegistry(around)
  return (kind, item) => {
    const checked = structuredClone(item)
    if (itemChecks[kind](checked).length > 0) return undefined
    const given = fillIn(kind, checked, true, around, tags)
    return { given, held: canonicalItem(kind, given) }
  }
}
