import { isDeepStrictEqual } from 'node:util'
import { briefItem, canonicalItem } from '../../catalog-schema/canonical.ts'
import { matchKey } from '../../catalog-schema/keys.ts'
import { type Kind, kinds, sectionOf } from '../../catalog-schema/order.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { findDuplicates } from './duplicate-findings.ts'
import { groupItems, placeItems } from './layout.ts'
import { type LocatedItem, locateItems } from './located-items.ts'
import { modeline, renderFile } from './rendering.ts'
import { itemChecks } from './shape-findings.ts'
import type { SnapshotReading } from './snapshot-reading.ts'

/** A file that cannot be written as it stands, and whether `force` may overwrite it all the same. */
export interface Conflict {
  file: string
  message: string
  canForce: boolean
}

/** What writing a snapshot into a directory does, before anything is done. */
export interface WritingPlan {
  writes: { name: string; text: string }[]
  /** Files that say the same already, whatever their layout; they are not touched. */
  unchanged: string[]
  /** Keys that only the files have; an export never removes anything. */
  onlyInFiles: string[]
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
 * the file that has its key, new ones get the default layout. Only files whose items differ are written.
 */
export function planWriting(existing: SnapshotReading, snapshot: Snapshot, options: WritingOptions): WritingPlan {
  const items = groupItems(snapshot)
  const held = locateItems(existing)
  const wanted = new Set(items.map(({ kind, key }) => matchKey(kind, key)))
  const plan: WritingPlan = {
    writes: [],
    unchanged: [],
    onlyInFiles: held.filter(({ kind, key }) => !wanted.has(matchKey(kind, key))).map(({ key }) => key),
    conflicts: findConflicts(existing, held),
  }
  const byFile = Map.groupBy(held, ({ origin }) => origin.file)
  const readable = [...existing.readings].filter(([, { refusals }]) => refusals.length === 0).map(([name]) => name)
  for (const [name, placed] of placeItems(items, held, readable)) {
    const present = byFile.get(name) ?? []
    if (!options.full && holdsSame(placed, present)) {
      plan.unchanged.push(name)
      continue
    }
    const old = existing.readings.get(name)
    const text = renderFile(name, contentOf(placed, present, old?.value ?? {}, options.full ?? false), options.schema)
    if (text === old?.text) plan.unchanged.push(name)
    else {
      plan.writes.push({ name, text })
      if (old?.refusals.length === 0 && !isMachineMade(name, old.text, old.value, present)) {
        const message = 'It holds comments or was laid out by hand, which writing it would lose.'
        plan.conflicts.push({ file: name, message, canForce: true })
      }
    }
  }
  return plan
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

function holdsSame(placed: readonly KeyedItem[], present: readonly KeyedItem[]): boolean {
  const held = new Map(present.map((located) => [matchKey(located.kind, located.key), located.item]))
  return placed.every(({ kind, key, item }) => {
    const old = held.get(matchKey(kind, key))
    if (old === undefined) return false
    const checked = structuredClone(old)
    return (
      itemChecks[kind](checked).length === 0 &&
      isDeepStrictEqual(canonicalItem(kind, checked), canonicalItem(kind, item))
    )
  })
}

/** A file's new content: its own further fields, then the sections, each in the order of keys. */
function contentOf(placed: readonly KeyedItem[], present: readonly KeyedItem[], old: Item, full: boolean): Item {
  const shape = (kind: Kind, item: Item) => {
    const whole = canonicalItem(kind, item)
    return full ? whole : briefItem(kind, whole)
  }
  const { $schema, formatVersion, references } = old
  const content: Item = Object.fromEntries(
    Object.entries({ $schema, formatVersion, references }).filter(([, value]) => value !== undefined),
  )
  for (const kind of kinds) {
    const given = placed.filter((item) => item.kind === kind)
    const keys = new Set(given.map(({ key }) => matchKey(kind, key)))
    const entries = [
      ...given.map(({ key, item }) => ({ key, item: shape(kind, item) })),
      ...present.filter((item) => item.kind === kind && !keys.has(matchKey(kind, item.key))),
    ]
    if (entries.length === 0) continue
    content[sectionOf[kind]] = entries
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      .map(({ item }) => item)
  }
  return content
}

/** Whether a file is what writing its own items would give, whole or brief, so that writing it anew loses nothing. */
function isMachineMade(name: string, text: string, value: Item, present: readonly LocatedItem[]): boolean {
  const checked = present.map(({ kind, key, item }) => ({ kind, key, item: structuredClone(item) }))
  if (checked.some(({ kind, item }) => itemChecks[kind](item).length > 0)) return false
  return [false, true].some((full) => {
    const rendered = renderFile(name, contentOf(checked, [], value, full), '')
    return rendered.replace(modeline, '') === text.replace(modeline, '')
  })
}
