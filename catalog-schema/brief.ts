import { itemSchemas, type Kind } from './order.ts'

interface Schema {
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  default?: unknown
  required?: readonly string[]
}

/** The item as a directory holds it: nulls, empty lists and defaults left out. */
export const briefItem = (kind: Kind, item: object) =>
  briefValue(itemSchemas[kind] as Schema, item) as Record<string, unknown>

/** The value as a directory holds it where its schema stands. */
export function briefValue(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => briefValue(schema.items ?? {}, entry))
  if (typeof value !== 'object' || value === null) return value
  const isMap = schema.properties === undefined
  const entries = Object.entries(value).flatMap(([name, field]) => {
    const inner = schema.properties?.[name] ?? mapped(schema)
    if (!isMap && !schema.required?.includes(name) && isNothing(inner, field)) return []
    return [[name, briefValue(inner, field)] as const]
  })
  return Object.fromEntries(entries)
}

/** Whether leaving the field out says the same on create. */
function isNothing(schema: Schema, value: unknown): boolean {
  if (value === null || value === undefined || value === schema.default) return true
  if (Array.isArray(value)) return value.length === 0
  return isEmptyMap(value) && isEmptyMap(schema.default)
}

const mapped = (schema: Schema) => (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {})
const isEmptyMap = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0
