import { sameValue } from '../../../catalog-schema/form.ts'
import { sectionOf, sections } from '../../../catalog-schema/order.ts'
import type { MeaningOf } from '../comparing.ts'
import { isJson } from '../formatting/formatting.ts'
import { type Reading, readCatalogText } from '../yaml-reading.ts'
import { type EditedFile, editFile, type FileEditing } from './file-edits.ts'
import type { ChangedItem, FileWish } from './file-wish.ts'

type Item = Record<string, unknown>

/** A file's new text, and the keys of items of which a comment was lost on the way. */
export interface RewrittenFile {
  text: string
  lost: string[]
}

/** How often a text is edited at most: once, again for what could only be done next, and item by item for what is left. */
const mostPasses = 4

/**
 * Rewrites a file that was read without refusals so that some of its items say something else and others come to them,
 * touching only what differs. The result was read again and says exactly that, and of everything else what it said.
 * Undefined when the file cannot be edited so.
 */
export function rewriteFile(
  name: string,
  reading: Reading,
  wish: FileWish,
  meaningOf: MeaningOf,
  full: boolean,
): RewrittenFile | undefined {
  let current = reading
  let { changed, added } = wish
  const lost = new Set<string>()
  const whole = new Set<string>()
  for (let pass = 1; pass <= mostPasses; pass++) {
    const editing = { meaningOf, full: full && pass === 1, whole }
    const edit = (part: FileWish) => editAndRead(name, current, part, editing)
    let step = edit({ changed, added })
    if (step === undefined) {
      const suspects = changed.filter(({ key }) => !whole.has(key))
      for (const { key } of findFailing(suspects, current.text.length, edit)) whole.add(key)
      step = edit({ changed, added })
    }
    if (step === undefined) {
      for (const { key } of changed) whole.add(key)
      step = edit({ changed, added })
    }
    if (step === undefined) return undefined
    const { edited, next } = step
    for (const key of edited.lost) lost.add(key)
    const left = stillDiffering(next, changed, edited, meaningOf)
    if (left.length === 0) return { text: edited.text, lost: [...lost] }
    if (pass >= 2) for (const { key } of left) whole.add(key)
    current = next
    changed = left
    added = []
  }
  return undefined
}

/** Edits a text and reads it again; undefined where it does not say all else as it did. */
function editAndRead(name: string, current: Reading, wish: FileWish, editing: FileEditing) {
  const edited = editFile(name, current, wish, editing)
  const next = edited && readCatalogText(edited.text, isJson(name) ? 'json' : 'yaml')
  if (edited === undefined || next === undefined || !keepsTheRest(current, next, wish, edited)) return undefined
  return { edited, next }
}

/** How many characters are read at most to find the items whose edits fail: some seconds' work. */
const mostRead = 100_000_000

/** The items whose edits fail, found half by half; where that would take too long, those that are left as well. */
function findFailing(
  suspects: readonly ChangedItem[],
  textLength: number,
  edit: (part: FileWish) => object | undefined,
): ChangedItem[] {
  let left = mostRead
  const fail = (items: ChangedItem[]): ChangedItem[] => {
    left -= textLength
    if (items.length === 0 || (left > 0 && edit({ changed: items, added: [] }) !== undefined)) return []
    if (items.length === 1) return items
    const half = items.length >> 1
    return [...fail(items.slice(0, half)), ...fail(items.slice(half))]
  }
  return fail([...suspects])
}

/** The items that do not say yet what they are to say, where they stand now. */
function stillDiffering(
  next: Reading,
  changed: readonly ChangedItem[],
  edited: EditedFile,
  meaningOf: MeaningOf,
): ChangedItem[] {
  return changed.flatMap((item) => {
    const section = sectionOf[item.kind]
    const index = edited.orders.get(section)?.indexOf(item.index) ?? item.index
    const found = (next.value[section] as Item[])[index]!
    return sameValue(meaningOf(item.kind, found)?.held, item.wanted) ? [] : [{ ...item, index }]
  })
}

/** Whether a text holds what it is to hold beside the changed items: all others as they were, and the new ones. */
function keepsTheRest(before: Reading, after: Reading, { changed, added }: FileWish, { orders }: EditedFile): boolean {
  if (after.refusals.length > 0) return false
  const isSection = (name: string) => (sections as readonly string[]).includes(name)
  const others = (value: Item) => Object.fromEntries(Object.entries(value).filter(([name]) => !isSection(name)))
  if (!sameValue(others(before.value), others(after.value))) return false
  return sections.every((section) => {
    const isChanged = new Set(changed.filter(({ kind }) => sectionOf[kind] === section).map(({ index }) => index))
    const fresh = added.filter(({ kind }) => sectionOf[kind] === section)
    const [old, now] = [before.value[section], after.value[section]]
    if (isChanged.size === 0 && fresh.length === 0) return sameValue(old, now)
    const order = orders.get(section) ?? (Array.isArray(old) ? old.map((_, index) => index) : [])
    if (!Array.isArray(now) || now.length !== order.length) return false
    return order.every((place, index) => {
      if (place < 0) return sameValue(now[index], fresh[-1 - place]!.item)
      return isChanged.has(place) || sameValue(now[index], (old as unknown[])[place])
    })
  })
}
