import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { Code, Name, NullableCode, Text } from './scalars.ts'

/** An object with exactly these fields; any other is refused. */
export const Closed = <P extends TProperties>(properties: P, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/**
 * The same object, but a field may be left out: it then stays as it is (its default, on create).
 * Typed as the whole object, which it is once completed (canonical.ts).
 */
export const Patchable = <P extends TProperties>(
  properties: P,
  required: readonly (keyof P & string)[],
  options = {},
) =>
  Type.Unsafe<FullOf<P>>({
    type: 'object',
    additionalProperties: false,
    properties,
    required: [...required],
    ...options,
  })

/** Every field of an item, each of which may be absent. */
export type PatchOf<P extends TProperties> = { -readonly [K in keyof P]?: P[K] extends TSchema ? Static<P[K]> : never }

/** Every field of an item, all present. */
export type FullOf<P extends TProperties> = { -readonly [K in keyof P]: P[K] extends TSchema ? Static<P[K]> : never }

/** A list whose members are told apart by these fields of theirs: merged and compared by name, never by position. */
export const NamedList = <S extends TSchema>(
  member: S,
  namedBy: readonly string[],
  options: Record<string, unknown> = {},
) =>
  Type.Unsafe<Static<S>[]>({
    type: 'array',
    maxItems: 20_000,
    items: member,
    'x-named-by': namedBy,
    default: [],
    ...options,
  })

/** A list that is one value: replaced whole, compared index by index. */
export const IndexedList = <S extends TSchema>(member: S, options: Record<string, unknown> = {}) =>
  Type.Unsafe<Static<S>[]>({ type: 'array', maxItems: 1000, items: member, 'x-indexed': true, default: [], ...options })

/** A list of texts that is one value: replaced whole. */
export const TextList = (options: Record<string, unknown> = {}) =>
  Type.Unsafe<string[]>({ type: 'array', maxItems: 1000, items: Text(500, { min: 1 }), default: [], ...options })

/** Tag names of one vocabulary; a name the registry has not is created, letter case aside each occurs once. */
export const TagNames = () =>
  Type.Unsafe<string[]>({
    type: 'array',
    maxItems: 200,
    items: tagName,
    'x-tags': true,
    default: [],
    description: 'Names of tags. A name that is not in the registry yet is created.',
  })

const tagName = Name(100, { description: 'The name of a tag.' })

/** The fields by which an item of a product names that product. */
export const ofProduct = {
  productCode: Code({ description: 'The code of the product it belongs to.' }),
  productVersion: NullableCode({ description: 'The version of that product; left out when it has none.' }),
}
