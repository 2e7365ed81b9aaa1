import { describe, expect, test } from 'vitest'
import { isWritten } from '../../catalog-schema/paths.ts'
import type { ReportItem } from '../../cli/tasks/catalog-report.ts'
import { editedSince, stayingAfter, withEverySection, withoutImpossibleSteps } from '../../cli/tasks/rollback-plan.ts'

const item = (key: string, changes?: ReportItem['changes'], action: ReportItem['action'] = 'update'): ReportItem => ({
  kind: 'product',
  key,
  action,
  ...(changes && { changes }),
})
const price = (before: unknown, after: unknown) => ({ path: '/plans/Pro/monthlyPrice', before, after })
const name = (before: unknown, after: unknown) => ({ path: '/name', before, after })

describe('what putting back would change is as the import left it', () => {
  test.each<[string, ReportItem[], ReportItem[], string[]]>([
    [
      'when it undoes just what the import did',
      [item('product:A', [price(1, 2)])],
      [item('product:A', [price(2, 1)])],
      [],
    ],
    [
      'when others have undone a part of it already',
      [item('product:A', [price(1, 2), name('a', 'b')])],
      [item('product:A', [price(2, 1)])],
      [],
    ],
    [
      'and not when a field has another value since',
      [item('product:A', [price(1, 2)])],
      [item('product:A', [price(3, 1)])],
      ['product:A'],
    ],
    [
      'and not when another field changed since',
      [item('product:A', [price(1, 2)])],
      [item('product:A', [price(2, 1), name('c', 'a')])],
      ['product:A'],
    ],
    [
      'and not when it is gone since',
      [item('product:A', [price(1, 2)])],
      [item('product:A', undefined, 'create')],
      ['product:A'],
    ],
    [
      'and structures are told apart by what they hold',
      [item('product:A', [{ path: '/tags', before: ['x'], after: ['x', 'y'] }])],
      [item('product:A', [{ path: '/tags', before: ['x', 'y'], after: ['x'] }])],
      [],
    ],
    [
      'and what stays as it is does not matter',
      [item('product:A', [price(1, 2)])],
      [item('product:A', undefined, 'unchanged')],
      [],
    ],
  ])('%s', (_what, done, undo, edited) => {
    expect(editedSince({ items: done }, { items: undo })).toEqual(edited)
  })
})

test('what stays is what the import created, and the members that it added, as far as they are there still', () => {
  const added = { path: '/plans/New', before: null, after: { name: 'New' } }
  const imported = {
    items: [
      item('product:A', undefined, 'create'),
      item('plan-set:A/S', [added]),
      item('tag:Product/gone', undefined, 'create'),
    ],
  }
  const onlyHere = [
    { kind: 'product', key: 'product:A' },
    { kind: 'product', key: 'product:OTHER' },
    { kind: 'planSet', key: 'plan-set:A/S', path: '/plans/New' },
    { kind: 'planSet', key: 'plan-set:A/S', path: '/plans/Older' },
  ]
  expect(stayingAfter(imported, { onlyHere })).toEqual([
    { key: 'product:A', why: 'created by the import' },
    { key: 'plan-set:A/S', path: '/plans/New', why: 'added by the import' },
  ])
})

test('a status that cannot go back is taken out of the snapshot, of that item alone; other errors are left to be shown', () => {
  const snapshot = {
    formatVersion: '1.0',
    scope: ['products'],
    products: [
      { productCode: 'A', productVersion: null, status: 'Draft', name: 'a' },
      { productCode: 'B', productVersion: '1', status: 'Draft', name: 'b' },
    ],
  }
  const error = (key: string, codeName: 'catalog.invalid_transition' | 'catalog.in_use') => ({
    key,
    path: '/status',
    code: 3003,
    codeName,
    message: 'Published cannot become Draft',
  })
  const errors = [error('product:B@1', 'catalog.invalid_transition'), error('product:A', 'catalog.in_use')]
  const { snapshot: kept, staying } = withoutImpossibleSteps(snapshot, { errors })
  expect(staying).toEqual([{ key: 'product:B@1', path: '/status', why: 'Published cannot become Draft' }])
  expect(kept.products).toEqual([snapshot.products[0], { productCode: 'B', productVersion: '1', name: 'b' }])
  expect(withoutImpossibleSteps(snapshot, { errors: [] }).snapshot).toBe(snapshot)
})

test('with every section and no scope a comparison also says what only the environment has', () => {
  expect(withEverySection({ formatVersion: '1.0', scope: [], products: [{ productCode: 'A' }] })).toMatchObject({
    products: [{ productCode: 'A' }],
    tags: [],
    entitlementOffers: [],
  })
  expect(withEverySection({ formatVersion: '1.0', scope: [] })).not.toHaveProperty('scope')
})

describe('an item says something at a path', () => {
  const set = {
    suiteCode: 'A',
    name: 'S',
    plans: [{ name: 'Pro', monthlyPrice: null, lineItems: [{ featureValues: [{ featureCode: 'X', value: '1' }] }] }],
  }
  test.each([
    ['/plans/Pro', true],
    ['/plans/Pro/monthlyPrice', true],
    ['/plans/Pro/currency', false],
    ['/plans/Free', false],
    ['/plans/Free/monthlyPrice', false],
    ['/plans/Pro/lineItems/A/featureValues/X/value', true],
    ['/plans/Pro/lineItems/A/featureValues/Y', false],
    ['/description', false],
  ])('%s: %s', (path, written) => {
    expect(isWritten('planSet', set, path)).toBe(written)
  })
})
