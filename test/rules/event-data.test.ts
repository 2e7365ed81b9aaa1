import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { events } from '../../server/vocabulary/events.ts'
import { listEventTypes } from '../../server/webhooks/event-types/listing.ts'

type Schema = { description?: string; type?: unknown; properties?: Record<string, Schema>; items?: Schema }

const ajv = formats.default(new Ajv2020({ allErrors: true, allowUnionTypes: true, strict: true }))
const listed = listEventTypes()

test('every event of the catalogue is listed, in its order', () => {
  expect(listed.map(({ type }) => type)).toEqual(Object.keys(events))
  for (const { type, entityKind, eventVersion, description } of listed)
    expect([entityKind, eventVersion, description]).toEqual(events[type])
})

describe.each(listed)('$type', ({ dataSchema, example }) => {
  const fits = ajv.compile(JSON.parse(JSON.stringify(dataSchema)))
  const given = JSON.parse(JSON.stringify(example))

  test('has an example that fits its schema, as a test too and with fields of a later day', () => {
    for (const data of [given, { ...given, _test: true }, { ...given, added: { later: 1 } }]) {
      fits(data)
      expect(fits.errors).toBeNull()
    }
  })

  test('refuses what says that it is no test, and what lacks a field or has one of another kind', () => {
    expect(fits({ ...given, _test: false })).toBe(false)
    for (const name of Object.keys(given)) {
      const { [name]: _left, ...rest } = given
      expect([name, fits(rest)]).toEqual([name, false])
      expect([name, fits({ ...given, [name]: [{}] })]).toEqual([name, false])
    }
  })

  test('says of each field what it is', () => {
    expect(listFields(dataSchema as Schema).filter(([, { description }]) => !description)).toEqual([])
  })
})

/** Every field of a schema with its path, those of objects in it included. */
const listFields = ({ properties = {}, items }: Schema): [string, Schema][] => [
  ...Object.entries(properties).flatMap(([name, field]): [string, Schema][] => [
    [name, field],
    ...listFields(field).map(([inner, schema]): [string, Schema] => [`${name}.${inner}`, schema]),
  ]),
  ...(items ? [['[]', items] as [string, Schema]] : []),
]
