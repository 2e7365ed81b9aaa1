import { _, type CodeKeywordDefinition } from 'ajv/dist/2020.js'
import { isLasting, normalDuration } from './duration.ts'
import { normalInstant } from './instant.ts'
import { exactNumber, numericPattern } from './numeric.ts'

/** Keywords that only say how values are completed, merged and compared (form.ts), or how a finding is worded. */
export const formKeywords = [
  'x-minimum',
  'x-below',
  'x-lasting',
  'x-named-by',
  'x-sorted-by',
  'x-keeps-order',
  'x-indexed',
  'x-tags',
  'x-map',
  'x-whole',
  'x-pattern-words',
]

type Schema = Record<string, unknown>
type Replace = (value: unknown, schema: Schema) => unknown

/** Why a scalar is refused. */
export class Refusal {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}
const refuse = (message: string) => new Refusal(message)

/** What a scalar is replaced by, its canonical form or a refusal, by the keyword that asks for it. */
export const replacements: Record<string, Replace> = {
  'x-number': (value, schema) => canonicalNumber(value, schema),
  'x-instant': (value) => (typeof value === 'string' ? canonicalInstant(value) : value),
  // One that is kept as it was written.
  'x-written-instant': (value) => {
    const read = typeof value === 'string' ? canonicalInstant(value) : value
    return read instanceof Refusal ? read : value
  },
  'x-duration': (value, schema) => (typeof value === 'string' ? canonicalDuration(value, schema) : value),
  'x-text': (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
}

/** The keywords that replace a scalar, as code: what is made of it beforehand has `replacements` and `Refusal` by these names. */
export const canonicalScalars = Object.entries(replacements).map(
  ([keyword, replace]): CodeKeywordDefinition => ({
    keyword,
    error: { message: ({ params }) => _`${params.replaced}.message`, params: _`{}` },
    code(cxt) {
      const { gen, data, it } = cxt
      const call = gen.scopeValue('func', { key: keyword, ref: replace, code: _`replacements[${keyword}]` })
      const refusal = gen.scopeValue('func', { key: Refusal, ref: Refusal, code: _`Refusal` })
      const schema = _`${it.topSchemaRef}${it.schemaPath}`
      const replaced = gen.const('replaced', _`${data} === null ? null : ${call}(${data}, ${schema})`)
      const isRefused = _`${replaced} instanceof ${refusal}`
      cxt.setParams({ replaced })
      cxt.fail(isRefused)
      gen.if(_`!Object.is(${replaced}, ${data}) && !(${isRefused})`, () => {
        gen.assign(data, replaced)
        gen.if(it.parentData, () => gen.assign(_`${it.parentData}[${it.parentDataProperty}]`, replaced))
      })
    },
  }),
)

const canonicalInstant = (value: string): string | Refusal =>
  normalInstant(value) ?? refuse('must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z')

const numericText = new RegExp(numericPattern)

/** A number in its range; a numeric string is read, and what is neither is left to the type and the pattern. */
function canonicalNumber(value: unknown, schema: Schema): unknown {
  if (typeof value !== 'number' && typeof value !== 'string') return value
  if (typeof value === 'string' && !numericText.test(value)) return value
  const number = typeof value === 'string' ? exactNumber(value) : value
  if (number === undefined || !Number.isFinite(number)) return refuse('cannot be kept exactly: a double would round it')
  if (schema['x-number'] === 'int32' && (number | 0) !== number) return refuse('must be a whole number of 32 bits')
  const minimum = schema['x-minimum'] as number | undefined
  if (minimum !== undefined && number < minimum) return refuse(`must be ${minimum} or more`)
  const below = schema['x-below'] as number | undefined
  if (below !== undefined && number >= below) return refuse(`must be below ${below.toExponential().replace('+', '')}`)
  return number === 0 ? 0 : number
}

/** A duration in ISO 8601, of a second or longer where it has to last. */
function canonicalDuration(value: string, schema: Schema): string | Refusal {
  const normal = normalDuration(value)
  if (normal === undefined) return refuse('must be an ISO 8601 duration such as P7D or PT1H')
  return schema['x-lasting'] && !isLasting(normal) ? refuse('must be a second or longer') : normal
}
