import { keyOf, matchKey } from '../../../catalog-schema/keys.ts'
import { byName, memberIdentity, memberName } from '../../../catalog-schema/member-names.ts'
import { itemSchemas, kindOfSection, type Section, sections } from '../../../catalog-schema/order.ts'
import { CatalogFileSchema } from '../../../catalog-schema/snapshot.ts'
import { foldTagName } from '../../../catalog-schema/tag-names.ts'
import { type Member, plainValue, type Written } from './written.ts'

interface Schema {
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  'x-named-by'?: readonly string[]
  'x-sorted-by'?: string
  'x-keeps-order'?: boolean
  'x-tags'?: boolean
  'x-map'?: boolean
}

type Fields = Record<string, unknown>

const fileSchema = CatalogFileSchema as object as Schema

/**
 * The content of a file in canonical order: sections as they are imported, items by key, fields as the schema has them,
 * members and tags as an export has them. What no schema knows comes last, as it stood; where two are named alike, both
 * stay as they stood.
 */
export function inCanonicalOrder(file: Written): Written {
  const members = (file.members ?? []).map((member) => {
    const isSection = (sections as readonly string[]).includes(member.name)
    return isSection ? { ...member, written: orderSection(member.name as Section, member.written) } : member
  })
  return { ...file, members: byField(members, fileSchema) }
}

function orderSection(section: Section, list: Written): Written {
  if (!list.isList || list.members === undefined) return list
  const kind = kindOfSection[section]
  const items = list.members.map((member) => ({
    ...member,
    written: orderValue(itemSchemas[kind] as Schema, member.written),
  }))
  const keyed = items.map((member) => ({ member, key: keyOf(kind, fieldsOf(member.written)) }))
  const isRepeated = new Set(keyed.map(({ key }) => matchKey(kind, key))).size < keyed.length
  if (!isRepeated) keyed.sort((a, b) => byName(a.key, b.key))
  return { ...list, members: keyed.map(({ member }) => member) }
}

function orderValue(schema: Schema | undefined, written: Written): Written {
  if (written.members === undefined || schema === undefined) return written
  const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const members = written.members.map((member) => {
    const inner = written.isList ? schema.items : (schema.properties?.[member.name] ?? others)
    return { ...member, written: orderValue(inner, member.written) }
  })
  if (written.isList) return { ...written, members: orderList(schema, members) }
  if (schema['x-map']) return { ...written, members: members.toSorted((a, b) => byName(a.name, b.name)) }
  return { ...written, members: byField(members, schema) }
}

function byField(members: readonly Member[], schema: Schema): Member[] {
  const places = fieldPlaces(schema)
  const placeOf = ({ name }: Member) => places.get(name) ?? places.size
  return members.toSorted((a, b) => placeOf(a) - placeOf(b))
}

const placesBySchema = new WeakMap<Schema, Map<string, number>>()

function fieldPlaces(schema: Schema): Map<string, number> {
  const known = placesBySchema.get(schema)
  if (known !== undefined) return known
  const made = new Map(Object.keys(schema.properties ?? {}).map((name, place) => [name, place]))
  placesBySchema.set(schema, made)
  return made
}

function orderList(schema: Schema, members: Member[]): Member[] {
  if (schema['x-tags']) return orderTags(members)
  const namedBy = schema['x-named-by']
  if (namedBy === undefined || schema['x-keeps-order']) return members
  const ranked = members.map((member) => {
    const fields = fieldsOf(member.written)
    const rank = Number((schema['x-sorted-by'] && fields[schema['x-sorted-by']]) || 0)
    return { member, rank: rank || 0, name: memberName(namedBy, fields), identity: memberIdentity(namedBy, fields) }
  })
  if (new Set(ranked.map(({ identity }) => identity)).size < ranked.length) return members
  return ranked.sort((a, b) => a.rank - b.rank || byName(a.name, b.name)).map(({ member }) => member)
}

function orderTags(members: Member[]): Member[] {
  const names = members.map(({ written }) => String(written.scalar))
  if (new Set(names.map(foldTagName)).size < names.length) return members
  return members.toSorted((a, b) => byName(String(a.written.scalar), String(b.written.scalar)))
}

/** The scalar fields of a mapping; none of anything else. */
function fieldsOf(written: Written): Fields {
  if (written.members === undefined || written.isList) return {}
  const scalars = written.members.filter((member) => member.written.members === undefined)
  return Object.fromEntries(scalars.map((member) => [member.name, plainValue(member.written)]))
}
