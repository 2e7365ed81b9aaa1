import { canonicalTags } from '../../catalog-schema/forms/plain.ts'
import { byName, memberIdentity } from '../../catalog-schema/member-names.ts'
import { itemSchemas, type Kind } from '../../catalog-schema/order.ts'

interface Schema {
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  'x-named-by'?: readonly string[]
  'x-keeps-order'?: boolean
  'x-tags'?: boolean
}
type Fields = Record<string, unknown>

/** The item with whatever order means nothing put in one order: fields as in the schema, named members and tags by name. Nothing is added, and nothing left out but a tag that stands twice. */
export const inNormalForm = (kind: Kind, item: object) => ordered(itemSchemas[kind] as Schema, item) as Fields

function ordered(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return orderedList(schema, value)
  if (typeof value !== 'object' || value === null) return value
  const { properties, additionalProperties } = schema
  const inner = typeof additionalProperties === 'object' ? additionalProperties : {}
  const known = properties ? Object.keys(properties).filter((name) => Object.hasOwn(value, name)) : []
  const names = properties ? known : Object.keys(value).sort(byName)
  return Object.fromEntries(names.map((name) => [name, ordered(properties?.[name] ?? inner, (value as Fields)[name])]))
}

function orderedList(schema: Schema, list: readonly unknown[]): unknown[] {
  const entries = list.map((entry) => ordered(schema.items ?? {}, entry))
  const namedBy = schema['x-named-by']
  if (schema['x-tags']) return canonicalTags(entries) as unknown[]
  if (!namedBy || schema['x-keeps-order']) return entries
  return entries.sort((a, b) => byName(memberIdentity(namedBy, a as Fields), memberIdentity(namedBy, b as Fields)))
}
