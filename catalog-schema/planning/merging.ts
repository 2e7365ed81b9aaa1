import { canonicalItem, changesBetween, mergeItem } from '../canonical.ts'
import { identifyingField, matchKey, type ProductName } from '../keys.ts'
import { byName } from '../member-names.ts'
import { CatalogModel } from '../model.ts'
import { type Kind, kindOfSection, kinds, sectionOf } from '../order.ts'
import { type Snapshot, spokenSections } from '../snapshot-format.ts'
import { fillIn, tagScopeOf } from './filling-in.ts'
import { type OnlyHere, type PlanError, type PlannedItem, planError } from './import-plan.ts'
import { TagRegistry } from './tag-registry.ts'

type Item = Record<string, unknown>

/** A planned item with its place in the snapshot's section. */
export type MergedItem = PlannedItem & { index: number | undefined }

/** The catalog that a snapshot makes of an environment, and what becomes of each item on the way. */
export interface Merging {
  result: CatalogModel
  /** By kind, each kind in the order of its keys. */
  items: Map<Kind, MergedItem[]>
  onlyHere: OnlyHere[]
  /** Keys that stand twice, and members that do. */
  errors: PlanError[]
}

/** Merges a snapshot into an environment on plain values. The order of the snapshot's items makes no difference; neither catalog is changed. */
export function mergeSnapshot(environment: CatalogModel, snapshot: Snapshot): Merging {
  const spoken = new Set(spokenSections(snapshot).map((section) => kindOfSection[section]))
  const result = new CatalogModel(environment)
  const tags = new TagRegistry(result)
  const items = new Map<Kind, MergedItem[]>(kinds.map((kind) => [kind, []]))
  const memberOnlyHere = new Map<MergedItem, string[]>()
  const errors: PlanError[] = []

  const merge = (kind: Kind, givenKey: string, written: Item, index: number | undefined) => {
    const { key, item: before } = environment.entry(kind, givenKey) ?? { key: givenKey, item: undefined }
    const wanted = fillIn(kind, written, before === undefined, result, tags)
    const named = kind === 'tag' && before ? { ...wanted, name: before.name } : wanted
    const { after, kept, repeated } = mergeItem(kind, before, named)
    const changes = before ? changesBetween(kind, before, after) : []
    const action = before ? (changes.length > 0 ? 'update' : 'unchanged') : 'create'
    const item: MergedItem = { kind, key, action, before, after, changes, index }
    result.add(kind, after, key)
    items.get(kind)!.push(item)
    if (kept.length > 0) memberOnlyHere.set(item, kept)
    for (const { path, name } of repeated)
      errors.push(planError(item, 'catalog.duplicate_key', path, `"${name}" stands twice in this list`))
    const scope = tagScopeOf[kind]
    // Those that it keeps without a word are there, and the snapshot does not mention them.
    if (scope && Array.isArray(wanted.tags)) for (const name of wanted.tags as string[]) createTag(scope, name)
  }

  /** A tag that an item names and nobody has yet is created with the item. */
  const createTag = (scope: string, name: string) => {
    if (tags.casingOf(scope, name) !== undefined) return
    const tag = canonicalItem('tag', { scope, name })
    merge('tag', result.keyOf('tag', tag), tag, undefined)
    tags.casingOf(scope, name)
  }

  for (const kind of kinds) {
    const written = spoken.has(kind) ? snapshot[sectionOf[kind]]! : []
    const placed = inKeyOrder(written.map((item, index) => ({ item, index, key: result.keyOf(kind, item) })))
    if (kind === 'product') for (const { item } of placed) result.declareProduct(item as unknown as ProductName)
    let places: Map<string, number | undefined> | undefined
    for (const { item, index, key } of placed) {
      if (!result.holds(kind, key)) {
        merge(kind, key, item, index)
        places?.set(matchKey(kind, key), index)
        continue
      }
      places ??= new Map(items.get(kind)!.map((one) => [matchKey(kind, one.key), one.index]))
      const message = `${key} stands twice in "${sectionOf[kind]}": at ${places.get(matchKey(kind, key))} and at ${index}`
      errors.push(planError({ kind, key, index }, 'catalog.duplicate_key', `/${identifyingField(kind)}`, message))
    }
  }

  const onlyHere: OnlyHere[] = []
  const namedTags = new Set(tags.namedKeys().map((key) => matchKey('tag', key)))
  for (const kind of kinds) {
    const merged = inKeyOrder(items.get(kind)!)
    items.set(kind, merged)
    for (const item of merged)
      for (const path of memberOnlyHere.get(item) ?? []) onlyHere.push({ kind, key: item.key, path })
    if (!spoken.has(kind)) continue
    const silent = [...environment.entries(kind)].filter(
      ({ key }) => !result.holds(kind, key) && !(kind === 'tag' && namedTags.has(matchKey(kind, key))),
    )
    for (const { key } of inKeyOrder(silent)) onlyHere.push({ kind, key })
  }
  return { result, items, onlyHere, errors }
}

/** The entries in the order of their keys (those of one key as they stood); the same list when it is in order already. */
function inKeyOrder<T extends { key: string }>(entries: T[]): T[] {
  for (let index = 1; index < entries.length; index++)
    if (entries[index - 1]!.key > entries[index]!.key) return entries.toSorted((a, b) => byName(a.key, b.key))
  return entries
}
