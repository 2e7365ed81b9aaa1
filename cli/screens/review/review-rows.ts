import { counted } from '../../counting.ts'
import { padText, wrapText } from '../../fitting.ts'
import { displayWidth } from '../../table.ts'
import { visible } from '../../visible-text.ts'
import { changeText, valueText } from '../change-value.ts'
import type { ReviewField, ReviewItem } from './review-items.ts'

/** What narrows the list: a kind, a text in keys and paths. */
export interface ReviewFilter {
  kind: string | null
  text: string
}

/** A row of the list: an item by its place among all, and which line of it (0 is the item itself). */
export interface ReviewRow {
  item: number
  line: number
}

/** The rows that a filter leaves, an opened item followed by the lines of its fields. */
export function reviewRows(
  items: readonly ReviewItem[],
  { kind, text }: ReviewFilter,
  opened: ReadonlySet<number>,
  width: number,
): ReviewRow[] {
  const wanted = text.toLowerCase()
  const rows: ReviewRow[] = []
  for (const [index, item] of items.entries()) {
    if ((kind !== null && item.kind !== kind) || !item.searched.includes(wanted)) continue
    rows.push({ item: index, line: 0 })
    if (!opened.has(index)) continue
    for (let line = 1; line <= detailLines(item, width).length; line++) rows.push({ item: index, line })
  }
  return rows
}

/** The kinds that the items have, in their order. */
export const kindsAmong = (items: readonly ReviewItem[]): string[] => [...new Set(items.map(({ kind }) => kind))]

const mostOfValue = 2000
const mostLines = 24
const drawn = new WeakMap<ReviewItem, { width: number; lines: string[] }>()

/** An opened item's lines: each field with its values whole, what the change touches, and what it needs. */
export function detailLines(item: ReviewItem, width: number): string[] {
  const known = drawn.get(item)
  if (known?.width === width) return known.lines
  const fields = item.fields()
  const edge = Math.min(40, Math.floor(width / 2), Math.max(0, ...fields.map(({ path }) => displayWidth(spoken(path)))))
  const lines = [
    ...fields.flatMap((field) => fieldLines(field, item.sign === '+', edge, width)),
    ...(item.touches > 0 ? wrapText(touchesText(item.touches), width, 3) : []),
    ...(item.needs.length > 0 ? wrapText(`needs ${item.needs.join(' ')}`, width, 4) : []),
  ]
  const nothing = item.sign === '·' ? 'only in the target; it stays (nothing is removed)' : 'no fields of its own'
  const whole = lines.length === 0 ? wrapText(nothing, width, 2) : lines
  drawn.set(item, { width, lines: whole })
  return whole
}

const spoken = (path: string) => visible(path.replace(/^\//, ''))

export const touchesText = (touches: number) => `touches ${counted(touches, 'live entitlement')}`

/** A field on one line, or its path above its values. */
function fieldLines(field: ReviewField, isNew: boolean, edge: number, width: number): string[] {
  const path = spoken(field.path)
  const values = isNew ? valueText(field.after, mostOfValue) : changeText(field, mostOfValue)
  const line = `${padText(path, edge)}  ${values}`
  if (displayWidth(line) <= width) return [line]
  return [...wrapText(path, width, 3), ...wrapText(values, width - 2, mostLines).map((part) => `  ${part}`)]
}
