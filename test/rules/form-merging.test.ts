import { describe, expect, test } from 'vitest'
import { briefItem, canonicalItem, changesBetween, mergeItem } from '../../catalog-schema/canonical.ts'
import { keepingOrder } from '../../catalog-schema/forms/member-order.ts'
import type { Kind } from '../../catalog-schema/order.ts'

const merge = (kind: Kind, held: object, given: object) => {
  const before = canonicalItem(kind, held)
  const { after, kept, repeated } = mergeItem(kind, before, given)
  return { before, after, kept, repeated, changes: changesBetween(kind, before, after) }
}
const set = (...plans: object[]) => ({ suiteCode: 'A', name: 'S', plans })
const feature = (...values: string[]) => ({
  productCode: 'A',
  featureCode: 'F',
  enumOptions: values.map((value) => ({ value })),
})

describe('an absent field', () => {
  test.each<[string, Kind, object, object]>([
    ['leaves a text as it is', 'product', { productCode: 'A', description: 'old' }, { productCode: 'A' }],
    ['leaves a price as it is', 'planSet', set({ name: 'P', monthlyPrice: 9 }), set({ name: 'P' })],
    ['leaves a list as it is', 'product', { productCode: 'A', applicationScopes: ['x'] }, { productCode: 'A' }],
    ['leaves a policy as it is', 'entitlementOffer', { name: 'O', trialPolicy: {} }, { name: 'O' }],
    [
      'leaves what a policy says beside as it is',
      'entitlementOffer',
      { name: 'O', trialPolicy: { duration: 'P3D' } },
      { name: 'O', trialPolicy: { enabled: true } },
    ],
    [
      'leaves a plan as it is',
      'entitlementOffer',
      { name: 'O', assignedPlan: { suiteCode: 'A', planSetName: 'S', planName: 'P' } },
      { name: 'O' },
    ],
  ])('%s', (_what, kind, held, given) => {
    const { before, after, changes } = merge(kind, held, given)
    expect(after).toBe(before)
    expect(changes).toEqual([])
  })

  test('is its default on create', () => {
    expect(canonicalItem('product', { productCode: 'A', name: 'A' })).toMatchObject({
      description: null,
      status: 'Draft',
      isLocked: false,
      tags: [],
      propertyValues: {},
      productInformation: null,
    })
  })
})

describe('null is a value', () => {
  test.each<[string, Kind, object, object, string, unknown]>([
    [
      'clears a price',
      'planSet',
      set({ name: 'P', monthlyPrice: 9 }),
      set({ name: 'P', monthlyPrice: null }),
      '/plans/P/monthlyPrice',
      9,
    ],
    [
      'clears a text',
      'product',
      { productCode: 'A', description: 'x' },
      { productCode: 'A', description: null },
      '/description',
      'x',
    ],
    [
      'takes a policy away',
      'entitlementOffer',
      { name: 'O', trialPolicy: {} },
      { name: 'O', trialPolicy: null },
      '/trialPolicy',
      { enabled: true, duration: 'P14D', startsOn: 'Activation' },
    ],
  ])('that %s', (_what, kind, held, given, path, was) => {
    expect(merge(kind, held, given).changes).toEqual([{ path, before: was, after: null }])
  })
})

describe('named members', () => {
  test('are merged by name wherever they stand, and what only the environment has stays', () => {
    const { after, kept, changes } = merge(
      'planSet',
      set({ name: 'Free' }, { name: 'Legacy/1' }, { name: 'Pro', sortOrder: 2, monthlyPrice: 49, currency: 'EUR' }),
      set({ name: 'Pro', monthlyPrice: 59 }, { name: 'Team' }, { name: 'Free' }),
    )
    expect((after.plans as { name: string }[]).map(({ name }) => name)).toEqual(['Free', 'Legacy/1', 'Team', 'Pro'])
    expect(kept).toEqual(['/plans/Legacy~11'])
    expect(changes.map(({ path }) => path)).toEqual(['/plans/Team', '/plans/Pro/monthlyPrice'])
  })

  test('are told of when they are given twice, at any depth', () => {
    const line = (...codes: string[]) => ({
      productCode: 'A',
      productVersion: '1',
      featureValues: codes.map((featureCode) => ({ featureCode })),
    })
    const { repeated } = mergeItem(
      'planSet',
      undefined,
      set({ name: 'P', lineItems: [line('X', 'Y', 'X'), line('Z')] }),
    )
    expect(repeated).toEqual([
      { path: '/plans/P/lineItems/A@1/featureValues/X', name: 'X' },
      { path: '/plans/P/lineItems/A@1', name: 'A@1' },
    ])
  })

  test('of a map are merged by key', () => {
    const { after, kept, changes } = merge(
      'product',
      { productCode: 'A', propertyValues: { b: { value: '1' }, 'x/y': { value: '2' } } },
      { productCode: 'A', propertyValues: { b: { value: '3' }, a: {} } },
    )
    expect(Object.keys(after.propertyValues as object)).toEqual(['a', 'b', 'x/y'])
    expect(kept).toEqual(['/propertyValues/x~1y'])
    expect(changes.map(({ path }) => path)).toEqual(['/propertyValues/a', '/propertyValues/b/value'])
  })
})

