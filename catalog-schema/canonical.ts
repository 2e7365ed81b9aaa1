import { type Change, completeValue, type Form, formOf, type Notes, nameOf, pathOf } from './form.ts'
import { itemSchemas, type Kind, kinds } from './order.ts'

export { briefItem } from './brief.ts'

type Item = Record<string, unknown>

const forms = Object.fromEntries(kinds.map((kind) => [kind, formOf(itemSchemas[kind])])) as Record<Kind, Form>

/** The item with every field present, in schema order, named members in canonical order: what an export on the wire holds. */
export const canonicalItem = (kind: Kind, item: object) => completeValue(forms[kind], item) as Item

/**
 * What a snapshot's item makes of the environment's (undefined: there is none): the stored item itself when nothing
 * differs. Beside it the paths of members that only the environment has, and of members given more than once.
 */
export function mergeItem(kind: Kind, before: object | undefined, given: object) {
  const kept: string[] = []
  const repeated: { path: string; name: string }[] = []
  const notes: Notes = {
    kept: (place) => kept.push(pathOf(place)),
    repeated: (place) => repeated.push({ path: pathOf(place), name: nameOf(place) }),
  }
  const after = forms[kind].merge(before, given, undefined, notes) as Item
  return { after, kept, repeated }
}

/** The field-by-field changes from one canonical item to another. */
export function changesBetween(kind: Kind, before: object, after: object): Change[] {
  const changes: Change[] = []
  if (before !== after) forms[kind].changes(before, after, '', (change) => changes.push(change))
  return changes
}
