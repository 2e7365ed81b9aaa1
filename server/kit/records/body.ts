import { type Static, type TSchema, Type } from 'typebox'
import { canonicalItem } from '../../../catalog-schema/canonical.ts'
import type { Kind } from '../../../catalog-schema/order.ts'
import { isUuid } from '../../../catalog-schema/scalars.ts'
import { type FieldError, invalid } from '../problem.ts'

interface Schema {
  type?: string | string[]
  enum?: (string | null)[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  pattern?: string
  minLength?: number
  [keyword: string]: unknown
}

type FieldSchemas = Record<string, TSchema>
type Fields = Record<string, unknown>

/** What a request may say of these fields: each may be absent or null. */
export type Given<F extends FieldSchemas> = { [K in keyof F]?: Static<F[K]> | null }
type Clearing<C> = { [K in keyof C]?: boolean | null }
/** A field that a request clears, or one inside it: `balanceUsage.unit`. */
type Cleared<F> = (keyof F & string) | `${keyof F & string}.${string}`

/**
 * A request body of a record's fields. Null is read as absent wherever it stands, but in maps that have it as a value; an empty
 * text clears a text that may be none, and a field of `clears` set to true clears the field it names, which may be one inside another.
 */
export const bodyOf = <
  F extends FieldSchemas,
  R extends keyof F & string = never,
  C extends Record<string, Cleared<F>> = Record<never, never>,
>(
  fields: F,
  required: readonly R[] = [],
  clears?: C,
) =>
  Type.Unsafe<Given<Omit<F, R>> & { [K in R]: Static<F[K]> } & Clearing<C>>({
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(
        Object.entries(fields).map(([name, schema]) => [
          name,
          (required as readonly string[]).includes(name)
            ? orNullsInside(schema as Schema)
            : orCleared(schema as Schema),
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(clears ?? {}).map(([name, field]) => [
          name,
          { type: ['boolean', 'null'], description: `True makes ${field} null.` },
        ]),
      ),
    },
    required: [...required],
  })

/** The schema of what is merged into something stored: no field has a default, for one that is absent stays as it is. */
export const withoutDefaults = <T extends TSchema>(schema: T) => bare(schema as unknown as Schema) as unknown as T

function bare({ default: _default, ...schema }: Schema): Schema {
  if (schema.properties) schema.properties = mapFields(schema.properties, bare)
  if (schema.items) schema.items = bare(schema.items)
  if (typeof schema.additionalProperties === 'object') schema.additionalProperties = bare(schema.additionalProperties)
  return schema
}

const typesOf = ({ type }: Schema) => (Array.isArray(type) ? type : type === undefined ? [] : [type])

/** The schema with null accepted as absent, at this place and inside. */
const orNull = (schema: Schema): Schema => ({
  ...orNullsInside(schema),
  ...(typesOf(schema).length > 0 ? { type: [...new Set([...typesOf(schema), 'null'])] } : {}),
  ...(schema.enum ? { enum: [...new Set([...schema.enum, null])] } : {}),
})

function orNullsInside(schema: Schema): Schema {
  const inside = { ...schema }
  if (schema.properties) {
    const required = (schema.required as string[] | undefined) ?? []
    inside.properties = mapFields(schema.properties, (field, name) => (required.includes(name) ? field : orNull(field)))
  }
  if (schema.items) inside.items = orNullsInside(schema.items)
  if (typeof schema.additionalProperties === 'object') inside.additionalProperties = orNull(schema.additionalProperties)
  return inside
}

/** The schema with null as absent, and with the empty text where a text may be none. */
function orCleared(schema: Schema): Schema {
  const cleared = orNull(schema)
  if (schema.properties) cleared.properties = mapFields(schema.properties, orCleared)
  if (!isClearable(schema)) return cleared
  const { minLength: _minLength, ...rest } = cleared
  return schema.pattern === undefined ? rest : { ...rest, pattern: `^$|(?:${schema.pattern})` }
}

const mapFields = (fields: Record<string, Schema>, change: (field: Schema, name: string) => Schema) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field, name)]))

const notText = ['x-number', 'x-instant', 'x-duration', 'x-text', 'enum']

/** Whether the field is a text that may be none, which is what an empty text says of it. */
const isClearable = (schema: Schema) =>
  typesOf(schema).join() === 'string,null' && !notText.some((keyword) => keyword in schema) && !isUuid(schema)

/** What a body says: its fields without nulls, an emptied text or a cleared field as null. Throws for a field both given and cleared. */
export function readBody(fields: FieldSchemas, body: object, clears: Record<string, string> = {}): Fields {
  const given: Fields = {}
  const errors: FieldError[] = []
  for (const [name, value] of Object.entries(body)) {
    if (value === null || name in clears) continue
    given[name] = readField((fields[name] ?? {}) as Schema, value)
  }
  for (const [sentinel, path] of Object.entries(clears)) {
    const [outer, inner] = path.split('.') as [string, string?]
    // What is inside goes with what holds it.
    if ((body as Fields)[sentinel] !== true || (inner !== undefined && given[outer] === null)) continue
    const holder = inner === undefined ? given : { ...(given[outer] as Fields | undefined) }
    const name = inner ?? outer
    if (name in holder) errors.push({ pointer: `/${sentinel}`, message: `"${path}" is given too; say one of the two` })
    holder[name] = null
    if (inner !== undefined) given[outer] = holder
  }
  if (errors.length > 0) throw invalid(errors)
  return given
}

function readField(schema: Schema, value: unknown): unknown {
  if (value === '' && isClearable(schema)) return null
  if (isMapOfNulls(schema)) return value
  if (!schema.properties || typeof value !== 'object' || value === null) return withoutNulls(value)
  const entries = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(entries.map(([name, field]) => [name, readField(schema.properties![name] ?? {}, field)]))
}

/** Whether null is a value of the map, and no entry that is absent. */
const isMapOfNulls = ({ additionalProperties }: Schema) =>
  typeof additionalProperties === 'object' && typesOf(additionalProperties).includes('null')

/** A value without what is null in it, which is as if it were absent. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(entries.map(([name, field]) => [name, withoutNulls(field)]))
}

/** The fields that what is given makes of the stored ones: objects field by field, lists and maps whole. */
export function mergeBody(fields: FieldSchemas, before: object, given: object): Fields {
  const after: Fields = { ...before }
  for (const [name, value] of Object.entries(given)) {
    const stored = after[name]
    const isMerged = Boolean((fields[name] as Schema | undefined)?.properties) && isObject(stored) && isObject(value)
    after[name] = isMerged ? { ...(stored as Fields), ...(value as Fields) } : value
  }
  return after
}

/** The canonical item that what is given makes of the stored one. */
export const applyBody = (kind: Kind, fields: FieldSchemas, before: object, given: object): Fields =>
  canonicalItem(kind, mergeBody(fields, before, given))

const isObject = (value: unknown) => typeof value === 'object' && value !== null
