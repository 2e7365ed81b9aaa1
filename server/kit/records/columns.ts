import { normalDuration } from '../../../catalog-schema/duration.ts'
import { isUuid } from '../../../catalog-schema/scalars.ts'
import type { ColumnField } from '../filter/fields.ts'
import { fromInstant, toInstant } from '../instants.ts'

type Form = 'text' | 'number' | 'flag' | 'instant' | 'json'
type Fields = Record<string, unknown>

/** How one field of an item is kept: in a column of its own, or (without one) outside the row, as tags and owners are. */
export interface StoredField {
  name: string
  column?: string
  form: Form
  /** What an absent object or list is kept as. */
  nullable: boolean
  schema: FieldSchema
}

interface FieldSchema {
  type?: string | string[]
  enum?: (string | null)[]
  pattern?: string
  'x-instant'?: boolean
  'x-number'?: string
  'x-duration'?: boolean
  'x-tags'?: boolean
}

/** How the fields of a kind are kept, in their order; `elsewhere` names those that no column of theirs holds. */
export function storedFields(fields: object, elsewhere: readonly string[] = []): StoredField[] {
  return Object.entries(fields as Record<string, FieldSchema>).map(([name, schema]) => ({
    name,
    ...(elsewhere.includes(name) || schema['x-tags'] ? {} : { column: columnOf(name) }),
    form: formOf(schema),
    nullable: typesOf(schema).includes('null'),
    schema,
  }))
}

/** The column that has a field of this name, unless it has another. */
export const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const typesOf = ({ type }: FieldSchema) => (Array.isArray(type) ? type : [type ?? 'object'])

function formOf(schema: FieldSchema): Form {
  const types = typesOf(schema)
  if (schema['x-instant']) return 'instant'
  if (schema['x-number']) return 'number'
  if (types.includes('boolean') && !types.includes('string')) return 'flag'
  return types.includes('array') || types.includes('object') ? 'json' : 'text'
}

/** The columns of a canonical item. */
export function toColumns(fields: readonly StoredField[], item: object): Fields {
  const row: Fields = {}
  for (const { name, column, form } of fields)
    if (column !== undefined) row[column] = toStored(form, (item as Fields)[name] ?? null)
  return row
}

function toStored(form: Form, value: unknown) {
  if (value === null) return null
  if (form === 'flag') return value ? 1 : 0
  if (form === 'instant') return fromInstant(value as string)
  return form === 'json' ? JSON.stringify(value) : value
}

/** The canonical item of a row, its fields in schema order; `elsewhere` has what the columns have not. */
export function fromColumns(fields: readonly StoredField[], row: object, elsewhere: object): Fields {
  const item: Fields = {}
  for (const { name, column, form } of fields)
    item[name] = column === undefined ? (elsewhere as Fields)[name] : fromStored(form, (row as Fields)[column] ?? null)
  return item
}

function fromStored(form: Form, value: unknown) {
  if (value === null) return null
  if (form === 'flag') return value === 1
  if (form === 'instant') return toInstant(value as number)
  if (form !== 'json') return value
  return value === '[]' ? [] : value === '{}' ? {} : JSON.parse(value as string)
}

/** The scalar fields that have a column, as a list of this table may be filtered and sorted by them. */
export function filterFieldsOf(table: string, fields: readonly StoredField[]): ColumnField[] {
  return fields.flatMap(({ name, column, form, nullable, schema }) => {
    if (column === undefined || form === 'json') return []
    return [{ name, column: `${table}.${column}`, nullable, ...filterTypeOf(form, schema) } as ColumnField]
  })
}

function filterTypeOf(form: Form, schema: FieldSchema) {
  if (form === 'flag') return { type: 'boolean' }
  if (form === 'instant') return { type: 'instant' }
  if (form === 'number') return { type: schema['x-number'] === 'int32' ? 'integer' : 'decimal' }
  if (schema['x-duration']) return { type: 'duration', canonical: normalDuration }
  if (schema.enum) return { type: 'enum', values: schema.enum.filter((value) => value !== null) }
  return isUuid(schema) ? { type: 'uuid' } : { type: 'text' }
}

/** The fields that every record has, under the names that its kind gives to its times. */
export function commonFilterFields(
  table: string,
  times: { created: string; updated: string } = { created: 'createdAt', updated: 'updatedAt' },
): ColumnField[] {
  const field = (name: string, column: string, type: 'uuid' | 'instant' | 'integer' | 'boolean') => ({
    name,
    column: `${table}.${column}`,
    nullable: false,
    type,
  })
  return [
    field('id', 'id', 'uuid'),
    field('isDeleted', 'is_deleted', 'boolean'),
    field(times.created, 'created_at', 'instant'),
    field(times.updated, 'updated_at', 'instant'),
    field('revisionNumber', 'revision_number', 'integer'),
  ]
}
