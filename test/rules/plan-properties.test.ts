import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { briefItem, canonicalItem, mergeItem } from '../../catalog-schema/canonical.ts'
import { memberIdentity, readPathSegment } from '../../catalog-schema/member-names.ts'
import { CatalogModel } from '../../catalog-schema/model.ts'
import { itemSchemas, kinds, sectionOf } from '../../catalog-schema/order.ts'
import { pointerOf } from '../../catalog-schema/paths.ts'
import { planImport } from '../../catalog-schema/plan.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { applied, checked, environmentOf, exported } from '../support/applied-plan.ts'
import { generatedCatalogs } from '../support/generated-catalogs.ts'
import { partOf } from '../support/part-of-catalog.ts'

const runs = { numRuns: Number(process.env.LICET_PROPERTY_RUNS ?? 75) }
const catalogs = generatedCatalogs()
const numbers = fc.array(fc.nat(1000), { minLength: 7, maxLength: 40 })

/** Two catalogs that share keys: what an environment holds, and what is promoted into it. */
const pairs = fc
  .tuple(catalogs, catalogs, numbers, fc.boolean())
  .map(([one, other, part, kin]) => ({ held: one, given: kin ? mixed(one, other, part) : other }))

/** The first catalog's keys with the second one's fields, wherever both have an item in the same place. */
function mixed(one: Snapshot, other: Snapshot, part: readonly number[]): Snapshot {
  const thinned = partOf(one, part)
  for (const kind of kinds)
    thinned[sectionOf[kind]] = (thinned[sectionOf[kind]] ?? []).map((item, index) => {
      const donor = other[sectionOf[kind]]?.[index]
      return donor ? { ...item, ...Object.fromEntries(plainFields(donor)) } : item
    })
  return thinned
}
const plain = ['description', 'category', 'unit', 'units', 'externalId', 'applicationScopes', 'tags', 'productMetaData']
const plainFields = (item: Record<string, unknown>) => Object.entries(item).filter(([field]) => plain.includes(field))

/** The value with the keys of every object the other way round. */
const shuffle = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffle)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([field, inner]) => [field, shuffle(inner)]),
  )
}

describe('for every generated catalog', () => {
  test('an empty environment accepts it, and creates each item once', () => {
    fc.assert(
      fc.property(catalogs, (catalog) => {
        const plan = planImport(new CatalogModel(), checked(catalog))
        expect(plan.errors).toEqual([])
        expect(new Set(plan.items.map(({ key }) => key)).size).toBe(plan.items.length)
        expect(plan.items.every(({ action }) => action === 'create')).toBe(true)
      }),
      runs,
    )
  })

  test('importing it again changes nothing', () => {
    fc.assert(
      fc.property(catalogs, (catalog) => {
        const plan = planImport(environmentOf(catalog), checked(catalog))
        expect(plan.errors).toEqual([])
        expect(plan.items.filter(({ action }) => action !== 'unchanged')).toEqual([])
        expect(plan.items.flatMap(({ changes }) => changes)).toEqual([])
        expect(plan.onlyHere).toEqual([])
      }),
      runs,
    )
  })

  test('promoting a full export makes a new environment alike', () => {
    fc.assert(
      fc.property(catalogs, (catalog) => {
        const first = exported(environmentOf(catalog))
        expect(JSON.stringify(exported(environmentOf(first)))).toBe(JSON.stringify(first))
      }),
      runs,
    )
  })

  test('the order of items and keys does not change the plan', () => {
    fc.assert(
      fc.property(pairs, ({ held, given }) => {
        const environment = environmentOf(held)
        const turned = shuffle(given) as Snapshot
        for (const kind of kinds) turned[sectionOf[kind]] = [...(turned[sectionOf[kind]] ?? [])].reverse()
        const places = ({ index: _place, ...rest }: { index: number | undefined }) => rest
        const [one, other] = [planImport(environment, checked(given)), planImport(environment, checked(turned))]
        expect(other.items).toEqual(one.items)
        expect(other.onlyHere).toEqual(one.onlyHere)
        expect(other.errors.map(places)).toEqual(one.errors.map(places))
        expect(other.warnings.map(places)).toEqual(one.warnings.map(places))
      }),
      runs,
    )
  })

  test('completing an item that is complete changes nothing', () => {
    fc.assert(
      fc.property(catalogs, (catalog) => {
        for (const kind of kinds)
          for (const { item } of environmentOf(catalog).entries(kind))
            expect(JSON.stringify(canonicalItem(kind, item))).toBe(JSON.stringify(item))
      }),
      runs,
    )
  })

  test('a brief item completes to the item it was made of', () => {
    fc.assert(
      fc.property(catalogs, (catalog) => {
        for (const kind of kinds)
          for (const { item } of environmentOf(catalog).entries(kind))
            expect(canonicalItem(kind, briefItem(kind, item))).toEqual(item)
      }),
      runs,
    )
  })
})

