import { nextLine } from '../formatting/gaps.ts'
import { printMembers } from '../formatting/printing.ts'
import { noComments, type Written, writtenCollection, writtenOf } from '../formatting/written.ts'
import { Unspliceable } from './edits.ts'
import type { Collection, Sheet, Spot } from './sheet.ts'

/** A member to be put in: its name (in a mapping) and value, and whether a blank line is to set it apart. */
export interface NewMember {
  name: string
  value: unknown
  isApart?: boolean
}

/**
 * Puts members into a block collection, below the one at `after` (below none: above the first), indented as their
 * siblings are. `floor` is where the collection's own lines begin.
 */
export function insertIntoBlock(
  sheet: Sheet,
  { spots, isList }: Collection,
  after: Spot | undefined,
  added: readonly NewMember[],
  floor: number,
): void {
  const first = spots[0]!
  const column = sheet.columnOf(first.start)
  const style = sheet.indentation
  const entries = added.map(({ name, value, isApart }) => {
    const lines: string[] = []
    const one: Written = writtenCollection(isList, [{ name, lead: noComments, written: writtenOf(value) }])
    printMembers(one, column, style, lines)
    return { lines, isApart }
  })
  const text = (lines: readonly string[]) => lines.map((line) => line + sheet.lineBreak).join('')
  if (after !== undefined) {
    const at = sheet.afterMember(after, column)
    for (const { lines, isApart } of entries) sheet.insert(at, text(isApart ? ['', ...lines] : lines))
  } else if (sheet.startsLine(first.start)) {
    const at = sheet.leadStart(first.start, floor)
    for (const { lines, isApart } of entries) sheet.insert(at, text(isApart ? [...lines, ''] : lines))
  } else if (!isList) {
    const pad = ' '.repeat(column)
    for (const { lines } of entries) sheet.insert(first.start, text(lines).slice(column) + pad)
  } else throw new Unspliceable('a list inside a list has no line to put an element above')
}

/** Takes a member out of a block collection with its comments, and the blank lines above it where others are below. */
export function removeFromBlock(sheet: Sheet, spot: Spot, previous: Spot | undefined, floor: number): void {
  if (!sheet.startsLine(spot.start)) throw new Unspliceable('it shares its line with what is around it')
  const { source } = sheet
  const column = sheet.columnOf(spot.start)
  const bound = previous === undefined ? floor : Math.max(floor, nextLine(source, previous.end))
  const to = sheet.afterMember(spot, column)
  let from = sheet.leadStart(spot.start, bound)
  const isBlankBelow = to >= source.length || /^[ \t]*[\r\n]/.test(source.slice(to, to + 200))
  const blanks = /(?:(?<=[\r\n]|^)[ \t]*(?:\r\n|\n|\r))+$/.exec(source.slice(Math.max(bound, from - 200), from))
  if (isBlankBelow && blanks !== null) from -= blanks[0].length
  sheet.replace(from, to, '')
}

/** Puts the elements of a block list into another order, each with the comments above it. */
export function reorderBlock(sheet: Sheet, { spots }: Collection, order: readonly number[], floor: number): void {
  if (!spots.every(({ start }) => sheet.startsLine(start))) throw new Unspliceable('elements share a line')
  const column = sheet.columnOf(spots[0]!.start)
  const ends = spots.map((spot) => sheet.afterMember(spot, column))
  const starts = [sheet.leadStart(spots[0]!.start, floor), ...ends.slice(0, -1)]
  const text = order.map((index) => sheet.source.slice(starts[index], ends[index])).join('')
  sheet.replace(starts[0]!, ends.at(-1)!, text)
}
