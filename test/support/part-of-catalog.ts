import { itemSchemas, kinds, sectionOf } from '../../catalog-schema/order.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  required?: readonly string[]
  'x-named-by'?: readonly string[]
}
type Fields = Record<string, unknown>

/** A part of a snapshot: items, optional fields and named members left out here and there, as the numbers say. */
export function partOf(snapshot: Snapshot, numbers: readonly number[]): Snapshot {
  let next = 0
  const leavesOut = () => numbers[next++ % numbers.length]! % 4 === 0
  const thin = (schema: Schema, value: unknown): unknown => {
    if (Array.isArray(value)) {
      if (!schema['x-named-by']) return value
      return value.filter(() => !leavesOut()).map((member) => thin(schema.items ?? {}, member))
    }
    if (typeof value !== 'object' || value === null || !schema.properties) return value
    const named = schema.required ?? []
    return Object.fromEntries(
      Object.entries(value as Fields)
        .filter(([field]) => named.includes(field) || keys.has(field) || !leavesOut())
        .map(([field, inner]) => [field, thin(schema.properties![field] ?? {}, inner)]),
    )
  }
  const sections = kinds.map((kind) => {
    const items = (snapshot[sectionOf[kind]] ?? []).filter(() => !leavesOut())
    return [sectionOf[kind], items.map((item) => thin(itemSchemas[kind] as Schema, item))] as const
  })
  return { formatVersion: '1.0', ...(Object.fromEntries(sections) as object) }
}

/** Fields that make up natural keys and are optional by schema. */
const keys = new Set(['productCode', 'productVersion', 'version', 'parentProductCode', 'parentProductVersion'])
