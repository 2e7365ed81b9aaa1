import { briefItem } from '../../../catalog-schema/canonical.ts'
import { itemSchemas, type Section, sectionOf, sections } from '../../../catalog-schema/order.ts'
import type { MeaningOf } from '../comparing.ts'
import { inCanonicalOrder } from '../formatting/canonical-order.ts'
import { isJson, jsonText } from '../formatting/formatting.ts'
import { lineEnd, nextLine } from '../formatting/gaps.ts'
import { printFile, printMembers } from '../formatting/printing.ts'
import { noComments, type Written, writtenCollection, writtenOf } from '../formatting/written.ts'
import type { Reading } from '../yaml-reading.ts'
import type { NewMember } from './block-edits.ts'
import { applyEdits, Unspliceable } from './edits.ts'
import { type ChangedItem, type FileWish, type NewItem, orderWith } from './file-wish.ts'
import { editValue } from './item-edits.ts'
import { changeMembers, type Held } from './member-edits.ts'
import { Sheet, type Spot } from './sheet.ts'
import { flowText, replaceValue, type Standpoint } from './value-edits.ts'

type Item = Record<string, unknown>

export interface FileEditing {
  meaningOf: MeaningOf
  full: boolean
  /** The keys of items that are written anew as a whole. */
  whole: ReadonlySet<string>
}

/** A file's text after editing, which nobody has read again yet. */
export interface EditedFile {
  text: string
  /** By section to which items came: its items' old places in their new order, -1, -2, … standing for the new ones. */
  orders: Map<Section, number[]>
  /** The keys of items that lose a comment. */
  lost: string[]
}

/** Edits a file's text; undefined where its sections stand so that nothing can be put in. */
export function editFile(name: string, reading: Reading, wish: FileWish, editing: FileEditing): EditedFile | undefined {
  const sheet = new Sheet(reading, isJson(name))
  const result: EditedFile = { text: '', orders: new Map(), lost: [] }
  const bySection = Map.groupBy(wish.added, ({ kind }) => sectionOf[kind])
  for (const [section, added] of bySection) {
    const old = reading.value[section]
    const fresh = added.map(({ item }) => item)
    result.orders.set(section, orderWith(section, Array.isArray(old) ? (old as Item[]) : [], fresh))
  }
  try {
    const root = sheet.table.count === 0 ? undefined : sheet.collection(0, false)
    if (root === undefined || root.spots.length === 0) startFile(sheet, bySection)
    else editSections(sheet, reading.value, rootOf(sheet, root), wish, bySection, editing, result)
    const text = applyEdits(sheet.source, sheet.edits)
    result.text = sheet.lacksLastBreak && text.endsWith(sheet.lineBreak) ? text.slice(0, -sheet.lineBreak.length) : text
    return result
  } catch (error) {
    if (error instanceof Unspliceable) return undefined
    throw error
  }
}

function rootOf(sheet: Sheet, collection: Held['collection']): Held {
  const spot: Spot = { name: '', key: -1, value: 0, start: sheet.table.start[0]!, sign: -1, end: sheet.source.length }
  return { at: { spot, inFlow: false, column: 0 }, collection }
}

/** Writes the sections of a file that has none yet, in the place of an empty mapping if there is one. */
function startFile(sheet: Sheet, bySection: ReadonlyMap<Section, NewItem[]>): void {
  const content = Object.fromEntries([...bySection].map(([section, added]) => [section, added.map(({ item }) => item)]))
  const written = inCanonicalOrder(writtenOf(content))
  const lines = sheet.isJson ? jsonText(written).split('\n') : printFile([], written)
  const isEmptyMapping = sheet.table.count > 0
  const text = lines.join(sheet.lineBreak)
  if (isEmptyMapping) sheet.replace(sheet.table.start[0]!, sheet.table.end[0]!, text)
  else sheet.insert(sheet.source.length, text + sheet.lineBreak)
}

