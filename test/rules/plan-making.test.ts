import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalTags } from '../../catalog-schema/forms/plain.ts'
import { CatalogModel } from '../../catalog-schema/model.ts'
import { itemSchemas, kinds, sectionOf } from '../../catalog-schema/order.ts'
import { type PlanError, planImport } from '../../catalog-schema/plan.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { inNormalForm } from '../../cli/plan-files/normal-form.ts'
import { changedPart } from '../../cli/plan-files/planning.ts'
import { standingOf } from '../../cli/plan-files/standing.ts'
import { compareSnapshots } from '../../cli/tasks/compare-files.ts'
import { checked, environmentOf } from '../support/applied-plan.ts'
import { generatedCatalogs } from '../support/generated-catalogs.ts'
import { partOf } from '../support/part-of-catalog.ts'

const runs = { numRuns: Number(process.env.LICET_PROPERTY_RUNS ?? 60) }
const numbers = fc.array(fc.nat(1000), { minLength: 7, maxLength: 40 })

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  'x-named-by'?: readonly string[]
  'x-keeps-order'?: boolean
  'x-tags'?: boolean
}

/** The value with everything whose order means nothing the other way round. */
function turnedRound(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const entries = value.map((entry) => turnedRound(schema.items ?? {}, entry))
    if (schema['x-tags']) return [...(canonicalTags(entries) as string[])].reverse()
    return schema['x-named-by'] && !schema['x-keeps-order'] ? entries.reverse() : entries
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, field]) => [
    name,
    turnedRound(schema.properties?.[name] ?? {}, field),
  ])
  return Object.fromEntries(entries.reverse())
}

const turnedSnapshot = (snapshot: Snapshot): Snapshot => {
  const turned = { formatVersion: '1.0' } as Snapshot
  for (const kind of kinds)
    turned[sectionOf[kind]] = (snapshot[sectionOf[kind]] ?? [])
      .map((item) => turnedRound(itemSchemas[kind] as Schema, item) as Record<string, unknown>)
      .reverse()
  return turned
}

const cases = fc.tuple(generatedCatalogs(), numbers).map(([catalog, held]) => {
  const part = checked(partOf(catalog, held))
  const isSound = planImport(new CatalogModel(), part).errors.length === 0
  return { before: isSound ? part : checked({ formatVersion: '1.0' }), after: checked(catalog) }
})

describe('for every generated catalog', () => {
  test('what a plan would import is the same however the files are ordered, and says nothing else than they do', () => {
    fc.assert(
      fc.property(cases, ({ before, after }) => {
        const turned = checked(turnedSnapshot(after))
        const [one, other] = [compareSnapshots(before, after), compareSnapshots(before, turned)]
        const [first, second] = [changedPart(after, one.items), changedPart(turned, other.items)]
        expect(JSON.stringify(second)).toBe(JSON.stringify(first))
        for (const kind of kinds)
          for (const item of first[sectionOf[kind]] ?? [])
            expect(JSON.stringify(inNormalForm(kind, item))).toBe(JSON.stringify(item))
      }),
      runs,
    )
  })

  test('what a plan would import changes just what the whole changes', () => {
    fc.assert(
      fc.property(cases, ({ before, after }) => {
        const environment = environmentOf(before)
        const all = planImport(environment, after)
        const whole = all.items.filter(({ action }) => action !== 'unchanged')
        const report = compareSnapshots(before, after)
        const planned = planImport(environment, changedPart(after, report.items))
        const said = ({ key, path, message }: PlanError) => [key, path, message]
        expect(planned.errors.map(said)).toEqual(all.errors.map(said))
        const changed = planned.items.filter(({ action }) => action !== 'unchanged')
        expect(changed.map(({ key, after: item }) => [key, item])).toEqual(
          whole.map(({ key, after: item }) => [key, item]),
        )
      }),
      runs,
    )
  })
})

test('an item whose key only the environment can tell is planned all the same', () => {
  const after = checked({
    formatVersion: '1.0',
    plans: [
      { suiteCode: 'A@B', name: 'P' },
      { suiteCode: 'C', name: 'Q' },
    ],
  })
  const items = [{ kind: 'planSet', key: 'plan-set:A%40B/P', action: 'update' as const }]
  expect(changedPart(after, items).plans).toHaveLength(2)
})

describe('how an environment stands to a plan', () => {
  const change = { path: '/name', before: 'a', after: 'b' }
  const planned = [
    { kind: 'product', key: 'product:A', action: 'update' as const, changes: [change], fingerprint: 'f' },
    { kind: 'product', key: 'product:B', action: 'create' as const, fingerprint: null },
  ]
  test.each([
    ['as it was', planned, { done: [], pending: ['product:A', 'product:B'], moved: [] }],
    ['as the plan makes it', [], { done: ['product:A', 'product:B'], pending: [], moved: [] }],
    ['half of it done', [planned[1]!], { done: ['product:A'], pending: ['product:B'], moved: [] }],
    [
      'with another fingerprint',
      [{ ...planned[0]!, fingerprint: 'g' }],
      { done: ['product:B'], pending: [], moved: ['product:A'] },
    ],
    [
      'with another value before',
      [{ ...planned[0]!, changes: [{ ...change, before: 'x' }] }],
      { done: ['product:B'], pending: [], moved: ['product:A'] },
    ],
    [
      'with it gone',
      [{ ...planned[0]!, action: 'create' as const, changes: [], fingerprint: null }],
      { done: ['product:B'], pending: [], moved: ['product:A'] },
    ],
    [
      'with it made by somebody else',
      [{ ...planned[1]!, action: 'update' as const, changes: [change], fingerprint: 'g' }],
      { done: ['product:A'], pending: [], moved: ['product:B'] },
    ],
    [
      'with more to change than is shown',
      [...planned, { kind: 'tag', key: 'tag:Product/x', action: 'create' as const, fingerprint: null }],
      { done: [], pending: ['product:A', 'product:B'], moved: ['tag:Product/x'] },
    ],
    [
      'with what stays listed, too',
      [{ kind: 'product', key: 'product:A', action: 'unchanged' as const, fingerprint: 'h' }],
      { done: ['product:A', 'product:B'], pending: [], moved: [] },
    ],
  ])('%s', (_name, items, standing) => expect(standingOf({ items: planned }, { items })).toEqual(standing))
})
