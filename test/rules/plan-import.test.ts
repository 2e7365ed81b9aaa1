import { describe, expect, test } from 'vitest'
import { CatalogModel } from '../../catalog-schema/model.ts'
import { planImport } from '../../catalog-schema/plan.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { applied, environmentOf } from '../support/applied-plan.ts'
import { expectGrowthBelow } from '../support/growth.ts'

type Part = Partial<Snapshot>
const snapshot = (part: Part): Snapshot => ({ formatVersion: '1.0', ...part })
const plan = (given: Part, held: Part = {}) => planImport(environmentOf(snapshot(held)), snapshot(given))
const faults = (given: Part, held: Part = {}) =>
  plan(given, held).errors.map(({ key, path, codeName }) => `${codeName} ${key} ${path}`)

const a = { productCode: 'A' }
const products = [a]
const onePlan = (fields: object = {}) => [{ name: 'P', ...fields }]

describe('what an item names', () => {
  test.each<[string, Part, string[]]>([
    [
      'a feature of a product that nobody has',
      { featureCatalog: [{ ...a, featureCode: 'F' }] },
      ['catalog.unresolved_reference feature:A/F /productCode'],
    ],
    [
      'a member that nobody has',
      { suites: [{ code: 'S', members: [a] }] },
      ['catalog.unresolved_reference suite:S /members/A/productCode'],
    ],
    [
      'a suite that nobody has',
      { plans: [{ suiteCode: 'A@1', name: 'P' }] },
      ['catalog.unresolved_reference plan-set:A@1/P /suiteCode'],
    ],
    [
      'a parent that nobody has',
      { products: [{ ...a, parentProductCode: 'B' }] },
      ['catalog.unresolved_reference product:A /parentProductCode'],
    ],
    [
      'a feature that the product has not',
      {
        products,
        plans: [
          { suiteCode: 'A', name: 'S', plans: onePlan({ lineItems: [{ featureValues: [{ featureCode: 'x/y%' }] }] }) },
        ],
      },
      ['catalog.unresolved_reference plan-set:A/S /plans/P/lineItems/A/featureValues/x~1y%/featureCode'],
    ],
    [
      'an odd feature code that would not decode',
      { products, addOns: [{ suiteCode: 'A', code: 'X', features: [{ ...a, featureCode: '%E0%A4%A' }] }] },
      ['catalog.unresolved_reference add-on:X /features/A~1%25E0%25A4%25A/featureCode'],
    ],
    [
      'a value for a feature of no member',
      { products, addOns: [{ suiteCode: 'A', code: 'X', featureValues: [{ featureCode: 'F' }] }] },
      ['catalog.unresolved_reference add-on:X /featureValues/F/featureCode'],
    ],
    [
      'a plan set that nobody has',
      {
        products,
        entitlementOffers: [{ name: 'O', assignedPlan: { suiteCode: 'A', planSetName: 'S', planName: 'P' } }],
      },
      ['catalog.unresolved_reference offer:O /assignedPlan/planSetName'],
    ],
    [
      'a plan that its set has not',
      {
        products,
        plans: [{ suiteCode: 'A', name: 'S' }],
        entitlementOffers: [{ name: 'O', assignedPlan: { suiteCode: 'A', planSetName: 'S', planName: 'P' } }],
      },
      ['catalog.unresolved_reference offer:O /assignedPlan/planName'],
    ],
    [
      'a feature attached to the product alone',
      {
        products: [{ ...a, features: [{ featureCode: 'F' }] }],
        addOns: [{ suiteCode: 'A', code: 'X', features: [{ ...a, featureCode: 'F' }] }],
      },
      [],
    ],
  ])('is looked for: %s', (_what, given, errors) => {
    expect(faults(given)).toEqual(errors)
  })

  test('may be in the environment', () => {
    expect(faults({ featureCatalog: [{ ...a, featureCode: 'F' }] }, { products })).toEqual([])
  })

  const external = { 'product:A': { kind: 'product', naturalKey: {}, presence: 'External' as const, referencedBy: [] } }
  test('is taken on trust offline when it is stated as External', () => {
    expect(faults({ featureCatalog: [{ ...a, featureCode: 'F' }], references: external })).toEqual([])
  })

  test('is not taken on trust when it is stated as Included', () => {
    const included = { 'product:A': { ...external['product:A'], presence: 'Included' as const } }
    expect(faults({ featureCatalog: [{ ...a, featureCode: 'F' }], references: included })).toHaveLength(1)
  })

  test('must be in a real environment, External or not', () => {
    expect(
      faults(
        { featureCatalog: [{ ...a, featureCode: 'F' }], references: external },
        { tags: [{ scope: 'Product', name: 'x' }] },
      ),
    ).toHaveLength(1)
  })
})

