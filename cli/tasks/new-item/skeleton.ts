import { type FieldSchema, shapeWords } from '../../../catalog-schema/field-shapes.ts'
import { innerFields } from '../../../catalog-schema/fields.ts'
import { itemSchemas, type Kind } from '../../../catalog-schema/order.ts'
import { type Scalar, scalarText } from '../../catalog-files/formatting/scalar-text.ts'
import { wrapWords } from '../../fitting.ts'

const width = 100

/**
 * An item of a section as YAML lines: the fields that have a value are written, every other one is there as a comment
 * that can be taken away, each below what it means.
 */
export function skeletonLines(kind: Kind, values: Record<string, unknown>): string[] {
  return asMember(objectLines(itemSchemas[kind] as FieldSchema, values))
}

/** The lines of an object as a list's member: the first field that is written stands behind the dash, what explains it above. */
function asMember(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => !line.startsWith('#'))
  return lines.map((line, at) => (at < first ? line : at === first ? `- ${line}` : `  ${line}`))
}

function objectLines(schema: FieldSchema, values: Record<string, unknown>): string[] {
  const { properties } = innerFields(schema)
  const names = Object.keys(properties)
  // Comments of fields that are left out may stand before the first dash only if they would not belong to the item before.
  const leading = names.findIndex((name) => name in values)
  const ordered = [...names.slice(leading, leading + 1), ...names.slice(0, leading), ...names.slice(leading + 1)]
  return ordered.flatMap((name) => fieldLines(name, properties[name]!, values[name]))
}

function fieldLines(name: string, schema: FieldSchema, value: unknown): string[] {
  const meaning = wrapWords(schema.description ?? '', width, '# ')
  if (value === undefined) return [...meaning, `# ${name}: ${exampleText(schema)}`]
  if (Array.isArray(value)) {
    const members = value.flatMap((member) => asMember(objectLines(schema, member)))
    return [...meaning, `${name}:`, ...members.map((line) => `  ${line}`)]
  }
  return [...meaning, `${name}: ${scalarText(value as Scalar)}`]
}

/** A value that the field takes: its example, its default, a choice, or the least that its shape asks for; on one line. */
function exampleText(schema: FieldSchema): string {
  const [example] = schema.examples ?? []
  const isNone = schema.default === undefined || schema.default === null
  return flowText(example ?? (isNone ? leastOf(schema) : schema.default))
}

function leastOf(schema: FieldSchema): unknown {
  const { properties, required } = innerFields(schema)
  if (schema.enum) return schema.enum[0]
  const types = [schema.type ?? []].flat()
  if (types.includes('object'))
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name))
        .map(([name, inner]) => [name, inner.examples?.[0] ?? leastOf(inner)]),
    )
  if (schema['x-number']) return 0
  if (/date-time/.test(shapeWords(schema))) return '2027-01-01T00:00:00Z'
  return schema['x-pattern-words']?.includes('UUID') ? '00000000-0000-4000-8000-000000000000' : '…'
}

function flowText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return scalarText(value as Scalar, true)
  const entries = Object.entries(value).map(([name, inner]) => `${name}: ${flowText(inner)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}
