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

/** A list of texts that is one value: replaced whole, empty unless it may not be; `entry` says what each of them is. */
export const TextList = (entry: string, options: Record<string, unknown> = {}) =>
  Type.Unsafe<string[]>({
    type: 'array',
    maxItems: 1000,
    items: Text(500, { min: 1, description: entry }),
    ...(options.minItems ? {} : { default: [] }),
    ...options,
  })

/** Tag names of one vocabulary; a name the registry has not is created, letter case aside each occurs once. */
export const TagNames = () =>
  Type.Unsafe<string[]>({
    type: 'array',
    maxItems: 200,
    items: tagName,
    'x-tags': true,
    default: [],
    description:
      'Labels for organising the catalog, which customers never see. A name that the registry of tags does not have yet is created; the list is replaced whole.',
    examples: [['Beta']],
  })

const tagName = Name(100, { description: 'The label as people see it, letter case aside.' })

/** The fields by which an item of a product names that product. */
export const ofProduct = {
  productCode: Code({ description: 'Which product is meant, together with productVersion.', examples: ['ACME-CAD'] }),
  productVersion: NullableCode({
    description: 'The productVersion of that product, quoted in YAML; left out when it has none.',
    examples: ['2.0'],
  }),
}
