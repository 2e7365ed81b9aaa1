import fc from 'fast-check'
import { memberIdentity } from '../../catalog-schema/member-names.ts'

interface Schema {
  type?: string | string[]
  enum?: readonly unknown[]
  pattern?: string
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  required?: readonly string[]
  maxLength?: number
  'x-number'?: 'double' | 'int32'
  'x-minimum'?: number
  'x-instant'?: boolean
  'x-duration'?: boolean
  'x-lasting'?: boolean
  'x-text'?: boolean
  'x-named-by'?: readonly string[]
  'x-tags'?: boolean
  'x-map'?: boolean
  'x-pattern-words'?: string
}

/** Names that break whoever builds keys, paths, file names or markup by hand; all of them are allowed. */
const hostileNames = [
  'A/B',
  'X@2',
  '@scope/x',
  '100%',
  '%2F',
  '~1',
  'til~de',
  `quo"te's`,
  'back\\slash',
  'Ünïcode',
  '日本語',
  '🎉 party',
  'e\u0301',
  '../up',
  'null',
  '0',
  '{{x}}',
  '<b>',
  'constructor',
  'ΣΑΣ',
]

/** A name of at most 40 characters that a code, a tag or a key can be. */
const name: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[A-Z][A-Z0-9_]{0,5}$/) },
  { weight: 2, arbitrary: fc.constantFrom(...hostileNames) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
      .filter((text) => /^(?!\s)[^\p{Cc}\u2028\u2029]+(?<!\s)$/u.test(text)),
  },
)

/** Tag names that differ in casing only, again and again. */
const tagName = fc.constantFrom(
  'beta',
  'Beta',
  'BETA',
  'core',
  'CORE',
  'Çore',
  'çORE',
  'σας',
  'ΣΑΣ',
  'a/b@c%',
  'A/B@C%',
)

const text = (max: number) =>
  fc
    .oneof(fc.constantFrom('', 'seats', ...hostileNames), fc.string({ maxLength: Math.min(max, 12), unit: 'grapheme' }))
    .map((value) => [...value].slice(0, max).join(''))

/** A value as a person may write it where the schema stands: fields left out, numbers as text, instants with offsets. */
export function arbitraryOf(schema: object): fc.Arbitrary<unknown> {
  const rules = schema as Schema
  const types = Array.isArray(rules.type) ? rules.type : [rules.type]
  const whole = nonNull(rules, types)
  return types.includes('null') ? fc.option(whole, { nil: null, freq: 3 }) : whole
}

function nonNull(schema: Schema, types: readonly (string | undefined)[]): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum.filter((value) => value !== null))
  if (schema['x-number']) return numberOf(schema)
  if (schema['x-instant'])
    return fc.constantFrom('2026-01-31T12:00:00Z', '2026-01-31T12:00:00.5+02:00', '2024-02-29t23:59:59-08:00')
  if (schema['x-duration'])
    return fc.constantFrom('P7D', 'PT1H', 'P1M', '7.00:00:00', '00:10:00', schema['x-lasting'] ? 'PT1S' : 'PT0S')
  if (schema['x-text']) return fc.oneof(text(20), fc.integer(), fc.boolean(), fc.constantFrom('true', '5'))
  if (types.includes('boolean')) return fc.boolean()
  if (types.includes('array')) return listOf(schema)
  if (types.includes('object')) return objectOf(schema)
  if (schema['x-pattern-words']?.includes('colour')) return fc.constantFrom('#1a2b3c', '#FFFFFF')
  if (schema['x-pattern-words']?.includes('UUID')) return fc.uuid()
  return schema.pattern ? name : text(schema.maxLength ?? 20).map((value) => value || 'x')
}

function numberOf(schema: Schema): fc.Arbitrary<unknown> {
  const least = schema['x-minimum'] ?? -1000
  const number =
    schema['x-number'] === 'int32'
      ? fc.integer({ min: least, max: 2_000 })
      : fc.oneof(
          fc.integer({ min: least, max: 1_000_000 }),
          fc.integer({ min: least * 100, max: 10_000 }).map((cents) => cents / 100),
        )
  return fc.oneof({ weight: 3, arbitrary: number }, { weight: 1, arbitrary: number.map(String) })
}

function listOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema['x-tags']) return fc.array(tagName, { maxLength: 4 })
  const member = arbitraryOf(schema.items ?? { type: 'string' })
  const namedBy = schema['x-named-by']
  if (!namedBy) return fc.array(member, { maxLength: 3 })
  return fc.uniqueArray(member, {
    maxLength: 3,
    selector: (value) => memberIdentity(namedBy, value as Record<string, unknown>),
  })
}

function objectOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema['x-map']) return fc.dictionary(name, arbitraryOf(schema.additionalProperties as Schema), { maxKeys: 3 })
  const fields = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([field, inner]) => [field, arbitraryOf(inner)]),
  )
  return fc.record(fields, { requiredKeys: [...(schema.required ?? [])], noNullPrototype: true })
}
