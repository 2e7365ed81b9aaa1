import { describe, expect, test } from 'vitest'
import { identifyingField, keyOf, matchKey, naturalKeyOf } from '../../catalog-schema/keys.ts'
import { CatalogModel } from '../../catalog-schema/model.ts'
import type { Kind } from '../../catalog-schema/order.ts'

const cad = { productCode: 'ACME-CAD', productVersion: '2.0' }
const hostile = { productCode: 'a/b@c%', productVersion: '1/2@3' }

describe('the key string', () => {
  test.each<[string, Kind, object]>([
    ['tag:Product/Beta', 'tag', { scope: 'Product', name: 'Beta' }],
    ['product:ACME-CAD@2.0', 'product', cad],
    ['product:ACME-CAD', 'product', { productCode: 'ACME-CAD' }],
    ['product:ACME-CAD', 'product', { productCode: 'ACME-CAD', productVersion: null }],
    ['product:a%2Fb%40c%25@1%2F2%403', 'product', hostile],
    ['feature:ACME-CAD@2.0/EXPORT_STEP', 'feature', { ...cad, featureCode: 'EXPORT_STEP' }],
    ['feature:a%2Fb%40c%25@1%2F2%403/x%2Fy', 'feature', { ...hostile, featureCode: 'x/y' }],
    ['metric:ACME-CAD@2.0/export-step', 'monitoredAsset', { ...cad, metricName: 'export-step' }],
    ['suite:ACME-DESIGN', 'suite', { code: 'ACME-DESIGN' }],
    ['plan-set:ACME-DESIGN/Standard', 'planSet', { suiteCode: 'ACME-DESIGN', name: 'Standard' }],
    ['plan-set:ACME-CAD@2.0/Standard', 'planSet', { suiteCode: 'ACME-CAD@2.0', name: 'Standard' }],
    ['plan-set:ACME/100%25 off%2Fyear', 'planSet', { suiteCode: 'ACME', name: '100% off/year' }],
    ['add-on:RENDER-PACK', 'addOn', { code: 'RENDER-PACK', suiteCode: 'ACME' }],
    ['offer:CAD Team@1', 'entitlementOffer', { name: 'CAD Team', version: '1' }],
    ['offer:CAD Team', 'entitlementOffer', { name: 'CAD Team' }],
    ['offer:a%40b', 'entitlementOffer', { name: 'a@b', version: null }],
  ])('is %s', (key, kind, item) => {
    expect(keyOf(kind, item)).toBe(key)
  })
})

describe('the key string of a suite whose code holds an @', () => {
  const model = new CatalogModel()
  model.add('product', hostile)
  model.add('product', cad)
  model.add('suite', { code: 'team@home', members: [] })

  test.each([
    ["a product's own", 'a/b@c%@1/2@3', 'plan-set:a%2Fb%40c%25@1%2F2%403/S'],
    ["another product's own", 'ACME-CAD@2.0', 'plan-set:ACME-CAD@2.0/S'],
    ['one that is written down', 'team@home', 'plan-set:team%40home/S'],
    ['one that nobody knows', 'who@7', 'plan-set:who@7/S'],
  ])('knows %s', (_which, suiteCode, key) => {
    expect(model.keyOf('planSet', { suiteCode, name: 'S' })).toBe(key)
  })
})

test.each<[Kind, object, object]>([
  ['product', { productCode: 'A', name: 'A' }, { productCode: 'A', productVersion: null }],
  ['planSet', { suiteCode: 'A', name: 'S' }, { code: 'A', name: 'S' }],
  ['entitlementOffer', { name: 'O', version: '1' }, { name: 'O', version: '1' }],
  ['feature', { ...cad, featureCode: 'F' }, { ...cad, featureCode: 'F' }],
])('the natural key of a %s is spelled as references spell it', (kind, item, naturalKey) => {
  expect(naturalKeyOf(kind, item)).toEqual(naturalKey)
})

test.each<[Kind, string]>([
  ['tag', 'name'],
  ['product', 'productCode'],
  ['feature', 'featureCode'],
  ['monitoredAsset', 'metricName'],
  ['planSet', 'name'],
  ['entitlementOffer', 'name'],
])('an error about the identity of a %s points at its %s', (kind, field) => {
  expect(identifyingField(kind)).toBe(field)
})

describe('letter case', () => {
  test.each([
    ['Beta', 'BETA'],
    ['Çore', 'çORE'],
    ['ΣΑΣ', 'σασ'],
    ['İx', 'ix'],
  ])('does not tell the tags %s and %s apart', (one, other) => {
    expect(matchKey('tag', `tag:Product/${one}`)).toBe(matchKey('tag', `tag:Product/${other}`))
  })

  test('tells the names of every other kind apart', () => {
    expect(matchKey('product', 'product:Acme')).not.toBe(matchKey('product', 'product:ACME'))
  })

  test('is kept as a tag was first written', () => {
    const model = new CatalogModel()
    model.add('tag', { scope: 'Product', name: 'Beta' })
    expect(model.heldKey('tag', 'tag:Product/bETA')).toBe('tag:Product/Beta')
  })
})

test("of two products whose own suites would share a code the first has it, and an environment's before a snapshot's", () => {
  const environment = new CatalogModel()
  environment.declareProduct({ productCode: 'A@1' })
  const above = new CatalogModel(environment)
  above.declareProduct({ productCode: 'A', productVersion: '1' })
  expect(above.ownSuiteOf('A@1')).toBe('A%401')
})
