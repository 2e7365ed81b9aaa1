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
  const gone = [...spots.keys()].filter((place) => !isKept.has(place))
  const above = gone.filter((place) => place < lastKept)
  const ranges = rangesOf(sheet, spots, commas, above)
  if (lastKept < spots.length - 1) {
    const comma = commas[lastKept]!
    if (!hasLastComma && addedLast.length === 0) sheet.replace(comma, comma + 1, '')
    const from = addedLast.length > 0 ? placeAfter(sheet, collection, spots[lastKept]!, comma + 1)[0] : comma + 1
    const below = rangesOf(sheet, spots, commas, gone.slice(above.length))
    ranges.push(...closedUp(sheet, below, from, sheet.table.end[collection.node]! - 1))
  }
  for (const { from, to } of ranges) sheet.replace(from, to, '')
  for (const [after, members] of added) {
    if (after === lastKept) insertLast(sheet, collection, spots[after]!, commas[after]!, members, hasLastComma)
    else for (const member of members) insertBetween(sheet, collection, after, kept[0]!, commas, member)
  }
}

/** Puts members in the place of all that a flow collection has, where comments among those stay; false where none do. */
export function refillFlow(sheet: Sheet, collection: Collection, members: readonly NewMember[]): boolean {
  const { node, spots } = collection
  const ranges = rangesOf(
    sheet,
    spots,
    spots.map(({ end }) => commaAfter(sheet, end)),
    [...spots.keys()],
  )
  const left = textsLeft(sheet, ranges, sheet.table.start[node]! + 1, sheet.table.end[node]! - 1)
  if (!left.some((text) => text.includes('#'))) return false
  const { from } = ranges[0]!
  const entries = members.map((member) => entryText(sheet, collection, member)).join(`,${gapOf(sheet, collection)}`)
  const takesLine = from < spots[0]!.start && sheet.startsLine(spots[0]!.start)
  sheet.insert(from, takesLine ? lineIndent(sheet, spots[0]!.start) + entries + sheet.lineBreak : entries)
  for (const range of ranges) sheet.replace(range.from, range.to, '')
  return true
}

/**
 * Puts the elements of a flow list into another order, each with the comment behind it. Which of them a comment elsewhere
 * is about is not guessed.
 */
export function reorderFlow(sheet: Sheet, { spots }: Collection, order: readonly number[]): void {
  const { source } = sheet
  const behind = spots.map(({ end }): Range => {
    const from = Math.max(end, commaAfter(sheet, end) + 1)
    return { from, to: afterComment(source, from) }
  })
  const isElsewhere = spots.some(({ end }, place) => {
    const next = spots[place + 1]?.start ?? 0
    return [source.slice(end, behind[place]!.from), source.slice(behind[place]!.to, next)].some((gap) =>
      gap.includes('#'),
    )
  })
  if (isElsewhere) throw new Unspliceable('comments stand elsewhere among the elements')
  const line = newLine(sheet, spots)
  const commentOf = (place: number) => source.slice(behind[place]!.from, behind[place]!.to).trimEnd()
  for (const [place, index] of order.entries()) {
    if (place === index) continue
    const [from, to] = [spots[place]!, spots[index]!]
    sheet.replace(from.start, from.end, source.slice(to.start, to.end))
    const [old, comment] = [commentOf(place), commentOf(index)]
    if (old === comment) continue
    const endsLine = /[\r\n]/.test(source[behind[place]!.to]!)
    sheet.replace(behind[place]!.from, behind[place]!.to, comment === '' || endsLine ? comment : comment + line)
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

interface Range {
  from: number
  to: number
}

/** What goes with the members at some places: commas, the comments behind them, and lines on which nothing else stands. */
function rangesOf(sheet: Sheet, spots: readonly Spot[], commas: readonly number[], places: readonly number[]): Range[] {
  const ranges: Range[] = []
  let start = 0
  for (const place of places) {
    const spot = spots[place]!
    const above = ranges.at(-1)
    // With blanks alone in between, members go as one, so that no line is left of blanks.
    if (above !== undefined && sheet.source.slice(above.to, spot.start).trim() === '') ranges.pop()
    else start = spot.start
    ranges.push(rangeOf(sheet, start, commas[place]! < 0 ? spot.end : commas[place]! + 1))
  }
  return ranges
}

/** What goes with the text between two offsets, of which the second is after a comma where there is one. */
function rangeOf(sheet: Sheet, start: number, end: number): Range {
  const { source } = sheet
  const to = afterComment(source, end)
  const endsLine = /[\r\n]/.test(source[to] ?? '\n')
  const startsLine = sheet.startsLine(start)
  if (endsLine && startsLine) return { from: lineStart(source, start), to: nextLine(source, to) }
  if (!endsLine && (startsLine || source[end - 1] === ',')) return { from: start, to }
  let from = start
  while (/[ \t]/.test(source[from - 1] ?? '')) from--
  return { from, to: endsLine ? to : end }
}

/**
 * What goes with a collection's last members, of which what is left ends at `from`: a bracket that stood behind the last
 * of them on its line comes to stand behind that, but for a comment in between, which would swallow the bracket.
 */
function closedUp(sheet: Sheet, ranges: readonly Range[], from: number, bracket: number): readonly Range[] {
  const left = textsLeft(sheet, ranges, from, bracket)
  if (left.some((text) => text.includes('#')) || sheet.startsLine(bracket)) return ranges
  return [{ from, to: from + sheet.source.slice(from, bracket).trimEnd().length }]
}

/** What is left between two offsets once some ranges there are gone. */
function textsLeft({ source }: Sheet, ranges: readonly Range[], from: number, end: number): string[] {
  const starts = [from, ...ranges.map(({ to }) => to)]
  return starts.map((start, index) => source.slice(start, ranges[index]?.from ?? end))
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
  const line = startsLine ? sheet.lineBreak + lineIndent(sheet, start) : newLine(sheet, collection.spots)
  return [hasComment ? to : from, line]
}

/** A line break and the indentation of the members: that of one that begins a line, else of the first. */
function newLine(sheet: Sheet, spots: readonly Spot[]): string {
  const like = spots.find(({ start }) => sheet.startsLine(start)) ?? spots[0]!
  return sheet.lineBreak + ' '.repeat(sheet.columnOf(like.start))
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
