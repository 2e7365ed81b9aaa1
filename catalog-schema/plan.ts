import { canonicalItem, changesBetween, mergeItem } from './canonical.ts'
import type { Change } from './form.ts'
import { identifyingField, matchKey, type ProductName, productText } from './keys.ts'
import { mentionsOf } from './mentions.ts'
import { CatalogModel } from './model.ts'
import { type Kind, kindOfSection, kinds, prefixOf, sectionOf } from './order.ts'
import { pathSegment } from './paths.ts'
import type { Plan } from './plan-set.ts'
import { type RuleCode, ruleCodes } from './rules/codes.ts'
import { checkItem, findFeature } from './rules/items.ts'
import { checkLifecycle } from './rules/lifecycle.ts'
import { type Snapshot, spokenSections } from './snapshot.ts'

type Item = Record<string, unknown>

/** What an import does with one item. */
export interface PlannedItem {
  kind: Kind
  key: string
  action: 'create' | 'update' | 'unchanged'
  /** The canonical item the environment holds; undefined for a create. */
  before: Item | undefined
  /** The canonical item after the import. */
  after: Item
  changes: Change[]
}

export interface PlanError {
  kind: Kind
  key: string
  path: string
  code: number
  codeName: RuleCode
  message: string
  /** Where the item stands in its section of the snapshot; undefined for one that the import makes itself. */
  index: number | undefined
}

export interface PlanWarning {
  code: string
  kind: Kind
  key: string
  path: string
  message: string
  index: number | undefined
}

/** Everything an import would do, decided on plain values; a compare shows it, an import writes it. */
export interface ImportPlan {
  items: PlannedItem[]
  onlyHere: { kind: Kind; key: string; path?: string }[]
  errors: PlanError[]
  warnings: PlanWarning[]
}

/** The field that holds an item's display name, and the one it is taken from when a new item has none. */
const nameFrom: Partial<Record<Kind, string>> = {
  product: 'productCode',
  feature: 'featureCode',
  monitoredAsset: 'metricName',
  suite: 'code',
  addOn: 'code',
}
const tagScopeOf: Partial<Record<Kind, string>> = {
  product: 'Product',
  feature: 'FeatureCatalog',
  monitoredAsset: 'Product',
  entitlementOffer: 'Entitlement',
}

/** Decides what importing a snapshot (of checked shape) into an environment creates, updates and leaves; the snapshot is not changed. */
export function planImport(environment: CatalogModel, snapshot: Snapshot): ImportPlan {
  return new Planner(environment, snapshot).plan()
}

class Planner {
  readonly #environment: CatalogModel
  readonly #snapshot: Snapshot
  readonly #result: CatalogModel
  readonly #spoken: Set<Kind>
  readonly #planned = new Map<Kind, (PlannedItem & { index: number | undefined })[]>(kinds.map((kind) => [kind, []]))
  readonly #mentionedTags = new Set<string>()
  readonly #plan: ImportPlan = { items: [], onlyHere: [], errors: [], warnings: [] }

  constructor(environment: CatalogModel, snapshot: Snapshot) {
    this.#environment = environment
    this.#snapshot = snapshot
    this.#result = new CatalogModel(environment)
    this.#spoken = new Set(spokenSections(snapshot).map((section) => kindOfSection[section]))
  }

