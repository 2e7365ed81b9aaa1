import { describe, expect, test } from 'vitest'
import { faults, type Part } from '../support/import-faults.ts'

const a = { productCode: 'A' }
const products = [a]

describe('a feature that somebody gives a value', () => {
  const sized = (...values: string[]) => ({
    featureCode: 'SIZE',
    featureType: 'Enumeration',
    enumOptions: values.map((value) => ({ value })),
  })
  const text = { featureCode: 'SIZE', featureType: 'Text' }
  const given = [{ featureCode: 'SIZE', value: 'M' }]
  const planSet = (fields: object = {}) => ({
    suiteCode: 'A',
    name: 'S',
    plans: [{ name: 'P', lineItems: [{ featureValues: given }] }],
    ...fields,
  })
  const users = {
    plans: [planSet()],
    addOns: [{ suiteCode: 'A', code: 'X', featureValues: given }],
    entitlementOffers: [{ name: 'O', products: [{ ...a, features: given }] }],
  }
  const lost = [
    'catalog.in_use plan-set:A/S /plans/P/lineItems/A/featureValues/SIZE/value',
    'catalog.in_use add-on:X /featureValues/SIZE/value',
    'catalog.in_use offer:O /products/A/features/SIZE/value',
  ]
  const entry = (fields: object) => [{ ...a, ...fields }]

  test.each<[string, Part, Part, string[]]>([
    ['does not lose it', { featureCatalog: entry(text) }, { featureCatalog: entry(sized('S')) }, lost],
    [
      'does not lose it where it is attached',
      { products: [{ ...a, features: [text] }] },
      { products: [{ ...a, features: [sized('S')] }] },
      lost,
    ],
    [
      'does not lose it to a new catalog entry',
      { products: [{ ...a, features: [text] }] },
      { featureCatalog: entry(sized('S')) },
      lost,
    ],
    ['may change otherwise', { featureCatalog: entry(text) }, { featureCatalog: entry(sized('M')) }, []],
    [
      'may lose it together with whom gives it',
      { featureCatalog: entry(text) },
      {
        featureCatalog: entry(sized('S')),
        plans: [
          planSet({ plans: [{ name: 'P', lineItems: [{ featureValues: [{ featureCode: 'SIZE', value: 'S' }] }] }] }),
        ],
      },
      lost.slice(1),
    ],
  ])('%s', (_what, held, changed, errors) => {
    expect(faults(changed, { products, ...users, ...held })).toEqual(errors)
  })
})
