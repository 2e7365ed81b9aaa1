/** A schema of a field, as far as people are told of it. */
export interface FieldSchema {
  type?: string | readonly string[]
  description?: string
  examples?: readonly unknown[]
  default?: unknown
  enum?: readonly unknown[]
  properties?: Record<string, FieldSchema>
  required?: readonly string[]
  items?: FieldSchema
  additionalProperties?: boolean | FieldSchema
  minLength?: number
  maxLength?: number
  maxItems?: number
  'x-number'?: string
  'x-minimum'?: number
  'x-instant'?: boolean
  'x-duration'?: boolean
  'x-lasting'?: boolean
  'x-text'?: boolean
  'x-tags'?: boolean
  'x-named-by'?: readonly string[]
  'x-pattern-words'?: string
}

/** What a value must look like, in words: `number, 0 or more, or null`. */
export function shapeWords(schema: FieldSchema): string {
  const types = [schema.type ?? []].flat()
  const words = baseWords(schema, types)
  return types.includes('null') ? `${words}, or null` : words
}

function baseWords(schema: FieldSchema, types: readonly string[]): string {
  const choices = (schema.enum ?? []).filter((choice) => choice !== null)
  if (choices.length > 0) return `one of ${choices.join(', ')}`
  if (schema['x-number'] !== undefined) return numberWords(schema)
  if (schema['x-text']) return 'text, number, true or false; kept as text'
  if (schema['x-instant']) return 'RFC 3339 date-time'
  if (schema['x-duration']) return schema['x-lasting'] ? 'ISO 8601 duration of a second or longer' : 'ISO 8601 duration'
  if (types.includes('boolean')) return 'true or false'
  if (types.includes('array')) return listWords(schema)
  if (types.includes('object')) return schema.properties ? 'object' : 'map from names to objects'
  return textWords(schema)
}

function numberWords(schema: FieldSchema): string {
  const base = schema['x-number'] === 'int32' ? 'whole number' : 'number'
  return schema['x-minimum'] === undefined ? base : `${base}, ${schema['x-minimum']} or more`
}

function listWords(schema: FieldSchema): string {
  const named = schema['x-named-by']
  if (named) return `list of objects, told apart by ${named.join(' and ')}`
  return [schema.items?.type ?? []].flat().includes('object') ? 'list of objects' : 'list of texts'
}

function textWords({ minLength = 0, maxLength, ...schema }: FieldSchema): string {
  const words = schema['x-pattern-words']
  if (maxLength === undefined) return words === undefined ? 'text' : words.replace(/^must be /, '')
  return minLength > 0
    ? `text of ${minLength} to ${maxLength.toLocaleString('en')} characters`
    : `text of at most ${maxLength.toLocaleString('en')} characters`
}

/** What an editor shows on hover, beside the choices and examples that it knows by itself: the meaning, the shape, the default. */
export function hoverText(schema: FieldSchema): string | undefined {
  const { description, default: preset } = schema
  if (description === undefined) return undefined
  const isPlain =
    schema.enum !== undefined || schema.properties !== undefined || [schema.type].flat().includes('boolean')
  const shape = isPlain ? [] : [`${shapeWords(schema).replace(/^./, (first) => first.toUpperCase())}.`]
  const isTold = typeof preset === 'string' || typeof preset === 'number' || typeof preset === 'boolean'
  const facts = [...shape, ...(isTold ? [`Default: ${preset}.`] : [])]
  return facts.length === 0 ? description : `${description}\n\n${facts.join(' ')}`
}
