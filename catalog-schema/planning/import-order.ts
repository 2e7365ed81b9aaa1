import { type ProductName, productText } from '../keys.ts'
import { type Kind, kinds } from '../order.ts'
import type { MergedItem } from './merging.ts'
import type { Ancestry } from './parents.ts'

/** Items in the order in which they can be written: by kind, a product after the one it is part of, then by key. */
export function inImportOrder(
  items: ReadonlyMap<Kind, MergedItem[]>,
  ancestryOf: (product: string) => Ancestry,
): MergedItem[] {
  return kinds.flatMap((kind) => {
    const sorted = items.get(kind)!
    if (kind !== 'product' || !sorted.some(({ after }) => after.parentProductCode !== null)) return sorted
    return sorted
      .map((item) => ({ item, depth: ancestryOf(productText(item.after as unknown as ProductName)).depth }))
      .sort((a, b) => a.depth - b.depth)
      .map(({ item }) => item)
  })
}
