import { Ajv2020, type ErrorObject, type FuncKeywordDefinition, type ValidateFunction } from 'ajv/dist/2020.js'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import { normalDuration } from './duration.ts'
import { normalInstant } from './instant.ts'
import { exactNumber } from './numeric.ts'

/** One thing that is wrong with a value: where (RFC 6901 pointer), what, and the words that would have been right there. */
export interface Finding {
  pointer: string
  message: string
  /** The names or values accepted at that place, when the finding is about a misspelt one. */
  accepted?: readonly string[]
  /** The name or value that was not accepted. */
  given?: string
}

/** Checks a value against a schema and brings it into canonical form in place (numeric strings become numbers, instants UTC, durations ISO 8601). */
export type Check = (value: unknown) => Finding[]

const most = 100

const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  strictTuples: false,
  strictTypes: false,
  verbose: true,
  useDefaults: false,
  coerceTypes: false,
  keywords: [
    { keyword: 'x-minimum' },
    { keyword: 'x-named-by' },
    { keyword: 'x-sorted-by' },
    { keyword: 'x-indexed' },
    { keyword: 'x-tags' },
    { keyword: 'x-map' },
    { keyword: 'x-whole' },
    { keyword: 'x-pattern-words' },
    replacing('x-number', (value, schema) => {
      const number = typeof value === 'string' ? exactNumber(value) : (value as number)
      if (number === undefined || !Number.isFinite(number)) return refuse('has more digits than can be kept exactly')
      if (schema['x-number'] === 'int32' && (!Number.isInteger(number) || number > 2147483647 || number < -2147483648))
        return refuse('must be a whole number of 32 bits')
      const minimum = schema['x-minimum'] as number | undefined
      if (minimum !== undefined && number < minimum) return refuse(`must be ${minimum} or more`)
      return number
    }),
    replacing('x-instant', (value) =>
      typeof value === 'string'
        ? (normalInstant(value) ?? refuse('must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z'))
        : value,
    ),
    replacing('x-duration', (value) =>
      typeof value === 'string'
        ? (normalDuration(value) ?? refuse('must be an ISO 8601 duration such as P7D or PT1H'))
        : value,
    ),
    replacing('x-text', (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value)),
  ],
})

class Refusal {
  message: string
  constructor(message: string) {
    this.message = message
  }
}
const refuse = (message: string) => new Refusal(message)

/** A keyword that replaces the value it stands beside by its canonical form, or refuses it. */
function replacing(
  keyword: string,
  replace: (value: unknown, schema: Record<string, unknown>) => unknown,
): FuncKeywordDefinition {
  const validate: DataValidateFunction & ((...args: unknown[]) => boolean) = (...args: unknown[]) => {
    const [, value, schema, place] = args as [
      unknown,
      unknown,
      Record<string, unknown>,
      { parentData: Record<string | number, unknown>; parentDataProperty: string | number } | undefined,
    ]
    if (value === null) return true
    const replaced = replace(value, schema)
    if (replaced instanceof Refusal) {
      validate.errors = [{ keyword, message: replaced.message, params: {} }]
      return false
    }
    if (place && replaced !== value) place.parentData[place.parentDataProperty] = replaced
    return true
  }
  return { keyword, modifying: true, errors: 'full', validate }
}

/** Compiles a schema once; the check it returns may be called any number of times. */
export function compileCheck(schema: object): Check {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= ajv.compile(schema)
    const box = { value }
    if (validate(box.value)) return []
    const findings: Finding[] = []
    for (const error of validate.errors ?? []) {
      if (findings.length >= most) break
      const finding = explain(error)
      if (finding) findings.push(finding)
    }
    return findings
  }
}

const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

function explain(error: ErrorObject): Finding | undefined {
  const pointer = error.instancePath
  const params = error.params as Record<string, unknown>
  const schema = error.parentSchema as Record<string, unknown> | undefined
  switch (error.keyword) {
    case 'if':
      return undefined
    case 'additionalProperties': {
      const given = String(params.additionalProperty)
      const accepted = Object.keys((schema?.properties as object | undefined) ?? {})
      return {
        pointer: `${pointer}/${escapePointer(given)}`,
        message: `there is no field "${given}" here`,
        given,
        accepted,
      }
    }
    case 'required':
      return { pointer, message: `"${String(params.missingProperty)}" is missing` }
    case 'enum': {
      const accepted = (params.allowedValues as unknown[]).map(String)
      return { pointer, message: `must be one of ${accepted.join(', ')}`, given: String(error.data), accepted }
    }
    case 'type':
      return { pointer, message: `must be ${typeWords(schema?.type, schema)}, not ${kindOf(error.data)}` }
    case 'pattern':
      if (schema?.['x-number']) return { pointer, message: 'must be a number, or a string that holds nothing but one' }
      return { pointer, message: String(schema?.['x-pattern-words'] ?? 'has a character that is not allowed there') }
    case 'maxLength':
      return { pointer, message: `must be at most ${String(params.limit)} characters long` }
    case 'minLength':
      return {
        pointer,
        message: params.limit === 1 ? 'must not be empty' : `must be at least ${String(params.limit)} characters long`,
      }
    case 'maxItems':
      return { pointer, message: `must have at most ${String(params.limit)} items` }
    case 'minItems':
      return { pointer, message: `must have at least ${String(params.limit)} items` }
    case 'maxProperties':
      return { pointer, message: `must have at most ${String(params.limit)} fields` }
    default:
      return { pointer, message: error.message ?? 'is not acceptable' }
  }
}

function typeWords(type: unknown, schema?: Record<string, unknown>): string {
  const words: Record<string, string> = {
    string: 'text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    null: 'null',
  }
  const types = Array.isArray(type) ? type.map(String) : [String(type)]
  if (schema?.['x-number']) return types.includes('null') ? 'a number or null' : 'a number'
  return types.map((name) => words[name] ?? name).join(' or ')
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'number' ? 'a number' : String(value)
}
