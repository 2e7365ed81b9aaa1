import { hoverText } from './field-shapes.ts'
import { itemSchemas, type Kind, kinds, sectionOf } from './order.ts'
import { CatalogFileSchema, SnapshotSchema } from './snapshot-schema.ts'

type Schema = Record<string, unknown>

/** The JSON Schema (draft 2020-12) of a catalog file: what editors complete, explain and check. */
export const catalogFileJsonSchema = () =>
  documentSchema('urn:licet:schema:catalog-file:1.0', 'licet catalog file', CatalogFileSchema)

/** The JSON Schema (draft 2020-12) of a whole snapshot, as compare and import take it. */
export const snapshotJsonSchema = () =>
  documentSchema('urn:licet:schema:snapshot:1.0', 'licet catalog snapshot', SnapshotSchema)

function documentSchema($id: string, title: string, schema: object): Schema {
  const { properties, ...rest } = standard(schema as Schema) as { properties: Record<string, Schema> } & Schema
  const sections = kinds.map((kind) => [
    sectionOf[kind],
    { ...properties[sectionOf[kind]], items: { $ref: `#/$defs/${kind}` } },
  ])
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id,
    title,
    ...Object.fromEntries(Object.entries(rest).filter(([keyword]) => keyword !== '$schema' && keyword !== 'title')),
    properties: { ...properties, ...(Object.fromEntries(sections) as object) },
    $defs: Object.fromEntries(kinds.map((kind: Kind) => [kind, standard({ ...itemSchemas[kind] })])),
  }
}

/** The schema in standard keywords alone, told for hovering: what our own say beyond them is left to the checker. */
function standard(schema: Schema): Schema {
  const plain = Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !keyword.startsWith('x-'))
      .map(([keyword, value]) => [
        keyword,
        keyword === 'description' ? hoverText(schema) : standardPart(keyword, value),
      ]),
  )
  return schema['x-number'] ? numberSchema(schema, plain) : plain
}

function standardPart(keyword: string, value: unknown): unknown {
  if (keyword === 'properties')
    return Object.fromEntries(
      Object.entries(value as Record<string, Schema>).map(([name, inner]) => [name, standard(inner)]),
    )
  const isSchema = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isSchema && ['items', 'additionalProperties', 'propertyNames'].includes(keyword)
    ? standard(value as Schema)
    : value
}

/** A number, or a string that holds nothing but one. */
function numberSchema(schema: Schema, { type, pattern, ...rest }: Schema): Schema {
  const bounds = {
    ...(schema['x-minimum'] === undefined ? {} : { minimum: schema['x-minimum'] }),
    ...(schema['x-below'] === undefined ? {} : { exclusiveMaximum: schema['x-below'] }),
  }
  const number =
    schema['x-number'] === 'int32'
      ? { type: 'integer', minimum: -2147483648, maximum: 2147483647, ...bounds }
      : { type: 'number', ...bounds }
  const none = (type as string[]).includes('null') ? [{ type: 'null' }] : []
  return { ...rest, anyOf: [number, { type: 'string', pattern }, ...none] }
}
