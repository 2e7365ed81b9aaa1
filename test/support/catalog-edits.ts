import { canonicalItem } from '../../catalog-schema/canonical.ts'
import { keyOf, matchKey } from '../../catalog-schema/keys.ts'
import { memberIdentity } from '../../catalog-schema/member-names.ts'
import { CatalogModel } from '../../catalog-schema/model.ts'
import { itemSchemas, type Kind, kinds, sectionOf } from '../../catalog-schema/order.ts'
import { planImport } from '../../catalog-schema/plan.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { createMeaning } from '../../cli/catalog-files/comparing.ts'
import { createDice } from './odd-layouts.ts'

type Item = Record<string, unknown>
type Dice = ReturnType<typeof createDice>
interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  'x-named-by'?: readonly string[]
}

const identifying = new Set([
  'productCode',
  'productVersion',
  'featureCode',
  'metricName',
  'code',
  'suiteCode',
  'name',
  'version',
  'scope',
  'key',
])

/**
 * A catalog as an environment exports it that had this one and was edited since: fields changed and cleared, members
 * changed, put in, taken out and moved, items new (from another catalog) and gone.
 */
export function editCatalog(catalog: Snapshot, other: Snapshot, seed: number, canRemove: boolean): Snapshot {
  const dice = createDice(seed)
  const meanings = new Map([catalog, other].map((snapshot) => [snapshot, createMeaning(snapshot, snapshot)]))
  const edited: Snapshot = { formatVersion: '1.0' }
  for (const kind of kinds) {
    const section = sectionOf[kind]
    const wholes = (snapshot: Snapshot): Item[] =>
      (snapshot[section] ?? []).flatMap((item) => {
        const meaning = meanings.get(snapshot)!(kind, item)
        return meaning === undefined ? [] : [meaning.held]
      })
    const others = wholes(other)
    // What others name stays, as an environment has it: without its product a suite's text would be another suite's.
    const kept = wholes(catalog).filter(() => !dice.oneIn(8) || kind === 'product' || kind === 'suite')
    const items: Item[] = kept.map((item) => (dice.oneIn(2) ? editItem(kind, item, others, dice, canRemove) : item))
    const known = new Set(wholes(catalog).map((item) => matchKey(kind, keyOf(kind, item))))
    const strangers = others.filter((item) => !known.has(matchKey(kind, keyOf(kind, item))))
    edited[section] = [...items, ...strangers.filter(() => dice.oneIn(3))]
  }
  return imported(edited)
}

function editItem(kind: Kind, item: Item, others: readonly Item[], dice: Dice, canRemove: boolean): Item {
  const schema = itemSchemas[kind] as Schema
  const source = others.length > 0 ? dice.pick(others) : (canonicalItem(kind, item) as Item)
  return canonicalItem(kind, editFields(schema, item, source, dice, canRemove))
}

function editFields(schema: Schema, item: Item, source: Item, dice: Dice, canRemove: boolean): Item {
  const edited = { ...item }
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (identifying.has(name) || !dice.oneIn(3)) continue
    const [own, given] = [item[name], source[name]]
    if (Array.isArray(own) && Array.isArray(given)) edited[name] = editList(inner, own, given, dice, canRemove)
    else if (canRemove || own === null || typeof own !== 'object') edited[name] = given
  }
  return edited
}

function editList(
  schema: Schema,
  own: readonly unknown[],
  given: readonly unknown[],
  dice: Dice,
  canRemove: boolean,
): unknown[] {
  const namedBy = schema['x-named-by']
  const identify = (member: unknown) =>
    namedBy === undefined ? JSON.stringify(member).toLowerCase() : memberIdentity(namedBy, member as Item)
  const named = (member: unknown) =>
    Object.fromEntries((namedBy ?? []).map((field) => [field, (member as Item)[field]]))
  const kept = own.filter(() => !(canRemove && dice.oneIn(3)))
  const changed = kept.map((member) =>
    typeof member === 'object' && given.length > 0 && dice.oneIn(2)
      ? {
          ...editFields(schema.items ?? {}, member as Item, dice.pick(given) as Item, dice, canRemove),
          ...named(member),
        }
      : member,
  )
  const has = new Set(changed.map(identify))
  const added = given.filter((member) => dice.oneIn(2) && !has.has(identify(member)))
  return namedBy !== undefined && dice.oneIn(4) ? [...added, ...changed.toReversed()] : [...changed, ...added]
}

/** The catalog of an environment that imported this snapshot; of items with one key the first. */
function imported(snapshot: Snapshot): Snapshot {
  const environment: Snapshot = { formatVersion: '1.0' }
  for (const kind of kinds) environment[sectionOf[kind]] = []
  for (const { kind, after } of planImport(new CatalogModel(), snapshot).items)
    environment[sectionOf[kind]]!.push(after as Item)
  return environment
}
