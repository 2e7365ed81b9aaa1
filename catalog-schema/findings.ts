import type { ErrorObject } from 'ajv/dist/2020.js'
import { pathSegment } from './member-names.ts'

/** One thing that is wrong with a value: where (RFC 6901 pointer), what, and the words that would have been right there. */
export interface Finding {
  pointer: string
  message: string
  /** The names or values accepted at that place, when the finding is about a misspelt one. */
  accepted?: readonly string[]
  /** The name or value that was not accepted. */
  given?: string
  /** The name of the field that is missing there. */
  missing?: string
}

/** The errors worth telling: of a value of the wrong type only that, and nothing twice. */
export function onePerPlace(errors: readonly ErrorObject[]): ErrorObject[] {
  const wrongType = new Set(errors.filter(({ keyword }) => keyword === 'type').map((error) => error.instancePath))
  return errors.filter((error) => {
    if (error.keyword === 'if' || error.propertyName !== undefined) return false
    return error.keyword === 'type' || !wrongType.has(error.instancePath)
  })
}

/** A validator's error in words a person can act on. */
export function explain(error: ErrorObject): Finding {
  const { instancePath: pointer, keyword } = error
  const schema = (error.parentSchema ?? {}) as Record<string, unknown>
  const params = error.params as Record<string, unknown>
  switch (keyword) {
    case 'additionalProperties': {
      const given = String(params.additionalProperty)
      const accepted = Object.keys((schema.properties as object | undefined) ?? {})
      const message = `there is no field "${clip(given)}" here`
      return { pointer: `${pointer}/${pathSegment(given)}`, message, given: clip(given), accepted }
    }
    case 'propertyNames': {
      const given = String(params.propertyName)
      return { pointer, message: `"${clip(given)}" is no name that can be used here`, given: clip(given) }
    }
    case 'enum': {
      const accepted = (params.allowedValues as unknown[]).map(String)
      return { pointer, message: `must be one of ${accepted.join(', ')}`, given: clip(String(error.data)), accepted }
    }
    case 'required': {
      const missing = String(params.missingProperty)
      return { pointer, message: `"${missing}" is missing`, missing }
    }
    default:
      return { pointer, message: words(keyword, params, schema, error) }
  }
}

function words(keyword: string, params: Record<string, unknown>, schema: Record<string, unknown>, error: ErrorObject) {
  const limit = String(params.limit)
  switch (keyword) {
    case 'type':
      return `must be ${typeWords(schema)}, not ${kindOf(error.data)}`
    case 'pattern':
      if (schema['x-number']) return 'must be a number, or a string that holds nothing but one'
      return String(schema['x-pattern-words'] ?? 'has a character that is not allowed there')
    case 'maxLength':
      return `must be at most ${limit} characters long`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must be at least ${limit} characters long`
    case 'maxItems':
      return `must have at most ${limit} items`
    case 'minItems':
      return `must have at least ${limit} items`
    case 'maxProperties':
      return `must have at most ${limit} fields`
    default:
      return error.message ?? 'is not acceptable'
  }
}

const typeNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

function typeWords(schema: Record<string, unknown>): string {
  const types = Array.isArray(schema.type) ? schema.type.map(String) : [String(schema.type)]
  if (schema['x-number']) return types.includes('null') ? 'a number or null' : 'a number'
  return types.map((name) => typeNames[name] ?? name).join(' or ')
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'number' ? 'a number' : String(value)
}

const longestShown = 100
const clip = (text: string) => (text.length > longestShown ? `${text.slice(0, longestShown)}…` : text)
