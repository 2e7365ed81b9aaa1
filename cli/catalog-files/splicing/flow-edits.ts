import { lineEnd, lineStart, nextLine } from '../formatting/gaps.ts'
import { doubleQuoted, scalarText } from '../formatting/scalar-text.ts'
import { writtenOf } from '../formatting/written.ts'
import { nodeForm } from '../node-table.ts'
import type { NewMember } from './block-edits.ts'
import { Unspliceable } from './edits.ts'
import type { Collection, Sheet, Spot } from './sheet.ts'
import { blankOf, flowText, lineIndent } from './value-edits.ts'

/** What becomes of a flow collection's members: the places that stay, and what is put in after each (-1: before all). */
export interface FlowChange {
  kept: readonly number[]
  added: ReadonlyMap<number, readonly NewMember[]>
}

/** Takes members out of a flow collection and puts others in; at least one stays. Commas go with them. */
export function changeFlow(sheet: Sheet, collection: Collection, { kept, added }: FlowChange): void {
  const { spots } = collection
  if (spots.some(({ start }) => start < 0) || kept.length === 0) throw new Unspliceable('nothing stays')
  const isKept = new Set(kept)
  const commas = spots.map(({ end }) => commaAfter(sheet, end))
  const lastKept = kept.at(-1)!
  const hasLastComma = commas.at(-1)! >= 0
  const addedLast = added.get(lastKept) ?? []
  let removed = 0
  for (const [place, spot] of spots.entries())
    if (!isKept.has(place)) removed = removeWithComma(sheet, spot, commas[place]!, removed)
  if (lastKept < spots.length - 1 && !hasLastComma && addedLast.length === 0)
    sheet.replace(commas[lastKept]!, commas[lastKept]! + 1, '')
  for (const [after, members] of added) {
    if (after === lastKept) insertLast(sheet, collection, spots[after]!, commas[after]!, members, hasLastComma)
    else for (const member of members) insertBetween(sheet, collection, after, kept[0]!, commas, member)
  }
}

/** Puts the elements of a flow list into another order; the comments among them stay where they are, so there may be none. */
export function reorderFlow(sheet: Sheet, { spots }: Collection, order: readonly number[]): void {
  const { source } = sheet
  const between = spots.slice(1).map(({ start }, index) => source.slice(spots[index]!.end, start))
  if (between.some((text) => text.includes('#'))) throw new Unspliceable('comments stand between the elements')
  for (const [place, index] of order.entries()) {
    const [from, to] = [spots[place]!, spots[index]!]
    if (place !== index) sheet.replace(from.start, from.end, source.slice(to.start, to.end))
  }
}

/** The offset of the comma behind a member; -1 when there is none. */
function commaAfter({ source }: Sheet, end: number): number {
  let at = end
  for (;;) {
    while (/[ \t\r\n]/.test(source[at] ?? '')) at++
    if (source[at] !== '#') break
    at = lineEnd(source, at)
  }
  return source[at] === ',' ? at : -1
}

/** Takes a member away, nothing of it before `floor`; answers where what is left begins. */
function removeWithComma(sheet: Sheet, { start, end }: Spot, comma: number, floor: number): number {
  const { source } = sheet
  const sign = comma < 0 ? end : comma + 1
  const to = afterComment(source, sign)
  const hasComment = source.slice(sign, to).includes('#')
  const endsLine = /[\r\n]/.test(source[to] ?? '\n')
  const remove = (from: number, until: number) => {
    sheet.replace(Math.max(from, floor), until, '')
    return until
  }
  if (endsLine && sheet.startsLine(start)) return remove(lineStart(source, start), nextLine(source, to))
  if (comma >= 0 && !hasComment && !endsLine) return remove(start, to)
  let from = start
  while (/[ \t]/.test(source[from - 1] ?? '')) from--
  return remove(from, endsLine ? to : sign)
}

/** The offset after blanks and a comment on the same line. */
function afterComment(source: string, from: number): number {
  let at = from
  while (source[at] === ' ' || source[at] === '\t') at++
  return source[at] === '#' ? lineEnd(source, at) : at
}

function insertBetween(
  sheet: Sheet,
  collection: Collection,
  after: number,
  firstKept: number,
  commas: readonly number[],
  member: NewMember,
): void {
  const entry = entryText(sheet, collection, member)
  if (after < 0) {
    const { start } = collection.spots[firstKept]!
    const gap = sheet.startsLine(start) ? sheet.lineBreak + lineIndent(sheet, start) : gapOf(sheet, collection)
    sheet.insert(start, `${entry},${gap}`)
    return
  }
  const [at, gap] = placeAfter(sheet, collection, collection.spots[after]!, commas[after]! + 1)
  sheet.insert(at, `${gap}${entry},`)
}

function insertLast(
  sheet: Sheet,
  collection: Collection,
  spot: Spot,
  comma: number,
  members: readonly NewMember[],
  hasLastComma: boolean,
): void {
  if (comma < 0) sheet.insert(spot.end, ',')
  const [at, gap] = placeAfter(sheet, collection, spot, comma < 0 ? spot.end : comma + 1)
  const entries = members.map((member) => gap + entryText(sheet, collection, member)).join(',')
  sheet.insert(at, hasLastComma ? `${entries},` : entries)
}

/** Where the member after another begins, past a comment on that line, and the blanks before it. */
function placeAfter(sheet: Sheet, collection: Collection, { start }: Spot, from: number): [at: number, gap: string] {
  const { source } = sheet
  const startsLine = sheet.startsLine(start)
  const to = afterComment(source, from)
  const hasComment = source.slice(from, to).includes('#')
  if (!hasComment && !startsLine) return [from, gapOf(sheet, collection)]
  const indent = startsLine ? lineIndent(sheet, start) : ' '.repeat(sheet.columnOf(start))
  return [hasComment ? to : from, sheet.lineBreak + indent]
}

/** The blanks behind a comma, as the collection has them. */
function gapOf(sheet: Sheet, { spots }: Collection): string {
  const [first, second] = spots
  const gap = second && /,([ \t]*)$/.exec(sheet.source.slice(first!.end, second.start))
  return gap?.[1] ?? blankOf(sheet)
}

function entryText(sheet: Sheet, { spots, isList }: Collection, { name, value }: NewMember): string {
  const sibling = spots[0]!
  const text = flowText(sheet, writtenOf(value), { spot: sibling })
  if (isList) return text
  const isQuoted = sheet.isJson || sheet.table.form[sibling.key] === nodeForm.doubleQuoted
  return `${isQuoted ? doubleQuoted(name) : scalarText(name, true)}:${blankOf(sheet)}${text}`
}
