import { canonicalItem, changesBetween, mergeItem } from '../canonical.ts'
import { identifyingField, matchKey, type ProductName } from '../keys.ts'
import { byName } from '../member-names.ts'
import { CatalogModel } from '../model.ts'
import { type Kind, kindOfSection, kinds, sectionOf } from '../order.ts'
import { type Snapshot, spokenSections } from '../snapshot-format.ts'
import { fillIn, tagScopeOf } from './filling-in.ts'
import { type OnlyHere, type PlanError, type PlannedItem, planError } from './import-plan.ts'

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
  const items = new Map<Kind, MergedItem[]>(kinds.map((kind) => [kind, []]))
  const namedTags = new Set<string>()
  const memberOnlyHere = new Map<MergedItem, string[]>()
  const errors: PlanError[] = []

  const given = (kind: Kind): Item[] => (spoken.has(kind) ? snapshot[sectionOf[kind]]! : [])

  const merge = (kind: Kind, givenKey: string, written: Item, index: number | undefined) => {
    const key = environment.heldKey(kind, givenKey) ?? givenKey
    const before = environment.find(kind, key)
    const wanted = fillIn(kind, written, before === undefined, result)
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
    createNamedTags(kind, after.tags as string[] | undefined)
  }

  /** A tag that an item names and nobody has yet is created with the item. */
  const createNamedTags = (kind: Kind, names: string[] | undefined) => {
    const scope = tagScopeOf[kind]
    if (!scope || !names) return
    for (const name of names) {
      const key = result.keyOf('tag', { scope, name })
      namedTags.add(matchKey('tag', key))
      if (!result.find('tag', key)) merge('tag', key, canonicalItem('tag', { scope, name }), undefined)
    }
  }

  for (const kind of kinds) {
    const placed = inKeyOrder(given(kind).map((item, index) => ({ item, index, key: result.keyOf(kind, item) })))
    if (kind === 'product') for (const { item } of placed) result.declareProduct(item as unknown as ProductName)
    const first = new Map<string, number>()
    for (const { item, index, key } of placed) {
      const earlier = first.get(matchKey(kind, key))
      if (earlier !== undefined) {
        const message = `${key} stands twice in "${sectionOf[kind]}": at ${earlier} and at ${index}`
        errors.push(planError({ kind, key, index }, 'catalog.duplicate_key', `/${identifyingField(kind)}`, message))
        continue
      }
      first.set(matchKey(kind, key), index)
      merge(kind, key, item, index)
    }
  }

  const onlyHere: OnlyHere[] = []
  for (const kind of kinds) {
    const merged = inKeyOrder(items.get(kind)!)
    items.set(kind, merged)
    for (const item of merged)
      for (const path of memberOnlyHere.get(item) ?? []) onlyHere.push({ kind, key: item.key, path })
    if (!spoken.has(kind)) continue
    const mentioned = new Set(merged.map((item) => matchKey(kind, item.key)))
    const silent = [...environment.entries(kind)].filter(({ key }) => {
      const match = matchKey(kind, key)
      return !mentioned.has(match) && !(kind === 'tag' && namedTags.has(match))
    })
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
