import {
  guessSuiteText,
  implicitSuiteCode,
  keyOf,
  keyText,
  matchKey,
  type ProductName,
  productText,
  type SuiteText,
} from './keys.ts'
import { type Kind, kinds } from './order.ts'
import type { Surroundings } from './rules/rule.ts'
import type { SuiteMember } from './suite.ts'

type Item = Record<string, unknown>

/** The items of a catalog by kind and key, with every product's own suite. */
export class CatalogModel implements Surroundings {
  readonly #items = new Map<Kind, Map<string, { key: string; item: Item }>>(kinds.map((kind) => [kind, new Map()]))
  readonly #ownSuites = new Map<string, string>()
  readonly #below: CatalogModel | undefined

  /** An empty catalog, or one that shows another's items wherever it has none of its own. */
  constructor(below?: CatalogModel) {
    this.#below = below
  }

  readonly suiteText: SuiteText = (code) => {
    const own = this.ownSuiteOf(code)
    if (own !== undefined) return own
    return this.#hasSuite(code) ? keyText(code) : guessSuiteText(code)
  }

  /** Makes a product's own suite known; before any item whose key names that suite. */
  declareProduct(product: ProductName): void {
    this.#ownSuites.set(implicitSuiteCode(product), productText(product))
  }

  add(kind: Kind, item: Item, key: string = this.keyOf(kind, item)): string {
    if (kind === 'product') this.declareProduct(item as unknown as ProductName)
    this.#items.get(kind)!.set(matchKey(kind, key), { key, item })
    return key
  }

  keyOf(kind: Kind, item: object): string {
    return keyOf(kind, item, kind === 'suite' ? keyText : this.suiteText)
  }

  /** The product text of the product whose own suite has this code. */
  ownSuiteOf(code: string): string | undefined {
    return this.#ownSuites.get(code) ?? this.#below?.ownSuiteOf(code)
  }

  #hasSuite(code: string): boolean {
    return this.find('suite', keyOf('suite', { code }, keyText)) !== undefined
  }

  find(kind: Kind, key: string): Item | undefined {
    return this.#items.get(kind)!.get(matchKey(kind, key))?.item ?? this.#below?.find(kind, key)
  }

  /** The key under which an item is held: a tag's keeps the casing first written. */
  heldKey(kind: Kind, key: string): string | undefined {
    return this.#items.get(kind)!.get(matchKey(kind, key))?.key ?? this.#below?.heldKey(kind, key)
  }

  membersOf(suiteCode: string): string[] | undefined {
    const own = this.ownSuiteOf(suiteCode)
    if (own !== undefined) return [own]
    const suite = this.find('suite', keyOf('suite', { code: suiteCode }, keyText))
    return suite && (suite.members as SuiteMember[]).map(productText)
  }

  /** The items of one kind that this catalog holds itself. */
  entries(kind: Kind): Iterable<{ key: string; item: Item }> {
    return this.#items.get(kind)!.values()
  }

  count(kind: Kind): number {
    return this.#items.get(kind)!.size
  }
}
