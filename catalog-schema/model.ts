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
import type { PlanSet } from './plan-set.ts'
import type { ProductFeature } from './product.ts'
import type { Surroundings, ValuedFeature } from './rules/rule.ts'
import type { SuiteMember } from './suite.ts'

type Item = Record<string, unknown>

/** The items of a catalog by kind and key, with every product's own suite. */
export class CatalogModel implements Surroundings {
  readonly #items = new Map<Kind, Map<string, { key: string; item: Item }>>(kinds.map((kind) => [kind, new Map()]))
  readonly #ownSuites = new Map<string, { product: ProductName; text: string }>()
  readonly #features = new Map<string, Map<string, ValuedFeature>>()
  readonly #suiteFeatures = new Map<string, ReadonlyMap<string, ValuedFeature>>()
  readonly #planNames = new Map<string, Set<string>>()
  readonly #balances = new Set<string>()
  readonly #trusted = new Set<string>()
  readonly #below: CatalogModel | undefined
  #groups: ReadonlySet<string> | undefined

  /** An empty catalog, or one that shows another's items (as many as it has by now) wherever it has none of its own. */
  constructor(below?: CatalogModel) {
    this.#below = below?.isEmpty ? undefined : below
    if (below) this.#groups = below.#groups
  }

  /** Whether there is nothing in it, nor in the catalog it shows. */
  get isEmpty(): boolean {
    return this.#below === undefined && this.#ownSuites.size === 0 && kinds.every((kind) => this.count(kind) === 0)
  }

  /** How a suite's code is written in key strings. */
  readonly suiteText: SuiteText = (code) => {
    const own = this.ownSuiteOf(code)
    if (own !== undefined) return own
    return this.#hasSuite(code) ? keyText(code) : guessSuiteText(code)
  }

  /** Makes a product's own suite known, before any item whose key names that suite; of two products whose suites would share a code the first has it. */
  declareProduct(product: ProductName): void {
    const code = implicitSuiteCode(product)
    if (this.#findOwnSuite(code) === undefined) this.#ownSuites.set(code, { product, text: productText(product) })
  }

  /** Holds an item under its key, in the place of an earlier one; answers the key. */
  add(kind: Kind, item: Item, key: string = this.keyOf(kind, item)): string {
    if (kind === 'product') this.declareProduct(item as unknown as ProductName)
    if (kind === 'feature') this.#addFeature(item)
    if (kind === 'planSet') this.#addPlans(item as unknown as PlanSet)
    if (kind === 'monitoredAsset' && item.balanceUsage) this.#balances.add(String(item.metricName))
    this.#items.get(kind)!.set(matchKey(kind, key), { key, item })
    this.#suiteFeatures.clear()
    return key
  }

  #addFeature(item: Item): void {
    const product = productText(item as unknown as ProductName)
    const features = this.#features.get(product) ?? new Map<string, ValuedFeature>()
    this.#features.set(product, features.set(item.featureCode as string, item as unknown as ValuedFeature))
  }

  /** The feature that a product (named as in key strings) has under a code: the catalog's entry, or the one attached to the product. */
  featureOf(product: string, featureCode: string): ValuedFeature | undefined {
    const entry = this.#featureEntry(product, featureCode)
    if (entry) return entry
    return this.#attachedTo(product).get(featureCode)
  }

  /** The feature under a code of the first product of the suite that has one. */
  featureInSuite(suiteCode: string, featureCode: string): ValuedFeature | undefined {
    const known = this.#suiteFeatures.get(suiteCode)
    if (known) return known.get(featureCode)
    const features = new Map<string, ValuedFeature>()
    for (const product of this.membersOf(suiteCode) ?? [])
      for (const [code, feature] of [...this.#entriesOf(product), ...this.#attachedTo(product)])
        if (!features.has(code)) features.set(code, feature)
    this.#suiteFeatures.set(suiteCode, features)
    return features.get(featureCode)
  }

  #entriesOf(product: string): [string, ValuedFeature][] {
    const shown = this.#below === undefined ? [] : this.#below.#entriesOf(product)
    return [...(this.#features.get(product) ?? []), ...shown]
  }

  #attachedTo(product: string): ReadonlyMap<string, ValuedFeature> {
    const owner = this.find('product', `product:${product}`) as { features?: ProductFeature[] } | undefined
    return owner?.features?.length ? byCode(owner.features) : none
  }

  #featureEntry(product: string, featureCode: string): ValuedFeature | undefined {
    const own = this.#features.get(product)?.get(featureCode)
    return own !== undefined || this.#below === undefined ? own : this.#below.#featureEntry(product, featureCode)
  }

  #addPlans({ suiteCode, plans }: Pick<PlanSet, 'suiteCode' | 'plans'>): void {
    const names = this.#planNames.get(suiteCode) ?? new Set<string>()
    this.#planNames.set(suiteCode, names)
    for (const { name } of plans) names.add(name)
  }

