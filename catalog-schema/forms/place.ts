import { memberName, pathSegment } from '../member-names.ts'

/** Where a value stands in an item: a step below another place, or below the item itself. Its text is only made when somebody asks. */
export type Place = { above: Place | undefined } & (
  | { field: string }
  | { index: number }
  | { member: Readonly<Record<string, unknown>>; namedBy: readonly string[] }
)

/** A place as an RFC 6901 pointer whose segments are names. */
export function pathOf(place: Place): string {
  const segments: string[] = []
  for (let at: Place | undefined = place; at; at = at.above) segments.unshift(pathSegment(nameOf(at)))
  return `/${segments.join('/')}`
}

/** The last name on the way to a place. */
export function nameOf(place: Place): string {
  if ('field' in place) return place.field
  return 'index' in place ? String(place.index) : memberName(place.namedBy, place.member)
}
