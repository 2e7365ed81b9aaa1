import { describe, expect, test } from 'vitest'
import type { FieldSchema } from '../../catalog-schema/field-shapes.ts'
import { fieldNames, findField, findKind } from '../../catalog-schema/fields.ts'
import { catalogFileJsonSchema, snapshotJsonSchema } from '../../catalog-schema/json-schema.ts'

type Described = [place: string, name: string, description: string]

/** Every place of a schema that an editor can hover over, with what it would show. */
function hovers(schema: FieldSchema & { $defs?: Record<string, FieldSchema> }, place: string): Described[] {
  const below = (inner: FieldSchema, at: string, name: string): Described[] => [
    [at, name, inner.description ?? ''],
    ...hovers(inner, at),
  ]
  const mapped = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const isHoverable = (inner: FieldSchema | undefined) => inner !== undefined && !('$ref' in inner)
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => below(inner, `${place}/${name}`, name)),
    ...Object.entries(schema.$defs ?? {}).flatMap(([name, inner]) => below(inner, `${place}#${name}`, name)),
    ...(isHoverable(schema.items) ? below(schema.items!, `${place}/*`, '') : []),
    ...(mapped ? hovers(mapped, `${place}/*`) : []),
  ]
}

const small = new Set(
  'a an the of or and in on to by is are be it its that which who what whether this for with from as at each one no not'.split(
    ' ',
  ),
)
const wordsOf = (text: string) =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+/g) ?? []

/** The words of a description that its name does not say already. */
function news(name: string, description: string): string[] {
  const said = wordsOf(name).map((word) => word.slice(0, 4))
  return wordsOf(description).filter((word) => !small.has(word) && !said.some((stem) => word.startsWith(stem)))
}

describe.each([
  ['catalog-file.schema.json', catalogFileJsonSchema()],
  ['snapshot.schema.json', snapshotJsonSchema()],
])('hovering in %s', (_file, schema) => {
  const places = hovers(schema as FieldSchema, '')

  test('every place has a sentence of its own', () => {
    expect(places.length).toBeGreaterThan(240)
    const wrong = places.filter(([, , text]) => !/^[A-Z`{a-z].{14,}[.?]$/s.test(text))
    expect(wrong.map(([place, , text]) => `${place}: ${text}`)).toEqual([])
  })

  test('no description says its name again and nothing more', () => {
    const idle = places.filter(([, name, text]) => name !== '' && news(name, text.split('\n')[0]!).length < 3)
    expect(idle.map(([place, , text]) => `${place}: ${text}`)).toEqual([])
  })

  test('none is so long that nobody reads it', () => {
    expect(places.filter(([, , text]) => text.length > 420).map(([place]) => place)).toEqual([])
  })
})

test('a default is told where there is one to tell', () => {
  const status = hovers(catalogFileJsonSchema() as FieldSchema, '').find(([place]) => place === '#product/status')
  expect(status?.[2]).toMatch(/Draft while it is prepared.*\n\nDefault: Draft\.$/s)
})

test('every field can be found by its name, in the letter case of whoever asks', () => {
  for (const name of fieldNames()) {
    const [word, ...path] = name.toUpperCase().split('.')
    const found = findField(findKind(word!)!, path)
    expect(found?.name).toBe(name)
    expect(found?.shape, name).toMatch(/\S/)
  }
})

test.each([
  'feature',
  'featureCatalog',
  'monitoredAsset',
  'metric',
  'plans',
  'plan-set',
  'planset',
  'entitlementOffers',
])('the kind is known by %s', (word) => expect(findKind(word)).toBeDefined())

test('examples are values that the field accepts', () => {
  const { $defs } = catalogFileJsonSchema() as { $defs: Record<string, FieldSchema> }
  const wrong = Object.entries($defs).flatMap(([name, schema]) => rejected(schema, name))
  expect(wrong).toEqual([])
})

/** Examples that break the bounds which their field states. */
function rejected(schema: FieldSchema & { pattern?: string }, place: string): string[] {
  const types = [schema.type ?? []].flat().map(String)
  const own = (schema.examples ?? []).filter((example) => {
    if (types.length === 0) return typeof example !== 'number'
    const type = Array.isArray(example) ? 'array' : typeof example
    const breaks = typeof example === 'string' && schema.pattern && !new RegExp(schema.pattern, 'u').test(example)
    return !types.includes(type) || breaks
  })
  const inner = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items ? [['*', schema.items] as const] : []),
  ] as const
  return [
    ...own.map((example) => `${place}: ${JSON.stringify(example)}`),
    ...inner.flatMap(([name, field]) => rejected(field, `${place}/${name}`)),
  ]
}
