import { describe, expect, test } from 'vitest'
import { kinds, sectionOf } from '../../catalog-schema/order.ts'
import { validateCatalog } from '../../cli/tasks/validate.ts'
import { wholeCatalog } from '../api/snapshot/scene.ts'

type Json = Record<string, unknown>

const catalog = wholeCatalog() as unknown as Record<string, Json[]>
const findingsIn = (snapshot: unknown) => {
  const bytes = new TextEncoder().encode(JSON.stringify(snapshot, null, 1))
  return validateCatalog({ files: [{ name: 'a.json', bytes }], refusals: [] }).findings
}
const sound = new Set(findingsIn(catalog).map(({ pointer, message }) => `${pointer} ${message}`))

/** Every field of an item, of its objects and of those in its lists, as the way to its object and its name. */
function fieldsOf(value: unknown, at: string[] = []): { way: string[]; name: string }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(Array.isArray(value) ? [] : [{ way: at, name }]),
    ...fieldsOf(inner, [...at, name]),
  ])
}

/** What is said of a catalog of which one field is spoilt, beyond that field itself and what the sound catalog is told. */
function saidBeyond(
  section: string,
  index: number,
  { way, name }: { way: string[]; name: string },
  spoil: (object: Json) => void,
) {
  const spoilt = structuredClone(catalog)
  const object = way.reduce((inner, each) => inner[each] as Json, spoilt[section]![index]! as Json)
  spoil(object)
  const place = `/${[section, index, ...way, name].join('/')}`
  const findings = findingsIn(spoilt)
  expect(findings.some(({ pointer, severity }) => severity === 'error' && pointer.startsWith(place))).toBe(true)
  return findings
    .filter(({ pointer, message }) => !pointer.startsWith(place) && !sound.has(`${pointer} ${message}`))
    .map(({ pointer, message }) => ({ place, pointer, message }))
}

describe('of a field that is wrong nothing follows that it may be the cause of', () => {
  const cases = kinds.flatMap((kind) => (catalog[sectionOf[kind]] ?? []).map((item, index) => ({ kind, index, item })))
  test.each(cases)('in $kind $index', ({ kind, index, item }) => {
    const section = sectionOf[kind]
    for (const field of fieldsOf(item)) {
      if (field.way.includes('propertyValues')) continue
      const spoilt = (object: Json) => {
        object[field.name] = [[[]]]
      }
      const misspelt = { ...field, name: `${field.name}s` }
      const rename = (object: Json) => {
        object[misspelt.name] = object[field.name]
        delete object[field.name]
      }
      const ofItem = ({ pointer }: { pointer: string }) => pointer.startsWith(`/${section}/${index}/`)
      // What a name was meant to be cannot be told then: others that say it find nothing.
      expect.soft(saidBeyond(section, index, field, spoilt).filter(ofItem)).toEqual([])
      const isOther = ({ message }: { message: string }) => !/is missing$|^no (plan set|product) of suite/.test(message)
      expect.soft(saidBeyond(section, index, misspelt, rename).filter(isOther)).toEqual([])
    }
  })
})
