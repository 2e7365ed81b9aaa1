import { itemSchemas, kindOfSection, type Section } from '../../catalog-schema/order.ts'
import { pointerNames } from './locating.ts'

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  'x-text'?: boolean
}

/** Whether the field at a pointer into a catalog file keeps numbers and booleans as text. */
export const keepsText = (pointer: string): boolean => fieldAt(pointer)?.['x-text'] === true

/** Whether the field at a pointer into a catalog file holds text, be it that numbers are refused there or kept as text. */
export function holdsText(pointer: string): boolean {
  const field = fieldAt(pointer)
  const types = [field?.type ?? []].flat()
  return field?.['x-text'] === true || (types.includes('string') && types.every((type) => textTypes.has(type)))
}

const textTypes = new Set(['string', 'null'])

function fieldAt(pointer: string): Schema | undefined {
  const [, section = '', inner = ''] = /^\/([^/]+)\/\d+(.*)$/.exec(pointer) ?? []
  if (!Object.hasOwn(kindOfSection, section)) return undefined
  let schema: Schema | undefined = itemSchemas[kindOfSection[section as Section]] as Schema
  for (const name of pointerNames(inner)) {
    const others: boolean | Schema | undefined = schema?.additionalProperties
    schema = schema?.items ?? schema?.properties?.[name] ?? (typeof others === 'object' ? others : undefined)
  }
  return schema
}