  /** Whether a plan set of the suite has a plan of that name. */
  hasPlan(suiteCode: string, planName: string): boolean {
    return this.#planNames.get(suiteCode)?.has(planName) || this.#below?.hasPlan(suiteCode, planName) || false
  }

  /** Whether a product has a balance of that name. */
  hasBalance(metricName: string): boolean {
    return this.#balances.has(metricName) || this.#below?.hasBalance(metricName) || false
  }

  /** Makes the organization groups known, by name, of the environment that the catalog stands in. */
  declareGroups(names: Iterable<string>): void {
    this.#groups = new Set(names)
  }

  /** Whether there is an organization group of that name; of a catalog for itself it is taken on trust. */
  hasGroup(name: string): boolean {
    return this.#groups?.has(name) ?? true
  }

  /** Takes it on trust that what has these keys exists where the catalog is going. */
  trust(keys: Iterable<string>): void {
    for (const key of keys) this.#trusted.add(key)
  }

  /** Whether what has the key is taken on trust. */
  isTrusted(key: string): boolean {
    return this.#trusted.has(key)
  }

  /** An item's key in this catalog, which knows which suites are products' own. */
  keyOf(kind: Kind, item: object): string {
    return keyOf(kind, item, kind === 'suite' ? keyText : this.suiteText)
  }

  /** The product text of the product whose own suite has this code. */
  ownSuiteOf(code: string): string | undefined {
    return this.#findOwnSuite(code)?.text
  }

  #findOwnSuite(code: string): { product: ProductName; text: string } | undefined {
    const own = this.#ownSuites.get(code)
    return own !== undefined || this.#below === undefined ? own : this.#below.#findOwnSuite(code)
  }

  #hasSuite(code: string): boolean {
    return this.find('suite', keyOf('suite', { code }, keyText)) !== undefined
  }

  /** The item under a key, tags whatever the casing. */
  find(kind: Kind, key: string): Item | undefined {
    return this.entry(kind, key)?.item
  }

  /** The key under which an item is held: a tag's keeps the casing first written. */
  heldKey(kind: Kind, key: string): string | undefined {
    return this.entry(kind, key)?.key
  }

  /** An item with the key under which it is held. */
  entry(kind: Kind, key: string): { key: string; item: Item } | undefined {
    const own = this.#items.get(kind)!.get(matchKey(kind, key))
    return own !== undefined || this.#below === undefined ? own : this.#below.entry(kind, key)
  }

  /** Whether this catalog holds an item under the key itself. */
  holds(kind: Kind, key: string): boolean {
    return this.#items.get(kind)!.has(matchKey(kind, key))
  }

  /** The products of a suite as they are named in key strings, own suites included; undefined when the suite is not known. */
  membersOf(suiteCode: string): string[] | undefined {
    return this.#membersOf(suiteCode)?.map(productText)
  }

  /** The one member of a suite of one, own suites included; undefined for any other. */
  soleMemberOf(suiteCode: string): ProductName | undefined {
    const members = this.#membersOf(suiteCode)
    return members?.length === 1 ? members[0] : undefined
  }

  #membersOf(suiteCode: string): readonly ProductName[] | undefined {
    const own = this.#findOwnSuite(suiteCode)
    if (own !== undefined) return [own.product]
    const suite = this.find('suite', keyOf('suite', { code: suiteCode }, keyText))
    return suite && (suite.members as SuiteMember[])
  }

  /** The items of one kind that this catalog holds itself. */
  entries(kind: Kind): Iterable<{ key: string; item: Item }> {
    return this.#items.get(kind)!.values()
  }

  /** How many items of one kind this catalog holds itself. */
  count(kind: Kind): number {
    return this.#items.get(kind)!.size
  }
}

const none: ReadonlyMap<string, ValuedFeature> = new Map()
const featuresByCode = new WeakMap<readonly ProductFeature[], ReadonlyMap<string, ValuedFeature>>()

/** A product's features by code; made once for each list, which nobody changes. */
function byCode(features: readonly ProductFeature[]): ReadonlyMap<string, ValuedFeature> {
  const known = featuresByCode.get(features)
  if (known) return known
  const made = new Map<string, ValuedFeature>()
  for (const feature of features) made.set(feature.featureCode, feature)
  featuresByCode.set(features, made)
  return made
}