describe('for every catalog imported into another', () => {
  test('importing it a second time changes nothing', () => {
    fc.assert(
      fc.property(pairs, ({ held, given }) => {
        const environment = environmentOf(held)
        const plan = planImport(environment, checked(given))
        fc.pre(plan.errors.length === 0)
        const again = planImport(applied(environment, plan), checked(given))
        expect(again.items.filter(({ action }) => action !== 'unchanged')).toEqual([])
      }),
      runs,
    )
  })

  test("a plan's items are what merging makes of the environment's", () => {
    fc.assert(
      fc.property(pairs, ({ held, given }) => {
        const environment = environmentOf(held)
        for (const { kind, before, after } of planImport(environment, checked(given)).items)
          expect(mergeItem(kind, before, after).after).toEqual(after)
      }),
      runs,
    )
  })

  test('what only the environment has stays, and is listed', () => {
    fc.assert(
      fc.property(catalogs, numbers, (catalog, part) => {
        const environment = environmentOf(catalog)
        const plan = planImport(environment, checked(partOf(catalog, part)))
        const after = applied(environment, plan)
        for (const kind of kinds)
          for (const { key, item } of environment.entries(kind)) {
            const kept = after.find(kind, key)
            expect(kept).toBeDefined()
            expect(missingMembers(itemSchemas[kind] as Schema, item, kept)).toEqual([])
          }
        for (const { kind, key, path } of plan.onlyHere)
          expect(leadsSomewhere(kind, environment.find(kind, key), path ?? '')).toBe(true)
      }),
      runs,
    )
  })

  test("every change's path leads to the change, on the side that has it", () => {
    fc.assert(
      fc.property(pairs, ({ held, given }) => {
        for (const { kind, before, after, changes } of planImport(environmentOf(held), checked(given)).items)
          for (const change of changes) {
            const side = change.after === null && before && leadsSomewhere(kind, before, change.path) ? before : after
            expect(valueAt(side, pointerOf(kind, side, change.path))).toEqual(
              side === after ? change.after : change.before,
            )
          }
      }),
      runs,
    )
  })

  test('neither the snapshot nor the environment is changed', () => {
    fc.assert(
      fc.property(pairs, ({ held, given }) => {
        const environment = environmentOf(held)
        const snapshot = checked(given)
        const were = JSON.stringify([exported(environment), snapshot])
        const frozen = freeze(snapshot)
        for (const kind of kinds) for (const { item } of environment.entries(kind)) freeze(item)
        planImport(environment, frozen)
        expect(JSON.stringify([exported(environment), snapshot])).toBe(were)
      }),
      runs,
    )
  })
})

/** The value an RFC 6901 pointer leads to. */
function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((at, segment) => (at as Record<string, unknown>)[readPathSegment(segment)], value)
}

/** Whether a path leads all the way. */
const leadsSomewhere = (kind: (typeof kinds)[number], item: unknown, path: string) =>
  pointerOf(kind, item, path).split('/').length === path.split('/').length

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) freeze(inner)
  return value
}

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  'x-named-by'?: readonly string[]
}

/** The named members, at any depth, that the first value has and the second has not. */
function missingMembers(schema: Schema, held: unknown, kept: unknown): string[] {
  const namedBy = schema['x-named-by']
  if (Array.isArray(held) && namedBy) {
    const of = (member: unknown) => memberIdentity(namedBy, member as Record<string, unknown>)
    const members = new Map((kept as unknown[]).map((member) => [of(member), member]))
    return held.flatMap((member) =>
      members.has(of(member)) ? missingMembers(schema.items ?? {}, member, members.get(of(member))) : [of(member)],
    )
  }
  if (!schema.properties || typeof held !== 'object' || held === null || kept === null) return []
  return Object.entries(schema.properties).flatMap(([field, inner]) =>
    missingMembers(inner, (held as Record<string, unknown>)[field], (kept as Record<string, unknown>)[field]),
  )
}
