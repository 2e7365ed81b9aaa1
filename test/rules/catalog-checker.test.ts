import { describe, expect, test } from 'vitest'
import { type Finding, mostFindings } from '../../catalog-schema/checker.ts'
import { checkSnapshot } from '../../catalog-schema/snapshot.ts'
import { expectGrowthBelow } from '../support/growth.ts'

const check = (part: object): Finding[] => checkSnapshot({ formatVersion: '1.0', ...part })
const product = (fields: object) => ({ products: [{ productCode: 'A', ...fields }] })
const plan = (fields: object) => ({ plans: [{ suiteCode: 'A', name: 'S', plans: [{ name: 'P', ...fields }] }] })

describe('a finding says where and what', () => {
  test.each<[object, string, string]>([
    [product({ nmae: 'A' }), '/products/0/nmae', 'there is no field "nmae" here'],
    [product({ 'a/b~c': 1 }), '/products/0/a~1b~0c', 'there is no field "a/b~c" here'],
    [{ products: [{}] }, '/products/0', '"productCode" is missing'],
    [product({ status: 'draft' }), '/products/0/status', 'must be one of Draft, Published, Retired'],
    [product({ status: null }), '/products/0/status', 'must be text, not null'],
    [product({ isLocked: 'yes' }), '/products/0/isLocked', 'must be true or false, not text'],
    [product({ isLocked: null }), '/products/0/isLocked', 'must be true or false, not null'],
    [product({ productVersion: 2 }), '/products/0/productVersion', 'must be text or null, not a number'],
    [product({ name: '' }), '/products/0/name', 'must not be empty'],
    [product({ name: 'x'.repeat(301) }), '/products/0/name', 'must be at most 300 characters long'],
    [
      { products: [{ productCode: ' A' }] },
      '/products/0/productCode',
      'must not begin or end with a blank, nor hold a control character',
    ],
    [
      { products: [{ productCode: 'A\u0007' }] },
      '/products/0/productCode',
      'must not begin or end with a blank, nor hold a control character',
    ],
    [product({ tags: 'Beta' }), '/products/0/tags', 'must be a list, not text'],
    [product({ features: {} }), '/products/0/features', 'must be a list, not an object'],
    [
      product({ expirationDate: '2026-02-30T00:00:00Z' }),
      '/products/0/expirationDate',
      'must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z',
    ],
    [product({ propertyValues: { '': {} } }), '/products/0/propertyValues', '"" is no name that can be used here'],
    [
      plan({ monthlyPrice: 'free' }),
      '/plans/0/plans/0/monthlyPrice',
      'must be a number, or a string that holds nothing but one',
    ],
    [
      plan({ monthlyPrice: ' 12' }),
      '/plans/0/plans/0/monthlyPrice',
      'must be a number, or a string that holds nothing but one',
    ],
    [plan({ monthlyPrice: true }), '/plans/0/plans/0/monthlyPrice', 'must be a number or null, not true'],
    [plan({ monthlyPrice: [] }), '/plans/0/plans/0/monthlyPrice', 'must be a number or null, not a list'],
    [plan({ monthlyPrice: -1 }), '/plans/0/plans/0/monthlyPrice', 'must be 0 or more'],
    [
      plan({ monthlyPrice: '9007199254740993' }),
      '/plans/0/plans/0/monthlyPrice',
      'cannot be kept exactly: a double would round it',
    ],
    [plan({ sortOrder: 1.5 }), '/plans/0/plans/0/sortOrder', 'must be a whole number of 32 bits'],
    [plan({ sortOrder: 2147483648 }), '/plans/0/plans/0/sortOrder', 'must be a whole number of 32 bits'],
    [plan({ currency: 5 }), '/plans/0/plans/0/currency', 'must be text or null, not a number'],
    [{ tags: [{ scope: 'Product', name: 'x', color: 'red' }] }, '/tags/0/color', 'must be a colour such as #1a2b3c'],
    [
      { entitlementOffers: [{ name: 'O', trialPolicy: { duration: '2 weeks' } }] },
      '/entitlementOffers/0/trialPolicy/duration',
      'must be an ISO 8601 duration such as P7D or PT1H',
    ],
    ...(
      [
        ['licensePolicy', 'leaseTime', 'PT0S'],
        ['licensePolicy', 'leaseTime', 'PT0.5S'],
        ['licensePolicy', 'inactivityTimeout', '00:00:00'],
        ['trialPolicy', 'duration', 'P0D'],
        ['anonymousTryPolicy', 'duration', 'P0Y'],
      ] as const
    ).map(([policy, field, duration]): [object, string, string] => [
      { entitlementOffers: [{ name: 'O', [policy]: { [field]: duration } }] },
      `/entitlementOffers/0/${policy}/${field}`,
      'must be a second or longer',
    ]),
    [
      { scope: ['product'] },
      '/scope/0',
      'must be one of tags, products, featureCatalog, monitoredAssets, suites, plans, addOns, entitlementOffers, ratingCampaigns',
    ],
    [{ references: { x: { presence: 'Here' } } }, '/references/x/presence', 'must be one of Included, External'],
    [{ counts: { products: '1' } }, '/counts/products', 'must be a whole number, not text'],
    [{ counts: { products: 1.5 } }, '/counts/products', 'must be a whole number, not a number'],
    [{ counts: { products: -1 } }, '/counts/products', 'must be >= 0'],
    [{ warnings: ['key_repeated'] }, '/warnings/0', 'must be an object, not text'],
    [{ warnings: [{ code: 'x', key: 'tag:Plan/x' }] }, '/warnings/0', '"message" is missing'],
    [{ warnings: [{ code: 'x', key: 5, message: 'x' }] }, '/warnings/0/key', 'must be text, not a number'],
    [
      { warnings: [{ code: 'x', key: 'x', message: 'x', path: '/' }] },
      '/warnings/0/path',
      'there is no field "path" here',
    ],
    [{ widgets: [] }, '/widgets', 'there is no field "widgets" here'],
    [{ products: {} }, '/products', 'must be a list or null, not an object'],
    [{ products: [null] }, '/products/0', 'must be an object, not null'],
  ])('%j', (part, pointer, message) => {
    expect(check(part)).toEqual([expect.objectContaining({ pointer, message })])
  })

  test('and, of a misspelt name, what there is', () => {
    const [finding] = check(product({ staus: 'Draft' }))
    expect(finding!.given).toBe('staus')
    expect(finding!.accepted).toContain('status')
  })

  test('of each of several, once', () => {
    expect(check(product({ a: 1, b: 2, name: 3 })).map(({ pointer }) => pointer)).toEqual([
      '/products/0/a',
      '/products/0/b',
      '/products/0/name',
    ])
  })

  test.each([null, 'text', 5, [], true])('for a document that is %j', (document) => {
    expect(checkSnapshot(document)).toEqual([expect.objectContaining({ pointer: '' })])
  })
})

