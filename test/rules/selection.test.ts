import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CatalogModel } from '../../catalog-schema/model.ts'
import { kinds, sectionOf } from '../../catalog-schema/order.ts'
import { planImport } from '../../catalog-schema/plan.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { Problem } from '../../cli/problems.ts'
import { isMeant, readPatterns } from '../../cli/selection/patterns.ts'
import { selectPart } from '../../cli/selection/selecting.ts'
import { checked, environmentOf } from '../support/applied-plan.ts'
import { generatedCatalogs } from '../support/generated-catalogs.ts'
import { partOf } from '../support/part-of-catalog.ts'

const product = (productCode: string, more: object = {}) => ({ productCode, name: productCode, ...more })
const catalog = (sections: Partial<Snapshot>): Snapshot => checked({ formatVersion: '1.0', ...sections })
const keysOf = (environment: CatalogModel, snapshot: Snapshot) =>
  planImport(environment, snapshot).items.map(({ key }) => key)

const plansOf = ({ plans }: Snapshot) => plans![0]!.plans as object[]

describe('a selection', () => {
  const whole = catalog({
    tags: [
      { scope: 'Product', name: 'Beta', color: '#ff0000' },
      { scope: 'Product', name: 'Unused' },
    ],
    products: [product('CAD', { tags: ['beta'] }), product('CAM'), product('OTHER')],
    featureCatalog: [
      { productCode: 'CAD', featureCode: 'EXPORT', name: 'Export' },
      { productCode: 'CAD', featureCode: 'IMPORT', name: 'Import' },
    ],
    suites: [{ code: 'DESIGN', name: 'Design', members: [{ productCode: 'CAD' }, { productCode: 'CAM' }] }],
    plans: [
      {
        suiteCode: 'DESIGN',
        name: 'Standard',
        plans: [
          {
            name: 'Pro',
            lineItems: [{ productCode: 'CAD', featureValues: [{ featureCode: 'EXPORT', value: 'true' }] }],
          },
        ],
      },
    ],
    entitlementOffers: [
      { name: 'Team', assignedPlan: { suiteCode: 'DESIGN', planSetName: 'Standard', planName: 'Pro' } },
    ],
  })

  test('brings along what it needs and the environment lacks, however far away, and nothing else', () => {
    const { snapshot, selection } = selectPart(new CatalogModel(), whole, { only: ['offer:*'], exclude: [] })
    expect(selection.alsoNeeded).toEqual([
      { key: 'tag:Product/Beta', neededBy: 'product:CAD' },
      { key: 'product:CAD', neededBy: 'plan-set:DESIGN/Standard' },
      { key: 'product:CAM', neededBy: 'suite:DESIGN' },
      { key: 'feature:CAD/EXPORT', neededBy: 'plan-set:DESIGN/Standard' },
      { key: 'suite:DESIGN', neededBy: 'plan-set:DESIGN/Standard' },
      { key: 'plan-set:DESIGN/Standard', neededBy: 'offer:Team' },
    ])
    expect(keysOf(new CatalogModel(), snapshot)).toEqual([...selection.alsoNeeded.map(({ key }) => key), 'offer:Team'])
    expect(planImport(new CatalogModel(), snapshot).errors).toEqual([])
  })

  test('leaves what the environment has otherwise as it is, where the items can be imported all the same', () => {
    const held = structuredClone(whole)
    held.suites![0]!.name = 'Old'
    delete held.entitlementOffers
    const given = structuredClone(whole)
    given.plans![0]!.status = 'Published'
    given.products![0]!.name = 'Renamed'
    const { snapshot, selection } = selectPart(environmentOf(held), given, { only: ['offer:*'], exclude: [] })
    expect(selection.alsoNeeded).toEqual([])
    expect(keysOf(environmentOf(held), snapshot)).toEqual(['offer:Team'])
  })

  test('brings along what the environment must have otherwise, and no more of what differs', () => {
    const held = structuredClone(whole)
    held.suites![0]!.name = 'Old'
    delete held.entitlementOffers
    const given = structuredClone(whole)
    plansOf(given).push({ name: 'Max' })
    Object.assign(given.entitlementOffers![0]!.assignedPlan!, { planName: 'Max' })
    const { snapshot, selection } = selectPart(environmentOf(held), given, { only: ['offer:*'], exclude: [] })
    expect(selection.alsoNeeded).toEqual([{ key: 'plan-set:DESIGN/Standard', neededBy: 'offer:Team' }])
    expect(planImport(environmentOf(held), snapshot).errors).toEqual([])
  })

  test('brings along the plan that an add-on is for, where the environment has its plan set without it', () => {
    const held = structuredClone(metered)
    held.addOns = []
    plansOf(held).push({ name: 'Old' })
    const given = structuredClone(metered)
    given.plans![0]!.description = 'Changed'
    const chosen = { only: ['add-on:*'], exclude: [] }
    expect(selectPart(environmentOf(held), given, chosen).selection.alsoNeeded).toEqual([])
    plansOf(given).push({ name: 'Max' })
    const [value] = given.addOns![0]!.featureValues as object[]
    Object.assign(value!, { planTargets: ['Max'] })
    const { snapshot, selection } = selectPart(environmentOf(held), given, chosen)
    expect(selection.alsoNeeded).toEqual([{ key: 'plan-set:CAD/Standard', neededBy: 'add-on:MORE' }])
    expect(planImport(environmentOf(held), snapshot).warnings).toEqual([])
  })

  test('leaves out what is excluded, and refuses to where something needs it', () => {
    const kept = selectPart(new CatalogModel(), whole, { only: [], exclude: ['product:OTHER', 'tag:*'] })
    expect(kept.selection.alsoNeeded).toEqual([])
    expect(kept.snapshot.products).toHaveLength(2)
    expect(kept.snapshot.tags).toBeUndefined()
    const refused = thrownBy(() =>
      selectPart(new CatalogModel(), whole, { only: ['offer:*'], exclude: ['product:CAM'] }),
    )
    expect(refused.codeName).toBe('cli.usage')
    expect(refused.message).toMatch(/^product:CAM is excluded, but suite:DESIGN needs it/)
  })

  test('names the nearest keys when a pattern means nothing', () => {
    const refused = thrownBy(() => selectPart(new CatalogModel(), whole, { only: ['product:CAT'], exclude: [] }))
    expect(refused.message).toBe('--only product:CAT is nothing in this catalog.')
    expect(refused.details.hint).toMatch(/product:CAD or product:CAM/)
  })

  test('means nothing that differs in letter case, and names it', () => {
    for (const [pattern, hint] of [
      ['product:cad', 'product:CAD'],
      ['Product:c*', 'product:CAD or product:CAM'],
    ] as const) {
      const refused = thrownBy(() => selectPart(new CatalogModel(), whole, { only: [pattern], exclude: [] }))
      expect(refused.message).toBe(`--only ${pattern} is nothing in this catalog.`)
      expect(refused.details.hint).toBe(hint)
    }
    const excluding = { only: ['product:CAD'], exclude: ['tag:product/BETA'] }
    expect(selectPart(new CatalogModel(), whole, excluding).snapshot.products).toHaveLength(1)
  })

  const metered = catalog({
    products: [product('CAD', { features: [{ featureCode: 'SEATS', usageMetric: 'seats-used' }] })],
    featureCatalog: [
      { productCode: 'CAD', featureCode: 'EXPORT', name: 'Export', featureType: 'Metered', metricName: 'exports' },
    ],
    monitoredAssets: [
      {
        productCode: 'CAD',
        metricName: 'exports',
        meteredUsage: { usageTiers: [{ quotaUsagePolicy: 'AllowWithOverage', fundingBalanceMetric: 'credits' }] },
      },
      { productCode: 'CAD', metricName: 'credits', balanceUsage: {} },
      { productCode: 'CAD', metricName: 'seats-used' },
      { productCode: 'CAD', metricName: 'unused' },
    ],
    plans: [
      {
        suiteCode: 'CAD',
        name: 'Standard',
        plans: [
          {
            name: 'Pro',
            lineItems: [{ productCode: 'CAD', featureValues: [{ featureCode: 'EXPORT', metricName: 'exports' }] }],
          },
        ],
      },
      { suiteCode: 'CAD', name: 'Other', plans: [{ name: 'Free' }] },
    ],
    addOns: [
      {
        suiteCode: 'CAD',
        code: 'MORE',
        featureValues: [{ featureCode: 'EXPORT', value: '5', operation: 'Add', planTargets: ['Pro'] }],
      },
    ],
  })

  test.each([
    ['feature:*', ['metric:CAD/credits', 'metric:CAD/exports', 'metric:CAD/seats-used']],
    ['product:*', ['metric:CAD/seats-used']],
    ['plan-set:*/Standard', ['metric:CAD/credits', 'metric:CAD/exports', 'metric:CAD/seats-used']],
    ['add-on:*', ['metric:CAD/credits', 'metric:CAD/exports', 'metric:CAD/seats-used', 'plan-set:CAD/Standard']],
    ['metric:*/unused', ['metric:CAD/seats-used']],
  ])('%s brings along the metrics and plans that it names', (only, expected) => {
    const { selection } = selectPart(new CatalogModel(), metered, { only: [only], exclude: [] })
    const brought = selection.alsoNeeded.map(({ key }) => key).filter((key) => /^(?:metric|plan-set):/.test(key))
    expect(brought).toEqual(expected)
  })

  test('leaves out a metric or a plan that is named and excluded, for an import takes what names it', () => {
    const chosen = { only: ['add-on:*'], exclude: ['metric:*', 'plan-set:*'] }
    const { snapshot } = selectPart(new CatalogModel(), metered, chosen)
    expect(keysOf(new CatalogModel(), snapshot)).toEqual(['product:CAD', 'feature:CAD/EXPORT', 'add-on:MORE'])
    expect(planImport(new CatalogModel(), snapshot).errors).toEqual([])
  })

  test('goes on past an item that is broken and not needed', () => {
    const broken = catalog({
      ...whole,
      products: [...whole.products!, product('BROKEN', { parentProductCode: 'NOPE' })],
    })
    const { snapshot } = selectPart(new CatalogModel(), broken, { only: ['product:CAD'], exclude: [] })
    expect(planImport(new CatalogModel(), snapshot).errors).toEqual([])
  })

  test('brings along the feature that a product gives a value to, where its type changes', () => {
    const withType = (featureType: string, value: string | null) =>
      catalog({
        products: [product('CAD', { features: [{ featureCode: 'SIZE', value }] })],
        featureCatalog: [{ productCode: 'CAD', featureCode: 'SIZE', name: 'Size', featureType }],
      })
    const held = environmentOf(withType('Boolean', null))
    const { snapshot, selection } = selectPart(held, withType('Numeric', '7'), { only: ['product:CAD'], exclude: [] })
    expect(selection.alsoNeeded).toEqual([{ key: 'feature:CAD/SIZE', neededBy: 'product:CAD' }])
    expect(planImport(held, snapshot).warnings).toEqual([])
  })

  test('brings along what would be left behind without its change', () => {
    const size = (values: string[]) => ({
      productCode: 'CAD',
      featureCode: 'SIZE',
      name: 'Size',
      featureType: 'Enumeration',
      enumOptions: values.map((value) => ({ value })),
    })
    const values = (value: string) => ({
      suiteCode: 'CAD',
      name: 'Plans',
      plans: [{ name: 'P', lineItems: [{ productCode: 'CAD', featureValues: [{ featureCode: 'SIZE', value }] }] }],
    })
    const held = catalog({
      products: [product('CAD')],
      featureCatalog: [{ ...size([]), featureType: 'Text' }],
      plans: [values('XL')],
    })
    const given = catalog({ products: [product('CAD')], featureCatalog: [size(['S', 'M'])], plans: [values('M')] })
    const { selection } = selectPart(environmentOf(held), given, { only: ['feature:*'], exclude: [] })
    expect(selection.alsoNeeded).toEqual([{ key: 'plan-set:CAD/Plans', neededBy: 'feature:CAD/SIZE' }])
  })

  test('reaches through what stays as it is where a chain of parents would close', () => {
    const chain = (c: object, b: object) =>
      catalog({ products: [product('A', { parentProductCode: 'B' }), product('B', b), product('C', c)] })
    const held = chain({}, { parentProductCode: 'C' })
    const given = chain({ parentProductCode: 'A' }, { parentProductCode: null })
    const { snapshot } = selectPart(environmentOf(held), given, { only: ['product:C'], exclude: [] })
    expect(planImport(environmentOf(held), snapshot).errors).toEqual([])
    expect(snapshot.products).toHaveLength(2)
  })
})