describe('one key twice', () => {
  test.each<[string, Part, string]>([
    ['two products', { products: [a, { ...a, productVersion: null }] }, 'catalog.duplicate_key product:A /productCode'],
    [
      'two tags that differ in case',
      {
        tags: [
          { scope: 'Product', name: 'x' },
          { scope: 'Product', name: 'X' },
        ],
      },
      'catalog.duplicate_key tag:Product/x /name',
    ],
    [
      'two plans',
      { products, plans: [{ suiteCode: 'A', name: 'S', plans: [{ name: 'P' }, { name: 'P' }] }] },
      'catalog.duplicate_key plan-set:A/S /plans/P',
    ],
    [
      'the sole member, named and not',
      { products, plans: [{ suiteCode: 'A', name: 'S', plans: onePlan({ lineItems: [{}, a] }) }] },
      'catalog.duplicate_key plan-set:A/S /plans/P/lineItems/A',
    ],
    ["a suite that is a product's own", { products, suites: [{ code: 'A' }] }, 'catalog.duplicate_key suite:A /code'],
    [
      "a product whose own suite is another's",
      { products: [{ productCode: 'A', productVersion: '1' }, { productCode: 'A@1' }] },
      'catalog.duplicate_key product:A@1 /productCode',
    ],
  ])('is refused: %s', (_what, given, error) => {
    expect(faults(given)).toContain(error)
  })

  test('is refused for a new product whose own suite is written down in the environment', () => {
    expect(faults({ products }, { suites: [{ code: 'A' }] })).toEqual(['catalog.duplicate_key product:A /productCode'])
  })

  test('is told with both places', () => {
    const b = { productCode: 'B' }
    const { errors } = plan({ products: [a, b, a, b] })
    expect(errors).toMatchObject([
      { index: 2, message: 'product:A stands twice in "products": at 0 and at 2' },
      { index: 3, message: 'product:B stands twice in "products": at 1 and at 3' },
    ])
  })

  test('costs no more however often it stands there', () => {
    const planDuplicates = (count: number) => {
      const many = Array.from({ length: 2 * count }, (_, index) => ({ productCode: `P${Math.min(index, count)}` }))
      return () => expect(planImport(new CatalogModel(), snapshot({ products: many })).errors).toHaveLength(count - 1)
    }
    // Eight times the items: about 8 when linear, 64 when quadratic.
    expectGrowthBelow(32, planDuplicates(500), planDuplicates(4_000))
  })
})