describe('any other list is one value', () => {
  test('scopes are replaced whole', () => {
    expect(
      merge(
        'product',
        { productCode: 'A', applicationScopes: ['x', 'y'] },
        { productCode: 'A', applicationScopes: ['y'] },
      ).changes,
    ).toEqual([{ path: '/applicationScopes', before: ['x', 'y'], after: ['y'] }])
  })

  test('tags are a set: their order and repetition make no difference', () => {
    const { before, after } = merge(
      'product',
      { productCode: 'A', tags: ['a', 'b'] },
      { productCode: 'A', tags: ['b', 'a', 'B'] },
    )
    expect(after).toBe(before)
  })

  test('tiers are replaced whole and compared by index', () => {
    const metric = (...ends: (number | null)[]) => ({
      productCode: 'A',
      metricName: 'm',
      meteredUsage: { usageTiers: ends.map((endUsage) => ({ endUsage })) },
    })
    const { changes } = merge('monitoredAsset', metric(10, 20, null), metric(10, 30))
    expect(changes.map(({ path, before, after }) => [path, typeof before, after])).toEqual([
      ['/meteredUsage/usageTiers/1/endUsage', 'number', 30],
      ['/meteredUsage/usageTiers/2', 'object', null],
    ])
  })

  test('the plan of an offer is replaced whole, its fields in one order', () => {
    const held = { name: 'O', assignedPlan: { suiteCode: 'A', planSetName: 'S', planName: 'P' } }
    const same = merge('entitlementOffer', held, {
      name: 'O',
      assignedPlan: { planName: 'P', planSetName: 'S', suiteCode: 'A' },
    })
    expect(same.after).toBe(same.before)
    const other = merge('entitlementOffer', held, {
      name: 'O',
      assignedPlan: { planName: 'Q', planSetName: 'S', suiteCode: 'A' },
    })
    expect(other.changes.map(({ path }) => path)).toEqual(['/assignedPlan'])
    expect(Object.keys(other.after.assignedPlan as object)).toEqual(['suiteCode', 'planSetName', 'planName'])
  })
})

describe("options stay in the writer's order", () => {
  test.each([
    [
      ['S', 'M', 'L'],
      ['S', 'M', 'L'],
      ['S', 'M', 'L'],
    ],
    [
      ['S', 'M', 'L'],
      ['S', 'L'],
      ['S', 'M', 'L'],
    ],
    [
      ['S', 'M', 'L'],
      ['XS', 'S', 'XL', 'L', 'XXL'],
      ['XS', 'S', 'XL', 'M', 'L', 'XXL'],
    ],
    [
      ['S', 'M', 'L'],
      ['L', 'S'],
      ['L', 'S', 'M'],
    ],
    [['S', 'M'], [], ['S', 'M']],
    [[], ['b', 'a'], ['b', 'a']],
  ])('%j, then %j, gives %j', (stored, given, order) => {
    expect(keepingOrder(stored, given)).toEqual(order)
    expect(keepingOrder(order, given)).toEqual(order)
  })

  test('and another order is a change of the list', () => {
    expect(merge('feature', feature('S', 'M'), feature('M', 'S')).changes).toEqual([
      { path: '/enumOptions', before: ['S', 'M'], after: ['M', 'S'] },
    ])
    expect(merge('feature', feature('S', 'L'), feature('S', 'M', 'L')).changes).toEqual([
      { path: '/enumOptions/M', before: null, after: { value: 'M', description: null } },
    ])
  })
})

describe('members of a canonical item', () => {
  test.each<[string, Kind, object, string, unknown[]]>([
    [
      'plans by sortOrder, then name',
      'planSet',
      set({ name: 'b', sortOrder: 1 }, { name: 'z' }, { name: 'a', sortOrder: 1 }),
      'plans',
      ['z', 'a', 'b'],
    ],
    ['tags by name', 'product', { productCode: 'A', tags: ['é', 'z', 'B', 'a'] }, 'tags', ['B', 'a', 'z', 'é']],
  ])('stand in order: %s', (_what, kind, item, list, order) => {
    const members = canonicalItem(kind, item)[list] as unknown[]
    expect(members.map((member) => (member as { name?: string }).name ?? member)).toEqual(order)
  })
})

describe('a brief item', () => {
  test.each<[string, Kind, object, object]>([
    [
      'leaves out nulls, empty lists and defaults',
      'product',
      {
        productCode: 'A',
        name: 'A',
        description: null,
        tags: [],
        status: 'Draft',
        isLocked: false,
        propertyValues: {},
      },
      { productCode: 'A', name: 'A' },
    ],
    [
      'keeps what is not the default',
      'product',
      { productCode: 'A', name: 'A', status: 'Retired' },
      { productCode: 'A', name: 'A', status: 'Retired' },
    ],
    [
      'keeps a policy that is all defaults',
      'entitlementOffer',
      { name: 'O', trialPolicy: {} },
      { name: 'O', trialPolicy: {} },
    ],
    ['keeps a price of nothing', 'planSet', set({ name: 'P', monthlyPrice: 0 }), set({ name: 'P', monthlyPrice: 0 })],
    [
      'keeps an empty text',
      'product',
      { productCode: 'A', name: 'A', description: '' },
      { productCode: 'A', name: 'A', description: '' },
    ],
    [
      'keeps an empty property',
      'product',
      { productCode: 'A', name: 'A', propertyValues: { x: {} } },
      { productCode: 'A', name: 'A', propertyValues: { x: {} } },
    ],
    [
      'keeps a tier that is all defaults',
      'monitoredAsset',
      { productCode: 'A', metricName: 'm', name: 'm', meteredUsage: { usageTiers: [{}] } },
      { productCode: 'A', metricName: 'm', name: 'm', meteredUsage: { usageTiers: [{}] } },
    ],
  ])('%s', (_what, kind, item, brief) => {
    expect(briefItem(kind, canonicalItem(kind, item))).toEqual(brief)
  })
})