describe('a check is bounded', () => {
  test('in how many findings it answers', () => {
    expect(check({ tags: Array(5000).fill(1) })).toHaveLength(mostFindings)
  })

  test('in what it looks for in one huge broken item', () => {
    const checkBroken = (length: number) => {
      const broken = product({ features: Array(length).fill(1) })
      return () => expect(check(broken).length).toBeGreaterThan(0)
    }
    // Of the larger one only the first fault is looked for: a hundred times the faults cost no more.
    expectGrowthBelow(10, checkBroken(10_000), checkBroken(1_000_000))
  })

  test('in what it repeats of the document', () => {
    const [finding] = check(product({ ['x'.repeat(100_000)]: 1 }))
    expect(finding!.message.length).toBeLessThan(200)
  })

  test('in the time that a hostile text takes', () => {
    const checkHostile = (length: number) => () => {
      for (const text of [`1${'0'.repeat(length)}x`, ' '.repeat(length), `P${'1'.repeat(length)}`])
        for (let round = 0; round < 20; round++)
          check({
            ...plan({ monthlyPrice: text, currency: text }),
            ...product({ productVersion: text, expirationDate: text }),
          })
    }
    // Eight times the length: at most about 8 when linear, 64 when quadratic.
    expectGrowthBelow(32, checkHostile(12_500), checkHostile(100_000))
  })
})

describe('a sound value is brought into canonical form in place', () => {
  test.each<[object, string, unknown]>([
    [plan({ monthlyPrice: '49.50' }), '/plans/0/plans/0/monthlyPrice', 49.5],
    [plan({ sortOrder: '2' }), '/plans/0/plans/0/sortOrder', 2],
    [plan({ monthlyPrice: -0 }), '/plans/0/plans/0/monthlyPrice', 0],
    [plan({ monthlyPrice: null }), '/plans/0/plans/0/monthlyPrice', null],
    [
      product({ expirationDate: '2026-01-31T12:00:00+02:00' }),
      '/products/0/expirationDate',
      '2026-01-31T10:00:00.000Z',
    ],
    [product({ features: [{ featureCode: 'F', value: 5 }] }), '/products/0/features/0/value', '5'],
    [product({ features: [{ featureCode: 'F', value: true }] }), '/products/0/features/0/value', 'true'],
    [
      { entitlementOffers: [{ name: 'O', licensePolicy: { leaseTime: '7.00:00:00' } }] },
      '/entitlementOffers/0/licensePolicy/leaseTime',
      'P7D',
    ],
  ])('%j', (part, pointer, value) => {
    const snapshot = { formatVersion: '1.0', ...structuredClone(part) }
    expect(checkSnapshot(snapshot)).toEqual([])
    expect(Object.is(valueAt(snapshot, pointer), value)).toBe(true)
  })

  test('and checking it again changes nothing', () => {
    const snapshot = { formatVersion: '1.0', ...plan({ monthlyPrice: '49.50' }) }
    checkSnapshot(snapshot)
    const once = JSON.stringify(snapshot)
    expect(checkSnapshot(snapshot)).toEqual([])
    expect(JSON.stringify(snapshot)).toBe(once)
  })
})

const valueAt = (value: unknown, pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .reduce((at, name) => (at as Record<string, unknown>)[name], value)