describe('parents', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['itself', { A: 'A' }, ['product:A']],
    ['each other', { A: 'B', B: 'A' }, ['product:A', 'product:B']],
    [
      'a circle of three that a fourth hangs on',
      { A: 'B', B: 'C', C: 'A', D: 'A' },
      ['product:A', 'product:B', 'product:C'],
    ],
    ['a chain', { A: 'B', B: 'C' }, []],
  ])('may not lead back to a product: %s', (_what, parents, refused) => {
    const names = new Set([...Object.keys(parents), ...Object.values(parents)])
    const given = [...names].map((productCode) => ({ productCode, parentProductCode: parents[productCode] ?? null }))
    const { errors } = plan({ products: given })
    expect(errors.map(({ key }) => key).sort()).toEqual(refused)
    expect(errors.every(({ path, code }) => path === '/parentProductCode' && code === 2000)).toBe(true)
  })

  test('come before their children', () => {
    const given = [
      { productCode: 'A', parentProductCode: 'Z' },
      { productCode: 'M', parentProductCode: 'A' },
      { productCode: 'Z' },
    ]
    expect(plan({ products: given }).items.map(({ key }) => key)).toEqual(['product:Z', 'product:A', 'product:M'])
  })

  test('are walked once, however long the chain', () => {
    const planChain = (length: number) => {
      const chain = Array.from({ length }, (_, index) => ({
        productCode: `P${index}`,
        parentProductCode: index ? `P${index - 1}` : null,
      }))
      return () => expect(planImport(new CatalogModel(), snapshot({ products: chain })).errors).toEqual([])
    }
    // Eight times the length: about 8 when linear, 64 when quadratic.
    expectGrowthBelow(32, planChain(500), planChain(4_000))
  })
})

describe('tags', () => {
  const registry = { tags: [{ scope: 'Product', name: 'Beta' }] }

  test('are created when an item names them, once, in the casing first written', () => {
    const { items } = plan({
      products: [
        { productCode: 'B', tags: ['NEW'] },
        { productCode: 'A', tags: ['new'] },
      ],
    })
    expect(items.map(({ key }) => key)).toEqual(['tag:Product/new', 'product:A', 'product:B'])
    expect(items.map(({ after }) => after.tags)).toEqual([undefined, ['new'], ['new']])
  })

  test("keep the registry's casing, on items and in the section", () => {
    const { items } = plan(
      { tags: [{ scope: 'Product', name: 'BETA', color: '#111111' }], products: [{ ...a, tags: ['beta'] }] },
      registry,
    )
    expect(items[0]).toMatchObject({
      key: 'tag:Product/Beta',
      action: 'update',
      changes: [{ path: '/color', before: null, after: '#111111' }],
    })
    expect(items[1]!.after.tags).toEqual(['Beta'])
  })

  test('of another vocabulary are other tags', () => {
    const { items } = plan({ products, featureCatalog: [{ ...a, featureCode: 'F', tags: ['beta'] }] }, registry)
    expect(items.map(({ key }) => key)).toContain('tag:FeatureCatalog/beta')
  })

  test('that an item names are not only here', () => {
    expect(plan({ tags: [], products: [{ ...a, tags: ['BETA'] }] }, registry).onlyHere).toEqual([])
  })

  test('that an item keeps without a word are only here', () => {
    const held = { ...registry, products: [{ ...a, tags: ['Beta'] }] }
    expect(plan({ tags: [], products }, held).onlyHere).toEqual([{ kind: 'tag', key: 'tag:Product/Beta' }])
  })
})

describe('a line item that names no product', () => {
  const line = { lineItems: [{ featureValues: [] }] }
  test.each<[string, Part]>([
    [
      "a product's own suite",
      {
        products: [{ productCode: 'A', productVersion: '2' }],
        plans: [{ suiteCode: 'A@2', name: 'S', plans: onePlan(line) }],
      },
    ],
    [
      'a written suite of one',
      {
        products: [{ productCode: 'A', productVersion: '2' }],
        suites: [{ code: 'S1', members: [{ productCode: 'A', productVersion: '2' }] }],
        plans: [{ suiteCode: 'S1', name: 'S', plans: onePlan(line) }],
      },
    ],
  ])('is about the sole member of %s', (_what, given) => {
    const { items, errors } = plan(given)
    expect(errors).toEqual([])
    expect(items.at(-1)!.after).toMatchObject({ plans: [{ lineItems: [{ productCode: 'A', productVersion: '2' }] }] })
  })

  test('is refused in a suite of two', () => {
    const both = [a, { productCode: 'B' }]
    expect(
      faults({
        products: both,
        suites: [{ code: 'S2', members: both }],
        plans: [{ suiteCode: 'S2', name: 'S', plans: onePlan(line) }],
      }),
    ).toEqual(['license.validation_error plan-set:S2/S /plans/P/lineItems//productCode'])
  })

  test('that is about no member is refused', () => {
    expect(
      faults({
        products: [a, { productCode: 'B' }],
        plans: [{ suiteCode: 'A', name: 'S', plans: onePlan({ lineItems: [{ productCode: 'B' }] }) }],
      }),
    ).toEqual(['license.validation_error plan-set:A/S /plans/P/lineItems/B/productCode'])
  })
})

