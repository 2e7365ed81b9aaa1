import { keyOf, keyText, matchKey, type ProductName, productText } from '../../catalog-schema/keys.ts'
import { visitMentions } from '../../catalog-schema/mentions.ts'
import type { CatalogModel } from '../../catalog-schema/model.ts'
import type { Kind } from '../../catalog-schema/order.ts'
import type { MergedItem, Merging } from '../../catalog-schema/planning/merging.ts'

type Item = Record<string, unknown>

/** The items of a merged catalog by kind and key, tags whatever the casing. */
export class MergedItems {
  readonly #byKey = new Map<string, MergedItem>()
  readonly result: CatalogModel
  readonly all: readonly MergedItem[]

  constructor({ items, result }: Merging) {
    this.result = result
    this.all = [...items.values()].flat()
    for (const item of this.all) this.#byKey.set(identity(item.kind, item.key), item)
  }

  find(kind: Kind, key: string): MergedItem | undefined {
    return this.#byKey.get(identity(kind, key))
  }
}

const identity = (kind: Kind, key: string) => `${kind} ${matchKey(kind, key)}`

/** The items of the merged catalog without which an item is refused: what it names, and the features behind the values of an add-on. */
export function neededBy(items: MergedItems, { kind, after }: Pick<MergedItem, 'kind' | 'after'>): MergedItem[] {
  const needed = new Set<MergedItem>()
  const need = (item: MergedItem | undefined) => item && needed.add(item)
  visitMentions(kind, after, (mentioned, named) => {
    if (mentioned === 'feature')
      need(featureHolder(items, productText(named as unknown as ProductName), String(named.featureCode)))
    else if (mentioned === 'suite') need(suiteHolder(items, String(named.code)))
    else need(items.find(mentioned, keyOf(mentioned, named, items.result.suiteText)))
  })
  if (kind === 'addOn') for (const item of valuedBy(items, after)) need(item)
  return [...needed]
}

/** The item that gives a product (named as in key strings) a feature: the catalog's entry, else the product it is attached to. */
function featureHolder(items: MergedItems, product: string, featureCode: string): MergedItem | undefined {
  const key = `feature:${product}/${keyText(featureCode)}`
  if (items.result.find('feature', key)) return items.find('feature', key)
  return items.find('product', `product:${product}`)
}

/** The item that makes a suite: itself, or the product whose own it is. */
function suiteHolder(items: MergedItems, code: string): MergedItem | undefined {
  const own = items.result.ownSuiteOf(code)
  return own === undefined
    ? items.find('suite', items.result.keyOf('suite', { code }))
    : items.find('product', `product:${own}`)
}

/** What gives an add-on's suite the features that it changes: of each member that has one, in the order of members. */
function valuedBy(items: MergedItems, addOn: Item): (MergedItem | undefined)[] {
  const members = items.result.membersOf(String(addOn.suiteCode)) ?? []
  return (addOn.featureValues as Item[]).flatMap(({ featureCode }) =>
    members
      .filter((member) => items.result.featureOf(member, String(featureCode)) !== undefined)
      .map((member) => featureHolder(items, member, String(featureCode))),
  )
}
