import { guessSuiteText, keyText } from '../../catalog-schema/keys.ts'
import { mentionsOf } from '../../catalog-schema/mentions.ts'
import type { Kind } from '../../catalog-schema/order.ts'
import type { LocatedItem } from './located-items.ts'

/** The keys that others may name: the items' own, each product's suite and the features attached to products. */
export function findKnownKeys(items: readonly LocatedItem[]): Set<string> {
  const known = new Set<string>()
  for (const { kind, key, item } of items) {
    known.add(key)
    if (kind !== 'product') continue
    const product = key.slice('product:'.length)
    known.add(`suite:${product}`)
    for (const feature of Array.isArray(item.features) ? item.features : []) {
      if (typeof feature?.featureCode === 'string') known.add(`feature:${product}/${keyText(feature.featureCode)}`)
    }
  }
  return known
}

/** The keys that an item names; for a suite's key also the product whose own suite it may be. */
export function namedKeys(kind: Kind, item: object): string[] {
  return mentionsOf(kind, item, guessSuiteText).flatMap(({ kind: named, key }) =>
    named === 'suite' ? [key, key.replace(/^suite:/, 'product:')] : [key],
  )
}
