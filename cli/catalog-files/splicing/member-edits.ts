import { nextLine } from '../formatting/gaps.ts'
import { insertIntoBlock, type NewMember, removeFromBlock, reorderBlock } from './block-edits.ts'
import { changeFlow, refillFlow, reorderFlow } from './flow-edits.ts'
import type { Collection, Sheet } from './sheet.ts'
import { replaceValue, type Standpoint } from './value-edits.ts'

/** A collection that is a value, and where its own lines begin at the earliest. */
export interface Held {
  at: Standpoint
  collection: Collection
}

/** Takes members out of a collection and puts others in, each after the one at a place (-1: before all). */
export function changeMembers(
  sheet: Sheet,
  { at, collection }: Held,
  kept: readonly number[],
  added: ReadonlyMap<number, readonly NewMember[]>,
): void {
  const { spots, isList, isFlow } = collection
  if (kept.length === spots.length && added.size === 0) return
  if (kept.length === 0) {
    const all = [...added.values()].flat()
    if (all.length > 0 && (isFlow ? refillFlow(sheet, collection, all) : refillBlock(sheet, { at, collection }, all)))
      return
    const value = isList
      ? all.map((member) => member.value)
      : Object.fromEntries(all.map((one) => [one.name, one.value]))
    replaceValue(sheet, at, value)
    return
  }
  const anchored = new Map<number, NewMember[]>()
  for (const [after, members] of added) {
    const anchor = kept.findLast((place) => place <= after) ?? -1
    anchored.set(anchor, [...(anchored.get(anchor) ?? []), ...members])
  }
  if (isFlow) changeFlow(sheet, collection, { kept, added: anchored })
  else changeBlock(sheet, { at, collection }, kept, anchored)
}

/** Puts members in the place of all that a block collection has; false where those do not begin a line. */
function refillBlock(sheet: Sheet, { at, collection }: Held, members: readonly NewMember[]): boolean {
  const [first, last] = [collection.spots[0]!, collection.spots.at(-1)!]
  if (!sheet.startsLine(first.start)) return false
  const floor = floorOf(sheet, at)
  const column = sheet.columnOf(first.start)
  insertIntoBlock(sheet, collection, undefined, members, floor)
  sheet.replace(sheet.leadStart(first.start, floor), sheet.afterMember(last, column), '')
  return true
}

function changeBlock(
  sheet: Sheet,
  { at, collection }: Held,
  kept: readonly number[],
  added: ReadonlyMap<number, readonly NewMember[]>,
): void {
  const { spots } = collection
  const floor = floorOf(sheet, at)
  const isKept = new Set(kept)
  for (const [place, spot] of spots.entries())
    if (!isKept.has(place)) removeFromBlock(sheet, spot, spots[place - 1], floor)
  const first = { ...collection, spots: [spots[kept[0]!]!] }
  for (const [anchor, members] of added) {
    const above = spots[kept[0]! - 1]
    const bound = above === undefined ? floor : Math.max(floor, nextLine(sheet.source, above.end))
    insertIntoBlock(sheet, anchor < 0 ? first : collection, spots[anchor], members, bound)
  }
}

/** Puts a list's elements into another order. */
export function reorderMembers(sheet: Sheet, { at, collection }: Held, order: readonly number[]): void {
  if (collection.isFlow) reorderFlow(sheet, collection, order)
  else reorderBlock(sheet, collection, order, floorOf(sheet, at))
}

/** The first line that may belong to a value's members: the one after its key's. */
const floorOf = (sheet: Sheet, { spot }: Standpoint) => (spot.sign < 0 ? 0 : nextLine(sheet.source, spot.sign))