const runs = { numRuns: Number(process.env.LICET_PROPERTY_RUNS ?? 60) }
const numbers = fc.array(fc.nat(1000), { minLength: 7, maxLength: 40 })

/** What an environment holds and a catalog that shares much of it, with patterns that mean some of its keys. */
const cases = fc
  .tuple(generatedCatalogs(), generatedCatalogs(), numbers, numbers, fc.integer({ min: 1, max: 4 }))
  .map(([one, other, held, given, count]) => {
    const environment = environmentOf(
      checked(held[0]! % 3 === 0 ? { formatVersion: '1.0' } : reachable(partOf(one, held))),
    )
    const snapshot = checked(given[0]! % 2 === 0 ? one : mergedSections(one, other))
    const keys = planImport(environment, snapshot).items.map(({ key }) => key)
    const patterns = Array.from({ length: count }, (_, index) => {
      const key = keys[given[index % given.length]! % keys.length]!
      return given[index % given.length]! % 3 === 0 ? `${key.slice(0, key.indexOf(':') + 2)}*` : key
    })
    return { environment, snapshot, patterns }
  })

/** A part of a catalog that an empty environment accepts: the whole where leaving things out broke it. */
function reachable(part: Snapshot): Snapshot {
  const clean = planImport(new CatalogModel(), checked(part)).errors.length === 0
  return clean ? part : { formatVersion: '1.0' }
}

