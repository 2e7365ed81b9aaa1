import { briefValue } from '../../../catalog-schema/brief.ts'
import { sameValue } from '../../../catalog-schema/form.ts'
import { byName, memberIdentity } from '../../../catalog-schema/member-names.ts'
import { foldTagName } from '../../../catalog-schema/tag-names.ts'
import type { NewMember } from './block-edits.ts'
import { changeByIdentity, changeByValue, type ListChange } from './list-changes.ts'
import { changeMembers, reorderMembers } from './member-edits.ts'
import type { Sheet, Spot } from './sheet.ts'
import { replaceValue, type Standpoint } from './value-edits.ts'

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  'x-named-by'?: readonly string[]
  'x-keeps-order'?: boolean
  'x-tags'?: boolean
  'x-map'?: boolean
}

type Fields = Record<string, unknown>

/** A value in three forms: as it was given (scalars canonical), its canonical form, and the canonical form it is to have. */
export interface Wish {
  given: unknown
  held: unknown
  wanted: unknown
}

/** Writes what is put in: whole, or without what is left out in a directory. */
export interface ItemEditing {
  sheet: Sheet
  full: boolean
}

/** Edits a value so that it reads as wanted, touching only what differs. */
export function editValue(editing: ItemEditing, schema: Schema, at: Standpoint, wish: Wish): void {
  const { given, held, wanted } = wish
  if (sameValue(held, wanted) && !editing.full) return
  const isWritten = typeof given === 'object' && given !== null && Object.keys(given).length > 0
  const isWanted = typeof wanted === 'object' && wanted !== null && Object.keys(wanted).length > 0
  if (!isWritten || !isWanted) {
    if (!sameValue(held, wanted)) replaceValue(editing.sheet, at, inFile(editing, schema, wanted))
  } else if (Array.isArray(given)) editList(editing, schema, at, wish)
  else if (schema['x-map']) editMap(editing, schema, at, wish)
  else editFields(editing, schema, at, wish)
}

const inFile = ({ full }: ItemEditing, schema: Schema, value: unknown) => (full ? value : briefValue(schema, value))

function heldAt({ sheet }: ItemEditing, at: Standpoint) {
  const collection = sheet.collection(at.spot.value, at.inFlow)
  const first = collection.spots[0]!
  const column = collection.isFlow ? 0 : sheet.columnOf(first.start)
  const within = (spot: Spot): Standpoint => ({ spot, inFlow: collection.isFlow, column })
  return { at, collection, within }
}

function editFields(editing: ItemEditing, schema: Schema, at: Standpoint, wish: Wish): void {
  const [given, held, wanted] = [wish.given as Fields, wish.held as Fields, wish.wanted as Fields]
  const here = heldAt(editing, at)
  const { spots } = here.collection
  const places = new Map(spots.map(({ name }, place) => [name, place]))
  const added = new Map<number, NewMember[]>()
  let last = -1
  for (const [name, inner] of Object.entries(schema.properties!)) {
    const place = places.get(name)
    if (place !== undefined) {
      last = place
      const field = { given: given[name], held: held[name], wanted: wanted[name] }
      editValue(editing, inner, here.within(spots[place]!), field)
    } else if ((editing.full && !Object.hasOwn(given, name)) || !sameValue(held[name], wanted[name])) {
      const value = inFile(editing, inner, wanted[name])
      added.set(last, [...(added.get(last) ?? []), { name, value }])
    }
  }
  changeMembers(editing.sheet, here, [...spots.keys()], added)
}

function editMap(editing: ItemEditing, schema: Schema, at: Standpoint, wish: Wish): void {
  const [given, held, wanted] = [wish.given as Fields, wish.held as Fields, wish.wanted as Fields]
  const inner = schema.additionalProperties as Schema
  const here = heldAt(editing, at)
  const { spots } = here.collection
  const names = Object.keys(wanted).sort(byName)
  const change = changeByIdentity(
    spots.map(({ name }) => name),
    names,
    false,
  )
  for (const place of change.kept) {
    const { name } = spots[place]!
    const field = { given: given[name], held: held[name], wanted: wanted[name] }
    editValue(editing, inner, here.within(spots[place]!), field)
  }
  const added = addedMembers(change, (index) => ({
    name: names[index]!,
    value: inFile(editing, inner, wanted[names[index]!]),
  }))
  changeMembers(editing.sheet, here, change.kept, added)
}

function editList(editing: ItemEditing, schema: Schema, at: Standpoint, wish: Wish): void {
  const [given, held, wanted] = [wish.given as unknown[], wish.held as unknown[], wish.wanted as unknown[]]
  const inner = schema.items ?? {}
  const identify = identityIn(schema)
  const isOrdered = schema['x-keeps-order'] === true
  const change =
    identify === undefined
      ? changeByValue(held, wanted)
      : changeByIdentity(given.map(identify), wanted.map(identify), isOrdered)
  const heldBy = identify === undefined ? undefined : new Map(held.map((member) => [identify(member), member]))
  const here = heldAt(editing, at)
  const { spots } = here.collection
  for (const [place, index] of change.becomes) {
    if (schema['x-tags']) continue
    // One that is given a name by the files alone is held without.
    const before =
      identify === undefined ? held[place] : (heldBy!.get(identify(given[place])) ?? heldBy!.get(identify({})))
    editValue(editing, inner, here.within(spots[place]!), { given: given[place], held: before, wanted: wanted[index] })
  }
  const inOrder = change.kept.toSorted((a, b) => a - b)
  const added = addedMembers(change, (index) => ({ name: '', value: inFile(editing, inner, wanted[index]) }))
  const editsBefore = editing.sheet.edits.length
  changeMembers(editing.sheet, here, inOrder, added)
  const isMoved = change.kept.some((place, index) => place !== inOrder[index])
  const isSettled = editing.sheet.edits.length === editsBefore && sameMembersIn(wish, identify)
  if (isMoved && isSettled) reorderMembers(editing.sheet, here, change.kept)
}

/** Whether two lists hold the same members, order aside: only then are they moved, which is the last thing that is done. */
function sameMembersIn({ held, wanted }: Wish, identify: ((member: unknown) => string) | undefined): boolean {
  if (identify === undefined) return false
  const [before, after] = [held as unknown[], wanted as unknown[]]
  const wantedBy = new Map(after.map((member) => [identify(member), member]))
  return before.length === after.length && before.every((member) => sameValue(member, wantedBy.get(identify(member))))
}

function identityIn(schema: Schema): ((member: unknown) => string) | undefined {
  const namedBy = schema['x-named-by']
  if (namedBy !== undefined) return (member) => memberIdentity(namedBy, member as Fields)
  return schema['x-tags'] ? (name) => foldTagName(String(name)) : undefined
}

function addedMembers(change: ListChange, make: (index: number) => NewMember): Map<number, NewMember[]> {
  return new Map([...change.added].map(([after, indexes]) => [after, indexes.map(make)]))
}
