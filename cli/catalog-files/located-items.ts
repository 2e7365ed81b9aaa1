import { CatalogModel } from '../../catalog-schema/model.ts'
import { type Kind, kinds, sectionOf } from '../../catalog-schema/order.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import type { ItemOrigin, SnapshotReading } from './snapshot-reading.ts'

/** An item of the catalog with its key and the way back to its file. */
export interface LocatedItem {
  kind: Kind
  key: string
  item: Record<string, unknown>
  origin: ItemOrigin
}

export type KeyOf = (kind: Kind, item: object) => string

/** How the items of a snapshot are keyed, its products' own suites being known. */
export function createKeyOf(snapshot: Pick<Snapshot, 'products'>): KeyOf {
  const model = new CatalogModel()
  for (const { productCode, productVersion } of snapshot.products ?? []) {
    if (typeof productCode !== 'string') continue
    model.declareProduct({ productCode, productVersion: typeof productVersion === 'string' ? productVersion : null })
  }
  return (kind, item) => model.keyOf(kind, item)
}

/** Every item that was read, in the order of kinds, files and lines. */
export function locateItems(reading: SnapshotReading, keyOf: KeyOf = createKeyOf(reading.snapshot)): LocatedItem[] {
  return kinds.flatMap((kind) => {
    const section = sectionOf[kind]
    return (reading.snapshot[section] ?? []).map((item, index) => ({
      kind,
      key: keyOf(kind, item),
      item,
      origin: reading.originOf(section, index),
    }))
  })
}