  plan(): ImportPlan {
    for (const product of this.#given('product')) this.#result.declareProduct(product as unknown as ProductName)
    for (const kind of kinds) this.#mergeKind(kind)
    for (const kind of kinds) for (const item of this.#planned.get(kind)!) this.#judge(item)
    for (const kind of kinds) {
      const items = this.#planned.get(kind)!.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      for (const { index: _index, ...item } of items) this.#plan.items.push(item)
      if (this.#spoken.has(kind)) this.#findOnlyHere(kind)
    }
    return this.#plan
  }

  #given(kind: Kind): Item[] {
    return this.#spoken.has(kind) ? this.#snapshot[sectionOf[kind]]! : []
  }

  #mergeKind(kind: Kind): void {
    const first = new Map<string, number>()
    this.#given(kind).forEach((given, index) => {
      const key = this.#result.keyOf(kind, given)
      const earlier = first.get(matchKey(kind, key))
      if (earlier !== undefined) {
        const message = `${key} stands twice in "${sectionOf[kind]}": at ${earlier} and at ${index}`
        this.#refuse({ kind, key, index }, 'catalog.duplicate_key', `/${identifyingField(kind)}`, message)
        return
      }
      first.set(matchKey(kind, key), index)
      this.#mergeItem(kind, key, given, index)
    })
  }

  #mergeItem(kind: Kind, givenKey: string, given: Item, index: number | undefined): void {
    const key = this.#environment.heldKey(kind, givenKey) ?? givenKey
    const before = this.#environment.find(kind, key)
    const wanted = this.#prepare(kind, given, before === undefined)
    if (kind === 'tag' && before) wanted.name = before.name
    const { after, kept } = mergeItem(kind, before, wanted)
    const changes = before ? changesBetween(kind, before, after) : []
    const action = before ? (changes.length > 0 ? 'update' : 'unchanged') : 'create'
    this.#result.add(kind, after, key)
    this.#planned.get(kind)!.push({ kind, key, action, before, after, changes, index })
    for (const path of kept) this.#plan.onlyHere.push({ kind, key, path })
    this.#nameTags(kind, after.tags as string[] | undefined)
  }

  /** The given item with what the snapshot may leave out filled in: a new item's name, tag casing, a suite's sole member. */
  #prepare(kind: Kind, given: Item, isNew: boolean): Item {
    const wanted = { ...given }
    const source = nameFrom[kind]
    if (isNew && source && (wanted.name === undefined || wanted.name === null)) wanted.name = wanted[source]
    const scope = tagScopeOf[kind]
    if (scope && Array.isArray(wanted.tags))
      wanted.tags = (wanted.tags as string[]).map((name) => (this.#findTag(scope, name)?.name as string) ?? name)
    if (kind === 'planSet' && Array.isArray(wanted.plans)) wanted.plans = this.#fillSoleMember(wanted)
    return wanted
  }

  #findTag(scope: string, name: string): Item | undefined {
    return this.#result.find('tag', this.#result.keyOf('tag', { scope, name }))
  }

  #fillSoleMember(set: Item): Item[] {
    const members = this.#result.membersOf(String(set.suiteCode))
    const sole =
      members?.length === 1
        ? (this.#result.find('product', `product:${members[0]}`) as ProductName | undefined)
        : undefined
    const product = sole && { productCode: sole.productCode, productVersion: sole.productVersion ?? null }
    return (set.plans as Item[]).map((plan) => {
      if (!product || !Array.isArray(plan.lineItems)) return plan
      return {
        ...plan,
        lineItems: (plan.lineItems as Item[]).map((line) =>
          line.productCode === undefined || line.productCode === null ? { ...line, ...product } : line,
        ),
      }
    })
  }

  /** A tag that an item names and nobody has yet is created with the item. */
  #nameTags(kind: Kind, tags: string[] | undefined): void {
    const scope = tagScopeOf[kind]
    if (!scope || !tags) return
    for (const name of tags) {
      const key = this.#result.keyOf('tag', { scope, name })
      this.#mentionedTags.add(matchKey('tag', key))
      if (!this.#result.find('tag', key)) this.#mergeItem('tag', key, canonicalItem('tag', { scope, name }), undefined)
    }
  }

  #judge(item: PlannedItem & { index: number | undefined }): void {
    this.#refuseRepeatedMembers(item)
    if (item.action === 'unchanged') return
    const { kind, before, after } = item
    for (const mention of mentionsOf(kind, after, this.#result.suiteText)) {
      if (this.#exists(mention.kind, mention.key)) continue
      const message = `there is no ${mention.key}, neither here nor in the environment`
      this.#refuse(item, 'catalog.unresolved_reference', mention.path, message)
    }
    const { breaches, cautions } = checkItem(kind, after, this.#result)
    for (const breach of breaches) this.#refuse(item, breach.codeName, breach.path, breach.message)
    for (const { code, path, message } of cautions)
      this.#plan.warnings.push({ code, kind, key: item.key, path, message, index: item.index })
    if (before) {
      for (const breach of checkLifecycle(kind, before, after))
        this.#refuse(item, breach.codeName, breach.path, breach.message)
      if (kind === 'product' && before.isLocked === true && after.isLocked === true)
        this.#refuse(
          item,
          'catalog.in_use',
          '/isLocked',
          'the product is locked: unlock it first, or say isLocked: false',
        )
    }
    if (kind === 'suite' && this.#result.ownSuiteOf(String(after.code)) !== undefined)
      this.#refuse(
        item,
        'catalog.duplicate_key',
        '/code',
        `"${String(after.code)}" is a product's own suite, which exists by itself`,
      )
    if (kind === 'product' && this.#isOwnAncestor(after))
      this.#refuse(
        item,
        'license.validation_error',
        '/parentProductCode',
        'the product is part of itself, by way of its parents',
      )
  }

  #exists(kind: Kind, key: string): boolean {
    if (this.#result.find(kind, key)) return true
    if (
      this.#snapshot.references?.[key]?.presence === 'External' &&
      this.#environment.count('product') === 0 &&
      this.#isOffline
    )
      return true
    if (kind === 'suite') return this.#ownSuiteExists(key)
    if (kind !== 'feature') return false
    const slash = key.lastIndexOf('/')
    const text = key.slice('feature:'.length, slash)
    return findFeature(this.#result, { text, featureCode: decodeURIComponent(key.slice(slash + 1)) }) !== undefined
  }

  /** Without an environment, what a snapshot says is External is taken on trust. */
  get #isOffline(): boolean {
    return kinds.every((kind) => this.#environment.count(kind) === 0)
  }

  #ownSuiteExists(key: string): boolean {
    return this.#result.find('product', `product:${key.slice(`${prefixOf.suite}:`.length)}`) !== undefined
  }

  #isOwnAncestor(product: Item): boolean {
    const own = productText(product as unknown as ProductName)
    const seen = new Set<string>()
    let parent = parentOf(product)
    while (parent !== undefined && !seen.has(parent)) {
      if (parent === own) return true
      seen.add(parent)
      const above = this.#result.find('product', `product:${parent}`)
      parent = above && parentOf(above)
    }
    return false
  }

  #refuseRepeatedMembers(item: PlannedItem & { index: number | undefined }): void {
    if (item.index === undefined) return
    const given = this.#given(item.kind)[item.index]!
    const once = (members: unknown, name: (member: Item) => string, path: string) => {
      const seen = new Set<string>()
      for (const member of Array.isArray(members) ? (members as Item[]) : []) {
        if (seen.has(name(member)))
          this.#refuse(
            item,
            'catalog.duplicate_key',
            `${path}/${pathSegment(name(member))}`,
            `"${name(member)}" stands twice in this list`,
          )
        seen.add(name(member))
      }
    }
    const product = (member: Item) =>
      productText({
        productCode: String(member.productCode ?? ''),
        productVersion: member.productVersion as string | null,
      })
    const field = (name: string) => (member: Item) => String(member[name])
    once(given.enumOptions, field('value'), '/enumOptions')
    if (item.kind === 'product') once(given.features, field('featureCode'), '/features')
    once(given.members, product, '/members')
    once(given.products, product, '/products')
    once(given.featureValues, field('featureCode'), '/featureValues')
    once(given.plans, field('name'), '/plans')
    for (const plan of (given.plans as (Item & Partial<Plan>)[] | null | undefined) ?? []) {
      once(plan.lineItems, product, `/plans/${pathSegment(String(plan.name))}/lineItems`)
      for (const line of plan.lineItems ?? [])
        once(
          line.featureValues,
          field('featureCode'),
          `/plans/${pathSegment(String(plan.name))}/lineItems/${pathSegment(product({ ...line }))}/featureValues`,
        )
    }
  }

  #refuse(
    item: { kind: Kind; key: string; index: number | undefined },
    codeName: RuleCode,
    path: string,
    message: string,
  ): void {
    const { kind, key, index } = item
    this.#plan.errors.push({ kind, key, path, code: ruleCodes[codeName], codeName, message, index })
  }

  #findOnlyHere(kind: Kind): void {
    const spoken = new Set(this.#planned.get(kind)!.map((item) => matchKey(kind, item.key)))
    for (const { key } of this.#environment.entries(kind)) {
      const match = matchKey(kind, key)
      if (spoken.has(match) || (kind === 'tag' && this.#mentionedTags.has(match))) continue
      this.#plan.onlyHere.push({ kind, key })
    }
  }
}

const parentOf = (product: Item) =>
  typeof product.parentProductCode === 'string'
    ? productText({
        productCode: product.parentProductCode,
        productVersion: product.parentProductVersion as string | null,
      })
    : undefined
