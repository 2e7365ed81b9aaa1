import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catalogFileJsonSchema, snapshotJsonSchema } from '../../catalog-schema/json-schema.ts'
import { kinds, sectionOf } from '../../catalog-schema/order.ts'
import { checkSnapshot } from '../../catalog-schema/snapshot.ts'
import { environmentOf, exported } from '../support/applied-plan.ts'
import { generatedCatalogs } from '../support/generated-catalogs.ts'

type Schema = Record<string, unknown>
const documents = { 'catalog-file.schema.json': catalogFileJsonSchema, 'snapshot.schema.json': snapshotJsonSchema }
const compile = (schema: object) => new Ajv2020({ strict: false, allErrors: true }).compile(schema)

describe.each(Object.entries(documents))('the published %s', (file, emit) => {
  test('is what `node catalog-schema/emit.ts` writes', () => {
    const text = readFileSync(new URL(`../../catalog-schema/${file}`, import.meta.url), 'utf8')
    expect(text).toBe(`${JSON.stringify(emit(), null, 2)}\n`)
  })

  test('explains every field', () => {
    expect(unexplained(emit(), '')).toEqual([])
  })

  test('has standard keywords alone', () => {
    expect(JSON.stringify(emit())).not.toContain('"x-')
  })

  test('accepts what our own check accepts, as written and as exported', () => {
    const accepts = compile(emit())
    fc.assert(
      fc.property(generatedCatalogs(), (catalog) => {
        for (const snapshot of [catalog, exported(environmentOf(catalog))]) {
          accepts(snapshot)
          expect(accepts.errors ?? []).toEqual([])
          expect(checkSnapshot(structuredClone(snapshot))).toEqual([])
        }
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['a misspelt field', { products: [{ productCode: 'A', nmae: 'A' }] }],
    ['a field that is missing', { products: [{ name: 'A' }] }],
    ['a section that there is not', { features: [] }],
    ['a value that is not in the list', { tags: [{ scope: 'Customer', name: 'A' }] }],
    ['a status of another case', { products: [{ productCode: 'A', status: 'draft' }] }],
    [
      'a number that is no number',
      { plans: [{ suiteCode: 'A', name: 'S', plans: [{ name: 'P', monthlyPrice: '0x10' }] }] },
    ],
    ['a negative price', { plans: [{ suiteCode: 'A', name: 'S', plans: [{ name: 'P', monthlyPrice: -1 }] }] }],
    ['a whole number with a fraction', { suites: [{ code: 'S', members: [{ productCode: 'A', sortOrder: 1.5 }] }] }],
    ['a code with a blank at the end', { products: [{ productCode: 'A ' }] }],
    ['null where there is no null', { products: [{ productCode: 'A', isLocked: null }] }],
    ['an unquoted version', { products: [{ productCode: 'A', productVersion: 2 }] }],
  ])('refuses %s, as our own check does', (_what, part) => {
    const snapshot = { formatVersion: '1.0', ...part }
    expect(compile(emit())(snapshot)).toBe(false)
    expect(checkSnapshot(structuredClone(snapshot))).not.toEqual([])
  })
})

test('every kind has a definition that its section refers to', () => {
  const { properties, $defs } = catalogFileJsonSchema() as { properties: Record<string, Schema>; $defs: Schema }
  expect(Object.keys($defs)).toEqual([...kinds])
  for (const kind of kinds) expect(properties[sectionOf[kind]]!.items).toEqual({ $ref: `#/$defs/${kind}` })
})

/** Where fields stand that have no description. */
function unexplained(schema: Schema, at: string): string[] {
  const inner = (name: string) => (typeof schema[name] === 'object' ? (schema[name] as Schema) : {})
  const fields = Object.entries(inner('properties')) as [string, Schema][]
  return [
    ...fields.flatMap(([name, field]) => [
      ...(field.description ? [] : [`${at}/${name}`]),
      ...unexplained(field, `${at}/${name}`),
    ]),
    ...unexplainedIn(inner('items'), at),
    ...unexplainedIn(inner('additionalProperties'), at),
    ...Object.entries(inner('$defs')).flatMap(([name, definition]) =>
      unexplained(definition as Schema, `${at}#${name}`),
    ),
  ]
}
const unexplainedIn = (schema: Schema, at: string) =>
  Object.keys(schema).length > 0 ? unexplained(schema, `${at}/*`) : []