describe('what only the environment has', () => {
  const held = {
    products: [a, { productCode: 'B' }],
    plans: [{ suiteCode: 'A', name: 'S', plans: [{ name: 'Old' }, { name: 'New' }] }],
  }

  test('is listed, with its members, and never planned away', () => {
    const { onlyHere, items } = plan(
      { products, plans: [{ suiteCode: 'A', name: 'S', plans: [{ name: 'New' }] }] },
      held,
    )
    expect(onlyHere).toEqual([
      { kind: 'product', key: 'product:B' },
      { kind: 'planSet', key: 'plan-set:A/S', path: '/plans/Old' },
    ])
    expect(items.map(({ action }) => action)).toEqual(['unchanged', 'unchanged'])
  })

  test.each<[string, Part]>([
    ['absent', {}],
    ['null', { products: null } as unknown as Part],
    ['not in scope', { products: [], scope: ['plans'] }],
  ])('is not compared where its section is %s', (_what, given) => {
    expect(plan(given, held)).toEqual({ items: [], onlyHere: [], errors: [], warnings: [] })
  })
})

describe('an item of the environment', () => {
  test.each<[string, Part, Part, string[]]>([
    [
      'goes on along its lifecycle',
      { products: [{ ...a, status: 'Draft' }] },
      { products: [{ ...a, status: 'Retired' }] },
      [],
    ],
    [
      'never back',
      { products: [{ ...a, status: 'Published' }] },
      { products: [{ ...a, status: 'Draft' }] },
      ['catalog.invalid_transition product:A /status'],
    ],
    [
      'is not edited while it is locked',
      { products: [{ ...a, isLocked: true }] },
      { products: [{ ...a, name: 'new' }] },
      ['catalog.in_use product:A /isLocked'],
    ],
    [
      'is edited as it is unlocked',
      { products: [{ ...a, isLocked: true }] },
      { products: [{ ...a, name: 'new', isLocked: false }] },
      [],
    ],
    [
      'may be given again while it is locked',
      { products: [{ ...a, isLocked: true }] },
      { products: [{ ...a, isLocked: true }] },
      [],
    ],
  ])('%s', (_what, held, given, errors) => {
    expect(faults(given, held)).toEqual(errors)
  })

  test('that breaks a rule since long is no obstacle while it stays as it is', () => {
    const environment = new CatalogModel()
    const { items } = planImport(
      environment,
      snapshot({ products, plans: [{ suiteCode: 'A', name: 'S', plans: onePlan({ monthlyPrice: 5 }) }] }),
    )
    const held = applied(environment, { items, onlyHere: [], errors: [], warnings: [] })
    const same = snapshot({ plans: [{ suiteCode: 'A', name: 'S', plans: onePlan({ monthlyPrice: 5 }) }] })
    expect(planImport(held, same).errors).toEqual([])
  })
})

test('a new item that has no name is called by its code', () => {
  const { items } = plan({ products, suites: [{ code: 'S' }], featureCatalog: [{ ...a, featureCode: 'F' }] })
  expect(items.map(({ after }) => after.name)).toEqual(['A', 'F', 'S'])
})

test('an item keeps its name when it is given none', () => {
  expect(plan({ products }, { products: [{ ...a, name: 'Acme' }] }).items[0]).toMatchObject({
    action: 'unchanged',
    after: { name: 'Acme' },
  })
})
