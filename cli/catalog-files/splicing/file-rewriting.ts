import { sameValue } from '../../../catalog-schema/form.ts'
import { sectionOf, sections } from '../../../catalog-schema/order.ts'
import type { MeaningOf } from '../comparing.ts'
import { isJson } from '../formatting/formatting.ts'
import { type Reading, readCatalogText } from '../yaml-reading.ts'
import { type EditedFile, editFile } from './file-edits.ts'
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
    const edited = editFile(name, current, { changed, added }, { meaningOf, full: full && pass === 1, whole })
    const next = edited && readCatalogText(new TextEncoder().encode(edited.text), isJson(name) ? 'json' : 'yaml')
    if (edited === undefined || next === undefined || !keepsTheRest(current, next, { changed, added }, edited)) {
      if (changed.every(({ key }) => whole.has(key))) return undefined
      for (const { key } of changed) whole.add(key)
      continue
    }
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
