import { type Change, type Form, formOf } from './form.ts'
import { itemSchemas, type Kind, kinds } from './order.ts'

const forms = Object.fromEntries(kinds.map((kind) => [kind, formOf(itemSchemas[kind])])) as Record<Kind, Form>

/** The item with every field present, in schema order, named members in canonical order: what an export on the wire holds. */
export const canonicalItem = (kind: Kind, item: object) => forms[kind].complete(item) as Record<string, unknown>

/** What a snapshot's item makes of the environment's (undefined: there is none), and the paths of members that only the environment has. */
export function mergeItem(kind: Kind, before: object | undefined, given: object) {
  const kept: string[] = []
  const after = forms[kind].merge(before, given, '', (path) => kept.push(path)) as Record<string, unknown>
  return { after, kept }
}

/** The field-by-field changes from one canonical item to another. */
export function changesBetween(kind: Kind, before: object, after: object): Change[] {
  const changes: Change[] = []
  forms[kind].changes(before, after, '', (change) => changes.push(change))
  return changes
}

/** The item as a directory holds it: nulls, empty lists and defaults left out. */
export function briefItem(kind: Kind, item: object): Record<string, unknown> {
  return brief(itemSchemas[kind] as Schema, item) as Record<string, unknown>
}

interface Schema {
  properties?: Record<string, Schema>
  additionalProperties?: Schema
  items?: Schema
  default?: unknown
  required?: string[]
}

function brief(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => brief(schema.items ?? {}, entry))
  if (typeof value !== 'object' || value === null) return value
  const kept: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) {
    const inner = schema.properties?.[name] ?? schema.additionalProperties ?? {}
    const isDefault = field === null || field === inner.default || (Array.isArray(field) && field.length === 0)
    if (isDefault && !schema.required?.includes(name)) continue
    const shortened = brief(inner, field)
    if (inner.default !== undefined && isEmptyMap(shortened) && isEmptyMap(inner.default)) continue
    kept[name] = shortened
  }
  return kept
}

const isEmptyMap = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0
