import { describe, expect, test } from 'vitest'
import { canonicalItem } from '../../catalog-schema/canonical.ts'
import { CatalogModel } from '../../catalog-schema/model.ts'
import { checkItem } from '../../catalog-schema/rules/items.ts'
import { expectGrowthBelow } from '../support/growth.ts'

const cad = { productCode: 'CAD', productVersion: '2' }

describe('an add-on', () => {
  const around = new CatalogModel()
  for (const product of [cad, { productCode: 'PDM', productVersion: null }])
    around.add('product', canonicalItem('product', { ...product, features: [{ featureCode: 'F' }] }))
  around.add('planSet', canonicalItem('planSet', { suiteCode: 'CAD@2', name: 'S', plans: [{ name: 'Pro' }] }))
  const within = new CatalogModel(around)
  within.add('planSet', canonicalItem('planSet', { suiteCode: 'CAD@2', name: 'T', plans: [{ name: 'Team' }] }))
  const judgeIn = (catalog: CatalogModel, item: object) =>
    checkItem('addOn', canonicalItem('addOn', { suiteCode: 'CAD@2', code: 'X', ...item }), catalog)

  test('is about features of products of its suite', () => {
    const { breaches } = judgeIn(around, {
      features: [
        { ...cad, featureCode: 'F' },
        { productCode: 'PDM', featureCode: 'F' },
      ],
    })
    expect(breaches).toEqual([
      {
        codeName: 'license.validation_error',
        path: '/features/PDM~1F/productCode',
        message: 'PDM is not a member of suite "CAD@2"',
      },
    ])
  })

  test.each<[string, string, object, string[]]>([
    ["adds as much to a tier's end as to its start", 'Add', { startUsage: 50, endUsage: 50 }, []],
    ['adds more to its end', 'Add', { startUsage: 50, endUsage: 70 }, []],
    [
      'adds no less to its end',
      'Add',
      { startUsage: 50, endUsage: 20 },
      ['endUsage what is added to the end is at least what is added to the start'],
    ],
    [
      'adds no less in percentages',
      'Add',
      { startPercentage: 5, endPercentage: 0 },
      ['endPercentage what is added to the end is at least what is added to the start'],
    ],
    [
      'has tiers of its own otherwise',
      'Max',
      { startUsage: 50, endUsage: 50 },
      ['endUsage a tier ends after it starts'],
    ],
  ])('%s', (_what, operation, tier, expected) => {
    const { breaches } = judgeIn(around, { featureValues: [{ featureCode: 'F', operation, usageTiers: [tier] }] })
    const at = '/featureValues/F/usageTiers/0/'
    expect(breaches.map(({ path, message }) => `${path.replace(at, '')} ${message}`)).toEqual(expected)
  })

  test('changes a feature of the first product that has it: its catalog entry before an attached one', () => {
    const catalog = new CatalogModel()
    const enumeration = (...values: string[]) => ({
      featureCode: 'F',
      featureType: 'Enumeration',
      enumOptions: values.map((value) => ({ value })),
    })
    const members = ['A', 'B', 'C'].map((productCode) => ({ productCode, productVersion: null }))
    catalog.add('product', canonicalItem('product', members[0]!))
    for (const [product, value] of [
      [members[1], 'attached'],
      [members[2], 'later'],
    ] as const)
      catalog.add('product', canonicalItem('product', { ...product, features: [enumeration(value)] }))
    catalog.add('suite', canonicalItem('suite', { code: 'ABC', members }))
    const featureValues = [{ featureCode: 'F', value: 'no' }]
    const offered = () =>
      judgeIn(catalog, { suiteCode: 'ABC', featureValues }).breaches.map(({ path, message }) => `${path} ${message}`)
    expect(offered()).toEqual(['/featureValues/F/value must be one of attached'])
    catalog.add('feature', canonicalItem('feature', { ...members[1], name: 'F', ...enumeration('entry') }))
    expect(offered()).toEqual(['/featureValues/F/value must be one of entry'])
    expect(judgeIn(catalog, { suiteCode: 'ABC', featureValues: [{ featureCode: 'G' }] }).breaches).toMatchObject([
      { codeName: 'catalog.unresolved_reference', path: '/featureValues/G/featureCode' },
    ])
  })

  test('of many values is judged value by value, however large its suite', () => {
    const judgeLarge = (size: number) => {
      const catalog = new CatalogModel()
      const members = Array.from({ length: size }, (_, n) => ({ productCode: `P${n}`, productVersion: null }))
      for (const member of members) catalog.add('product', canonicalItem('product', member))
      catalog.add('suite', canonicalItem('suite', { code: 'ALL', members }))
      const featureValues = Array.from({ length: 10 * size }, (_, n) => ({ featureCode: `F${n}` }))
      return () =>
        expect(judgeIn(catalog, { suiteCode: 'ALL', featureValues }).breaches).toHaveLength(featureValues.length)
    }
    // Eight times the values and the members: about 8 when they add up, 64 when each value looks at each member.
    expectGrowthBelow(32, judgeLarge(100), judgeLarge(800))
  })

  test('of a suite that is not known may be about any feature', () => {
    const features = [{ productCode: 'PDM', featureCode: 'F' }]
    expect(judgeIn(around, { suiteCode: 'ELSEWHERE', features }).breaches).toEqual([])
  })

  test.each<[string, CatalogModel, string[], string[]]>([
    ['every plan of the suite', around, [], []],
    ['a plan of the suite', around, ['Pro'], []],
    ['plans that several catalogs have together', within, ['Pro', 'Team'], []],
    ['a plan that nobody has', around, ['Pro', 'pro'], ['/featureValues/F/planTargets/1']],
  ])('may act on %s', (_what, catalog, planTargets, doubted) => {
    const { cautions } = judgeIn(catalog, { featureValues: [{ featureCode: 'F', value: 'true', planTargets }] })
    expect(cautions.map(({ code, path }) => `${code} ${path}`)).toEqual(
      doubted.map((path) => `plan_target_unknown ${path}`),
    )
  })
})
