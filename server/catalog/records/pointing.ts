import { memberName, readPathSegment } from '../../../catalog-schema/member-names.ts'
import { itemSchemas, type Kind } from '../../../catalog-schema/order.ts'

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  'x-named-by'?: readonly string[]
}

/**
 * Where in a list's own order a rule's path points: segments that name members become their positions. `item` is what
 * the request says in the snapshot's shape, its lists in the request's order.
 */
export function positionIn(kind: Kind, item: object, path: string): string {
  let schema = itemSchemas[kind] as unknown as Schema | undefined
  let value: unknown = item
  const segments = path.split('/').slice(1)
  const placed = segments.map((segment) => {
    const name = readPathSegment(segment)
    if (!Array.isArray(value)) {
      value = (value as Record<string, unknown> | undefined)?.[name]
      schema = schema?.properties?.[name]
      return segment
    }
    const namedBy = schema?.['x-named-by']
    const found = namedBy
      ? value.findIndex((member: Record<string, unknown>) => memberName(namedBy, member) === name)
      : -1
    const index = namedBy ? found : Number(name)
    value = value[index]
    schema = schema?.items
    return index < 0 ? segment : String(index)
  })
  return placed.map((segment) => `/${segment}`).join('')
}
