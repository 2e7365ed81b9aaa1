import { describe, expect, test } from 'vitest'
import { compileCheck } from '../../catalog-schema/checker.ts'
import { metricFields } from '../../catalog-schema/metric.ts'
import { productItemFields } from '../../catalog-schema/product.ts'
import { Problem } from '../../server/kit/problem.ts'
import { applyBody, bodyOf, readBody } from '../../server/kit/records/body.ts'

const clears = { clearExpirationDate: 'expirationDate' } as const
const check = compileCheck(bodyOf(productItemFields, ['productCode', 'name'], clears))
const complaints = (body: object) => check({ productCode: 'A', name: 'A', ...body }).map(({ pointer }) => pointer)

describe('a body', () => {
  test.each([
    [{}],
    [{ description: null, tags: null, features: null, isLocked: null, status: null, productInformation: null }],
    [{ description: '', productVersion: '', externalId: '' }],
    [{ productInformation: { displayVersion: null, supportUrl: '' } }],
    [{ features: [{ featureCode: 'X', isEnabled: null, sortOrder: null, enumOptions: null, featureType: null }] }],
    [{ propertyValues: { gone: null, kept: { key: null, metadata: null } } }],
    [{ clearExpirationDate: true }],
    [{ clearExpirationDate: null }],
  ])('may say %j', (body) => {
    expect(complaints(body)).toEqual([])
  })

  test.each([
    [{ name: null }, '/name'],
    [{ name: '' }, '/name'],
    [{ status: '' }, '/status'],
    [{ expirationDate: '' }, '/expirationDate'],
    [{ productVersion: ' 1' }, '/productVersion'],
    [{ features: [null] }, '/features/0'],
    [{ features: [{ featureCode: null }] }, '/features/0/featureCode'],
    [{ tags: [null] }, '/tags/0'],
    [{ clearExpirationDate: 'yes' }, '/clearExpirationDate'],
    [{ clearName: true }, '/clearName'],
  ])('may not say %j', (body, pointer) => {
    expect(complaints(body)).toEqual([pointer])
  })
})

describe('reading a body', () => {
  const read = (body: object) => readBody(productItemFields, body, clears)

  test.each([
    [{ description: null, name: 'B' }, { name: 'B' }],
    [
      { description: '', name: '' },
      { description: null, name: '' },
    ],
    [{ clearExpirationDate: true }, { expirationDate: null }],
    [{ clearExpirationDate: false, expirationDate: null }, {}],
    [{ productInformation: { supportUrl: '', displayVersion: null } }, { productInformation: { supportUrl: null } }],
    [{ features: [{ featureCode: 'X', value: null, name: '' }] }, { features: [{ featureCode: 'X', name: '' }] }],
    [{ propertyValues: { a: null, b: { value: null } } }, { propertyValues: { b: {} } }],
  ])('%j says %j', (body, given) => {
    expect(read(body)).toEqual(given)
  })

  test('a field both given and cleared is refused', () => {
    expect(() => read({ clearExpirationDate: true, expirationDate: '2031-01-01T00:00:00Z' })).toThrow(Problem)
  })
})

describe('what a body makes of an item', () => {
  const before = {
    productCode: 'A',
    metricName: 'm',
    name: 'M',
    unit: 'u',
    tags: ['a', 'b'],
    meteredUsage: { consumptionPeriod: 'Daily', accumulationMethod: 'Volume', usageTiers: [{ startUsage: 1 }] },
  }

  test('objects merge field by field, lists replace the stored one, the rest stays', () => {
    const after = applyBody('monitoredAsset', metricFields, before, {
      tags: ['c'],
      meteredUsage: { consumptionPeriod: 'Weekly' },
    })
    expect(after).toMatchObject({ name: 'M', unit: 'u', tags: ['c'] })
    expect(after.meteredUsage).toMatchObject({
      consumptionPeriod: 'Weekly',
      accumulationMethod: 'Volume',
      usageTiers: [{ startUsage: 1, baseCredits: 0 }],
    })
  })

  test('an object that was none starts from its defaults; null takes it away', () => {
    const none = applyBody('monitoredAsset', metricFields, before, { meteredUsage: null })
    expect(none.meteredUsage).toBe(null)
    expect(applyBody('monitoredAsset', metricFields, none, { meteredUsage: {} }).meteredUsage).toEqual({
      consumptionPeriod: 'Monthly',
      accumulationMethod: 'Sliced',
      usageTiers: [],
    })
  })
})