function editSections(
  sheet: Sheet,
  content: Item,
  root: Held,
  wish: FileWish,
  bySection: ReadonlyMap<Section, NewItem[]>,
  editing: FileEditing,
  result: EditedFile,
): void {
  const { spots, isFlow } = root.collection
  const changedIn = Map.groupBy(wish.changed, ({ kind }) => sectionOf[kind])
  const newSections = new Map<number, NewMember[]>()
  for (const section of sections) {
    const [changed, added] = [changedIn.get(section) ?? [], bySection.get(section) ?? []]
    if (changed.length === 0 && added.length === 0) continue
    const place = spots.findIndex(({ name }) => name === section)
    const values = added.map(({ item }) => item)
    const order = result.orders.get(section) ?? []
    if (place < 0) {
      const after = placeForSection(spots, section)
      const value = order.map((index) => values[-1 - index])
      newSections.set(after, [...(newSections.get(after) ?? []), { name: section, value, isApart: true }])
      continue
    }
    const at: Standpoint = { spot: spots[place]!, inFlow: isFlow, column: 0 }
    const items = content[section]
    if (!Array.isArray(items) || items.length === 0) {
      replaceValue(
        sheet,
        at,
        order.map((index) => values[-1 - index]),
      )
      continue
    }
    const here: Held = { at, collection: sheet.collection(at.spot.value, isFlow) }
    for (const item of changed) editItem(sheet, here, items[item.index] as Item, item, editing, result)
    if (added.length > 0) insertItems(sheet, here, order, values)
  }
  changeMembers(sheet, root, [...spots.keys()], newSections)
}

/** The place of the section below which a new one is put: the last that an import reads before it. */
function placeForSection(spots: readonly Spot[], section: Section): number {
  const rank = (name: string) => (sections as readonly string[]).indexOf(name)
  const ranks = spots.map(({ name }) => rank(name))
  const isOrdered = ranks.every((one, index) => index === 0 || ranks[index - 1]! <= one)
  return isOrdered ? ranks.findLastIndex((one) => one < rank(section)) : spots.length - 1
}

function editItem(
  sheet: Sheet,
  list: Held,
  item: Item,
  { kind, key, index, wanted }: ChangedItem,
  { meaningOf, full, whole }: FileEditing,
  result: EditedFile,
): void {
  const spot = list.collection.spots[index]!
  const meaning = meaningOf(kind, item)
  const editsBefore = sheet.edits.length
  if (meaning !== undefined && !whole.has(key)) {
    try {
      const column = list.collection.isFlow ? 0 : sheet.columnOf(spot.start)
      const at: Standpoint = { spot, inFlow: list.collection.isFlow, column }
      editValue({ sheet, full }, itemSchemas[kind] as object, at, { ...meaning, wanted })
      return
    } catch (error) {
      if (!(error instanceof Unspliceable)) throw error
      sheet.edits.length = editsBefore
    }
  }
  if (holdsComment(sheet, spot)) result.lost.push(key)
  replaceElement(sheet, list, spot, full ? wanted : briefItem(kind, wanted))
}

/** Writes an element of a list anew where it stands. */
function replaceElement(sheet: Sheet, { collection }: Held, spot: Spot, value: Item): void {
  const written = writtenOf(value)
  if (collection.isFlow) {
    sheet.replace(spot.start, spot.end, flowText(sheet, written, { spot }))
    return
  }
  const column = sheet.columnOf(spot.start)
  const lines: string[] = []
  const list: Written = writtenCollection(true, [{ name: '', lead: noComments, written }])
  printMembers(list, column, sheet.indentation, lines)
  sheet.replace(spot.start, spot.end, lines.join(sheet.lineBreak).slice(column))
}

/** Whether a comment stands inside a member: `#` where it is not part of a scalar. */
function holdsComment({ source, table, isJson }: Sheet, { start, end, value }: Spot): boolean {
  if (isJson || !source.slice(start, end).includes('#')) return false
  const bare = source.slice(start, end).split('')
  for (let node = value; node < table.next[value]!; node++)
    if (table.form[node]! >= 1 && table.form[node]! <= 5)
      bare.fill(' ', table.start[node]! - start, table.end[node]! - start)
  return bare.includes('#')
}

/** Puts items into a section's list, each below the one that it follows in the section's new order. */
function insertItems(sheet: Sheet, list: Held, order: readonly number[], values: readonly Item[]): void {
  const { spots } = list.collection
  const isApart = areApart(sheet, spots)
  const added = new Map<number, NewMember[]>()
  let last = -1
  for (const index of order) {
    if (index >= 0) last = index
    else added.set(last, [...(added.get(last) ?? []), { name: '', value: values[-1 - index], isApart }])
  }
  changeMembers(sheet, list, [...spots.keys()], added)
}

/** Whether a blank line stands between a list's items; so it is in canonical style. */
function areApart({ source }: Sheet, [first, second]: readonly Spot[]): boolean {
  if (first === undefined || second === undefined) return true
  for (let at = nextLine(source, first.end); at < second.start; at = nextLine(source, at))
    if (source.slice(at, lineEnd(source, at)).trim() === '') return true
  return false
}
