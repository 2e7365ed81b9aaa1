import type { Contract } from '../kit/contract.ts'

export type Schema = Record<string, unknown>

/** An operation with its schemas as the world sees them. */
export interface Described {
  contract: Contract
  body?: Schema | undefined
  answer?: Schema | undefined
}

/** What an object inside of others has to be longer than to be named, where it stands more than once. */
const leastNamed = 200

/**
 * Names the objects of a surface, each text once: a record after where its operations stand (`Product`), a page of records
 * `ProductPage`, any other body or answer after its operation (`ProductCreateBody`), and a large one that stands in more
 * than one place of them after the first (`ProductFeature`). A title says it otherwise. Answers what a schema is once the
 * named are referred to, and the named.
 */
export function nameSchemas(described: readonly Described[]) {
  const names = new Map<string, string>()
  const components: Record<string, Schema> = {}

  /** Gives the schema, unless it has one, its title or the first of these names that is free. */
  function name(schema: Schema, wanted: readonly string[]): string {
    const text = textOf(schema)
    const known = names.get(text)
    if (known !== undefined) return known
    const last = wanted.at(-1)!
    const numbered = Array.from({ length: 99 }, (_none, index) => `${last}${index + 2}`)
    const own = typeof schema.title === 'string' ? [schema.title] : []
    const chosen = [...own, ...wanted, ...numbered].find((one) => !(one in components))!
    names.set(text, chosen)
    components[chosen] = schema
    return chosen
  }

  const refer = (schema: Schema): Schema => {
    const known = names.get(textOf(schema))
    return known === undefined ? mapInner(schema, refer) : { $ref: `#/components/schemas/${known}` }
  }

  const placesOfGet = new Set(
    described.filter(({ contract }) => verbOf(contract) === 'Get').map(({ contract }) => placeOf(contract).join()),
  )
  for (const { contract, answer } of described)
    if (verbOf(contract) === 'Get' && isNameable(answer)) name(answer, namesAt(placeOf(contract)))
  for (const { contract, answer } of described) {
    const item = pageItemOf(answer)
    if (!item) continue
    const suffix =
      verbOf(contract) !== 'List' ? `${verbOf(contract)}Item` : placesOfGet.has(placeOf(contract).join()) ? 'Item' : ''
    name(answer!, [`${name(item, namesAt(placeOf(contract), suffix))}Page`])
  }
  for (const { contract, body, answer } of described) {
    const [place, verb] = [placeOf(contract), verbOf(contract)]
    const entry = body?.items as Schema | undefined
    if (entry !== undefined && (entry.anyOf || entry.properties)) name(entry, namesAt(place, `${verb}Item`))
    if (isNameable(body)) name(body, contract.bodySlot ? [pascal(contract.bodySlot)] : namesAt(place, `${verb}Body`))
    if (isNameable(answer)) name(answer, namesAt(place, `${verb}Answer`))
  }
  const counts = countInner(Object.values(components), names)
  const nameInner = (owner: string, schema: Schema, path: readonly string[]): void => {
    for (const [at, inner] of innerOf(schema)) {
      const here = at === undefined ? path : [...path, singular(pascal(at))]
      const text = textOf(inner)
      const isNew = !names.has(text)
      if (isNew && isLarge(inner) && counts.get(text)! > 1)
        nameInner(name(inner, [...new Set([`${owner}${here.at(-1)}`, `${owner}${here.join('')}`])]), inner, [])
      else if (isNew) nameInner(owner, inner, here)
    }
  }
  for (const [owner, schema] of Object.entries(components)) nameInner(owner, schema, [])
  return {
    refer,
    components: Object.fromEntries(
      Object.entries(components)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([named, schema]) => [named, mapInner(schema, refer)]),
    ),
  }
}

/** How often each schema stands inside of these: what stands in one that has or will have a name is counted once. */
function countInner(schemas: readonly Schema[], names: ReadonlyMap<string, string>): Map<string, number> {
  const counts = new Map<string, number>()
  const count = (schema: Schema): void => {
    for (const [, inner] of innerOf(schema)) {
      const text = textOf(inner)
      const before = counts.get(text) ?? 0
      counts.set(text, before + 1)
      if (!(names.has(text) || (before > 0 && isLarge(inner)))) count(inner)
    }
  }
  for (const schema of schemas) count(schema)
  return counts
}

const isLarge = (schema: Schema) => isNameable(schema) && textOf(schema).length > leastNamed

const isNameable = (schema: Schema | undefined): schema is Schema => schema?.properties !== undefined

/** The items of an answer that is a page. */
function pageItemOf(answer: Schema | undefined): Schema | undefined {
  const { items, totalPages } = (answer?.properties ?? {}) as Record<string, Schema | undefined>
  const item = items?.items as Schema | undefined
  return totalPages && isNameable(item) ? item : undefined
}

const verbOf = ({ name }: Contract) => pascal(name.split('.').at(-1)!)

/** Such as Admin, Product for admin.products.list. */
const placeOf = ({ name }: Contract) =>
  name
    .split('.')
    .slice(0, -1)
    .map((part) => singular(pascal(part)))

/** The names that a place gives: its last word, or as many more of them as it takes. */
const namesAt = (place: readonly string[], suffix = '') =>
  place.map((_word, index) => place.slice(-1 - index).join('') + suffix)

const pascal = (text: string) =>
  text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]|$)/g, (_all, first: string) => first.toUpperCase())

const singular = (word: string) => (word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/(?<=[^su])s$/, ''))

const texts = new WeakMap<Schema, string>()

function textOf(schema: Schema): string {
  const text = texts.get(schema) ?? JSON.stringify(schema)
  texts.set(schema, text)
  return text
}

const ofOne = ['items', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else', 'contains']
const ofMany = ['anyOf', 'oneOf', 'allOf', 'prefixItems']

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** The schemas right inside of one, with the property that each is of. */
function innerOf(schema: Schema): [string | undefined, Schema][] {
  const found: [string | undefined, Schema][] = []
  mapInner(schema, (inner, property) => {
    found.push([property, inner])
    return inner
  })
  return found
}

/** The schema with those right inside of it changed. */
export function mapInner(schema: Schema, change: (inner: Schema, property?: string) => Schema): Schema {
  const mapped = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === 'properties' || keyword === 'patternProperties')
      return [
        keyword,
        Object.fromEntries(
          Object.entries(value as Schema).map(([name, inner]) => [name, change(inner as Schema, name)]),
        ),
      ]
    if (ofOne.includes(keyword) && isSchema(value)) return [keyword, change(value)]
    if (ofMany.includes(keyword)) return [keyword, (value as Schema[]).map((inner) => change(inner))]
    return [keyword, value]
  })
  return Object.fromEntries(mapped)
}
