import { isObject } from '../json-objects.ts'
import type { Canvas } from './canvas.ts'
import { stackedTable } from './stacking.ts'

/** A field of a JSON Schema: its dotted path (`[]` for each item of a list), what it holds, and what it means. */
interface SchemaField {
  path: string
  holds: string
  description: string
}

/** The fields of an object's schema, each with those inside it below. What a schema of somebody else may say besides is left out. */
function schemaFields(schema: Record<string, unknown>, path = '', depth = 0): SchemaField[] {
  // A schema of whoever answered: it may nest without end.
  if (depth > 8) return []
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  return properties.flatMap(([name, inner]) => {
    if (!isObject(inner)) return []
    const own = path === '' ? name : `${path}.${name}`
    const items = isObject(inner.items) ? schemaFields(inner.items, `${own}[]`, depth + 1) : []
    const description = typeof inner.description === 'string' ? inner.description : ''
    return [{ path: own, holds: holdsWords(inner), description }, ...schemaFields(inner, own, depth + 1), ...items]
  })
}

/** The fields of a JSON Schema as a table, those inside others by dotted paths. */
export const schemaFieldLines = (schema: Record<string, unknown>, canvas: Canvas): string[] =>
  stackedTable(
    ['FIELD', 'HOLDS', 'MEANING'],
    schemaFields(schema).map(({ path, holds, description }) => ({
      cells: [path, holds, description],
      head: path,
      below: [description, holds],
    })),
    canvas,
  )

function holdsWords(schema: Record<string, unknown>): string {
  const types = [schema.type].flat().filter((type) => typeof type === 'string')
  const named = typeof schema.format === 'string' ? schema.format : types.find((type) => type !== 'null')
  const words =
    'const' in schema ? JSON.stringify(schema.const) : Array.isArray(schema.enum) ? schema.enum.join(' | ') : named
  return [words, types.includes('null') ? 'null' : undefined].filter((word) => word !== undefined).join(' or ')
}
