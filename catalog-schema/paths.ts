import { memberName } from './form.ts'
import { itemSchemas, type Kind } from './order.ts'

/** A name as a segment of a path (RFC 6901 §3): `~` is `~0`, `/` is `~1`. */
export const pathSegment = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
const readSegment = (text: string) => text.replaceAll('~1', '/').replaceAll('~0', '~')

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  'x-named-by'?: string[]
}

/**
 * The RFC 6901 pointer (list members by index) for a path whose list members are named, within the item as it was
 * written; as far as the path leads there.
 */
export function pointerOf(kind: Kind, item: unknown, path: string): string {
  let schema: Schema | undefined = itemSchemas[kind] as Schema
  let value = item
  let pointer = ''
  for (const raw of path.split('/').slice(1)) {
    const name = readSegment(raw)
    const namedBy: string[] | undefined = schema?.['x-named-by']
    if (Array.isArray(value)) {
      const index: number = namedBy
        ? value.findIndex((member) => memberName(namedBy, member as Record<string, unknown>) === name)
        : Number(name)
      if (!(index in value)) return pointer
      pointer += `/${index}`
      value = value[index]
      schema = schema?.items
    } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, name)) {
      pointer += `/${raw}`
      value = (value as Record<string, unknown>)[name]
      schema = schema?.properties?.[name]
    } else return pointer
  }
  return pointer
}