const mergedSections = (one: Snapshot, other: Snapshot): Snapshot => {
  const both = { formatVersion: '1.0' } as Snapshot
  for (const kind of kinds) both[sectionOf[kind]] = [...(one[sectionOf[kind]] ?? []), ...(other[sectionOf[kind]] ?? [])]
  return planImport(new CatalogModel(), checked(both)).errors.length === 0 ? both : one
}

describe('for every generated catalog and any patterns', () => {
  test('what is selected can be imported where the whole can, has every item that is meant, and nothing that is not needed', () => {
    let importable = 0
    fc.assert(
      fc.property(cases, ({ environment, snapshot, patterns }) => {
        const whole = planImport(environment, snapshot)
        const chosen = { only: readPatterns({ only: patterns }).only, exclude: [] }
        const part = unlessUnmatched(() => selectPart(environment, snapshot, chosen))
        if (!part) return
        const plan = planImport(environment, part.snapshot)
        if (whole.errors.length === 0) {
          importable++
          expect(plan.errors).toEqual([])
          expect(whole.warnings.map(saidOf)).toEqual(expect.arrayContaining(plan.warnings.map(saidOf)))
        }
        const came = new Set(part.selection.alsoNeeded.map(({ key }) => key))
        const actions = new Map(whole.items.map(({ key, action }) => [key, action]))
        for (const kind of kinds)
          for (const item of part.snapshot[sectionOf[kind]] ?? []) expect(snapshot[sectionOf[kind]]).toContain(item)
        for (const { key, action } of plan.items) {
          const isImplied = key.startsWith('tag:') && !came.has(key)
          expect(isImplied || came.has(key) || isMeant(chosen, key)).toBe(true)
          if (came.has(key)) expect(['create', 'update']).toContain(action)
          expect(isImplied || actions.has(key)).toBe(true)
        }
        const held = new Set(plan.items.map(({ key }) => key))
        for (const key of actions.keys())
          if (isMeant(chosen, key) && !key.startsWith('tag:')) expect(held.has(key)).toBe(true)
      }),
      runs,
    )
    expect(importable).toBeGreaterThan(runs.numRuns / 4)
  })

  test('everything selected is the whole', () => {
    fc.assert(
      fc.property(cases, ({ environment, snapshot }) => {
        const part = selectPart(environment, snapshot, { only: ['*:*'], exclude: [] })
        expect(part.selection.alsoNeeded).toEqual([])
        expect(keysOf(environment, part.snapshot)).toEqual(keysOf(environment, snapshot))
      }),
      runs,
    )
  })

  test('what is excluded is left out, or the refusal names it', () => {
    fc.assert(
      fc.property(cases, ({ environment, snapshot, patterns }) => {
        const chosen = { only: [], exclude: readPatterns({ exclude: patterns }).exclude }
        let keys: string[] = []
        try {
          keys = keysOf(environment, selectPart(environment, snapshot, chosen).snapshot)
        } catch (error) {
          expect((error as Problem).codeName).toBe('cli.usage')
          return
        }
        for (const key of keys) expect(key.startsWith('tag:') || isMeant(chosen, key)).toBe(true)
      }),
      runs,
    )
  })
})

const saidOf = ({ code, key, path }: { code: string; key: string; path: string }) => `${code} ${key} ${path}`

/** Undefined where a pattern means only tags that nobody wrote down. */
function unlessUnmatched<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem && / is nothing in this catalog/.test(error.message)) return undefined
    throw error
  }
}

function thrownBy(work: () => unknown): Problem {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
