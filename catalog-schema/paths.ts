import { memberName, readPathSegment } from './member-names.ts'
import { itemSchemas, type Kind } from './order.ts'

interface Schema {
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  'x-named-by'?: string[]
}

type Fields = Record<string, unknown>

/**
 * The RFC 6901 pointer (list members by index) for a path whose list members are named, within the item as it was
 * written; as far as the path leads there, and on to a field that could be written where it ends.
 */
export function pointerOf(kind: Kind, item: unknown, path: string): string {
  return followPath(kind, item, path, 0)
}

/** The pointer of the second member of the name at which a path ends, of a list that has it twice; undefined when it has one. */
export function repeatedPointerOf(kind: Kind, item: unknown, path: string): string | undefined {
  const first = pointerOf(kind, item, path)
  const listEnd = first.lastIndexOf('/')
  const second = followPath(kind, item, path, Number(first.slice(listEnd + 1)) + 1)
  return second.startsWith(first.slice(0, listEnd + 1)) && second !== first ? second : undefined
}

/** Where the path ends at a member of a list, the first such member from the given place on. */
function followPath(kind: Kind, item: unknown, path: string, from: number): string {
  let schema: Schema | undefined = itemSchemas[kind] as Schema
  let value = item
  let pointer = ''
  const segments = path.split('/').slice(1)
  for (const [index, segment] of segments.entries()) {
    const name = readPathSegment(segment)
    if (Array.isArray(value)) {
      const start = index === segments.length - 1 ? from : 0
      const place: number = placeOf(value as Fields[], schema?.['x-named-by'], name, start)
      if (place < 0) return pointer
      pointer += `/${place}`
      value = value[place]
      schema = schema?.items
    } else if (typeof value !== 'object' || value === null) return pointer
    else if (Object.hasOwn(value, name)) {
      pointer += `/${segment}`
      value = (value as Fields)[name]
      schema = schema?.properties?.[name] ?? innerOf(schema)
    } else {
      const isUnwritten = index === segments.length - 1 && Object.hasOwn(schema?.properties ?? {}, name)
      return isUnwritten ? `${pointer}/${segment}` : pointer
    }
  }
  return pointer
}

/** Whether an item, as it was written, says anything at a path: a value, if only null. */
export function isWritten(kind: Kind, item: unknown, path: string): boolean {
  const pointer = pointerOf(kind, item, path)
  if (pointer.split('/').length !== path.split('/').length) return false
  const names = pointer.split('/').slice(1).map(readPathSegment)
  const value = names.reduce<unknown>((at, name) => (at as Fields | undefined)?.[name], item)
  return value !== undefined
}

/** Where the named member stands in its list, or the one member that names nothing (the sole member's line); -1 when nowhere. */
function placeOf(list: readonly Fields[], namedBy: readonly string[] | undefined, name: string, from: number): number {
  if (!namedBy) return /^(0|[1-9]\d{0,8})$/.test(name) && Number(name) < list.length ? Number(name) : -1
  const find = (wanted: string) =>
    list.findIndex((member, index) => index >= from && memberName(namedBy, member) === wanted)
  const named = find(name)
  return named >= 0 ? named : find('')
}

const innerOf = (schema: Schema | undefined) =>
  typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
