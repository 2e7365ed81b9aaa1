import { briefItem, canonicalItem, mergeItem } from '../../catalog-schema/canonical.ts'
import { sameValue } from '../../catalog-schema/form.ts'
import { matchKey } from '../../catalog-schema/keys.ts'
import { type Kind, kinds, sectionOf } from '../../catalog-schema/order.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { createMeaning, type MeaningOf } from './comparing.ts'
import { findDuplicates } from './duplicate-findings.ts'
import { groupItems, placeItems } from './layout.ts'
import { createKeyOf, type LocatedItem, locateItems } from './located-items.ts'
import { renderFile } from './rendering.ts'
import type { SnapshotReading } from './snapshot-reading.ts'
import { rewriteFile } from './splicing/file-rewriting.ts'
import type { ChangedItem, NewItem } from './splicing/file-wish.ts'
import type { Reading } from './yaml-reading.ts'

/** A file that cannot be written as it stands, and whether `force` may overwrite it all the same. */
interface Conflict {
  file: string
  message: string
  canForce: boolean
}

/** What writing a snapshot into a directory does, before anything is done. */
export interface WritingPlan {
  writes: { name: string; text: string }[]
  /** Files that say the same already, whatever their layout; they are not touched. */
  unchanged: string[]
  /** Keys that only the files have; an export removes no item. */
  onlyInFiles: string[]
  /** Members with names (a plan of a plan set) that only the files had of an item that both have. */
  membersDropped: { key: string; path: string }[]
  conflicts: Conflict[]
}

export interface WritingOptions {
  /** Keeps nulls, empty lists and defaults, as an export on the wire does. */
  full?: boolean
  /** The schema that the first line of a file names: a URL, or a path from the catalog's root. */
  schema: string
}

type Item = Record<string, unknown>
type KeyedItem = Pick<LocatedItem, 'kind' | 'key' | 'item'>

/**
 * Decides which files a snapshot (of checked shape) becomes in a directory that holds what was read: an item stays in
 * the file that has its key, new ones get the default layout. Only files whose items differ are written, and in them
 * only what differs.
 */
export function planWriting(existing: SnapshotReading, snapshot: Snapshot, options: WritingOptions): WritingPlan {
  const keyOf = createKeyOf({ products: [...(snapshot.products ?? []), ...(existing.snapshot.products ?? [])] })
  const items = groupItems(snapshot, keyOf)
  const held = locateItems(existing, keyOf)
  const wanted = new Set(items.map(({ kind, key }) => matchKey(kind, key)))
  const meaningOf = createMeaning(existing.snapshot, snapshot)
  const plan: WritingPlan = {
    writes: [],
    unchanged: [],
    onlyInFiles: held.filter(({ kind, key }) => !wanted.has(matchKey(kind, key))).map(({ key }) => key),
    membersDropped: [],
    conflicts: findConflicts(existing, held),
  }
  const byFile = Map.groupBy(held, ({ origin }) => origin.file)
  const readable = [...existing.readings].filter(([, { refusals }]) => refusals.length === 0).map(([name]) => name)
  for (const [name, placed] of placeItems(items, held, readable)) {
    const old = existing.readings.get(name)
    const present = byFile.get(name) ?? []
    if (old === undefined || old.refusals.length > 0) {
      const text = renderFile(name, contentOf(placed, present, {}, options.full ?? false), options.schema)
      plan.writes.push({ name, text })
    } else planRewriting(plan, { name, old, present }, placed, meaningOf, options)
  }
  return plan
}

/** Plans the change of a file that is there: what its items are to say, and what cannot be changed without a loss. */
function planRewriting(
  plan: WritingPlan,
  { name, old, present }: { name: string; old: Reading; present: readonly LocatedItem[] },
  placed: readonly KeyedItem[],
  meaningOf: MeaningOf,
  { full = false, schema }: WritingOptions,
): void {
  const byKey = new Map(present.map((located) => [matchKey(located.kind, located.key), located]))
  const changed: ChangedItem[] = []
  const added: NewItem[] = []
  const lost: string[] = []
  for (const { kind, key, item } of placed) {
    const located = byKey.get(matchKey(kind, key))
    if (located === undefined) {
      added.push({ kind, item: inFile(kind, item, full) })
      continue
    }
    const named = kind === 'tag' ? { ...item, name: located.item.name } : item
    const meaning = meaningOf(kind, located.item)
    const wanted = meaningOf(kind, named)?.held ?? canonicalItem(kind, named)
    plan.membersDropped.push(...mergeItem(kind, meaning?.held, wanted).kept.map((path) => ({ key, path })))
    if (meaning === undefined) {
      if (sameValue(located.item, inFile(kind, item, full))) continue
      lost.push(key)
    }
    if (full || !sameValue(meaning?.held, wanted))
      changed.push({ kind, key, index: Number(located.origin.pointer.split('/')[2]), wanted })
  }
  const rewritten =
    changed.length + added.length === 0
      ? { text: old.text, lost: [] }
      : rewriteFile(name, old, { changed, added }, meaningOf, full)
  if (rewritten === undefined) {
    const text = renderFile(name, contentOf(placed, present, old.value, full), schema)
    const message = 'It is laid out so that it can only be written anew, which would lose its comments.'
    plan.conflicts.push({ file: name, message, canForce: true })
    plan.writes.push({ name, text })
    return
  }
  for (const key of lost) {
    const message = `${key} has fields that are wrong or unknown, which writing it anew would lose.`
    plan.conflicts.push({ file: name, message, canForce: true })
  }
  for (const key of rewritten.lost) {
    const message = `${key} can only be written anew as a whole, which would lose the comments in it.`
    plan.conflicts.push({ file: name, message, canForce: true })
  }
  if (rewritten.text === old.text) plan.unchanged.push(name)
  else plan.writes.push({ name, text: rewritten.text })
}

function inFile(kind: Kind, item: Item, full: boolean): Item {
  const whole = canonicalItem(kind, item)
  return full ? whole : briefItem(kind, whole)
}

function findConflicts(existing: SnapshotReading, held: readonly LocatedItem[]): Conflict[] {
  const twice = findDuplicates(existing, held).findings.map(({ file, line, col, message }) => ({
    file,
    message: `${line}:${col} ${message}; remove one of them first.`,
    canForce: false,
  }))
  const unread = existing.refusals.map(({ file, line, col, message }) => ({
    file,
    message: `It cannot be read: ${line}:${col} ${message}`,
    canForce: true,
  }))
  return [...twice, ...unread]
}

/** What a file that is written anew holds: what it says of itself, its items by section, and those that only it has. */
function contentOf(placed: readonly KeyedItem[], present: readonly KeyedItem[], old: Item, full: boolean): Item {
  const { $schema, formatVersion, references } = old
  const kept = Object.entries({ $schema, formatVersion, references }).filter(([, value]) => value !== undefined)
  const content: Item = Object.fromEntries(kept)
  for (const kind of kinds) {
    const given = placed.filter((item) => item.kind === kind)
    const keys = new Set(given.map(({ key }) => matchKey(kind, key)))
    const others = present.filter((item) => item.kind === kind && !keys.has(matchKey(kind, item.key)))
    const items = [...given.map(({ item }) => inFile(kind, item, full)), ...others.map(({ item }) => item)]
    if (items.length > 0) content[sectionOf[kind]] = items
  }
  return content
}
