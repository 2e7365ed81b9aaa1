import { type FieldSchema, shapeWords } from './field-shapes.ts'
import { itemSchemas, type Kind, kinds, prefixOf, sectionOf } from './order.ts'

/** A kind or a field of one, with all that its schema says of it. */
export interface DescribedField {
  /** As people write it: `plan-set.plans.monthlyPrice`. */
  name: string
  kind: Kind
  description: string
  /** In words: `text of 1 to 300 characters`. */
  shape: string
  isRequired: boolean
  /** Undefined where the schema has none; null is "none". */
  default: unknown
  choices: string[]
  examples: unknown[]
  /** The fields of an object, or of the members of a list. */
  fields: { name: string; description: string; isRequired: boolean; hasFields: boolean }[]
}

/** The words by which people name kinds: those of key strings. */
export const kindWords: readonly string[] = kinds.map((kind) => prefixOf[kind])

/** The kind that a word names: as in key strings, as in reports, or by its section; letter case aside. */
export const findKind = (word: string): Kind | undefined =>
  kinds.find((kind) => [prefixOf[kind], kind, sectionOf[kind]].some((name) => sameWord(name, word)))

const sameWord = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** The field that a path of names leads to within a kind, the kind itself for none; members of lists and maps need no name. */
export function findField(kind: Kind, path: readonly string[]): DescribedField | undefined {
  let schema: FieldSchema = itemSchemas[kind] as FieldSchema
  let isRequired = false
  const names: string[] = [prefixOf[kind]]
  for (const word of path) {
    const inner = innerFields(schema)
    const name = Object.keys(inner.properties).find((field) => sameWord(field, word))
    if (name === undefined) return undefined
    isRequired = inner.required.includes(name)
    names.push(name)
    schema = inner.properties[name]!
  }
  return describe(kind, names.join('.'), schema, isRequired)
}

function describe(kind: Kind, name: string, schema: FieldSchema, isRequired: boolean): DescribedField {
  const { properties, required } = innerFields(schema)
  return {
    name,
    kind,
    description: schema.description ?? '',
    shape: shapeWords(schema),
    isRequired,
    default: schema.default,
    choices: (schema.enum ?? []).filter((choice) => choice !== null).map(String),
    examples: [...(schema.examples ?? [])],
    fields: Object.entries(properties).map(([field, inner]) => ({
      name: field,
      description: inner.description ?? '',
      isRequired: required.includes(field),
      hasFields: Object.keys(innerFields(inner).properties).length > 0,
    })),
  }
}

/** The fields of an object, of a list's members or of a map's values. */
export function innerFields(schema: FieldSchema): {
  properties: Record<string, FieldSchema>
  required: readonly string[]
} {
  const mapped = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const holder = schema.properties ? schema : (schema.items ?? mapped ?? schema)
  return { properties: holder.properties ?? {}, required: holder.required ?? [] }
}

/** The name of every kind and of every field of it, those inside others included. */
export function fieldNames(): string[] {
  const below = (name: string, schema: FieldSchema): string[] => [
    name,
    ...Object.entries(innerFields(schema).properties).flatMap(([field, inner]) => below(`${name}.${field}`, inner)),
  ]
  return kinds.flatMap((kind) => below(prefixOf[kind], itemSchemas[kind] as FieldSchema))
}
