import { describe, expect, test } from 'vitest'
import { memberIdentity, memberName, pathSegment } from '../../catalog-schema/member-names.ts'
import type { Kind } from '../../catalog-schema/order.ts'
import { pointerOf } from '../../catalog-schema/paths.ts'

test.each([
  ['a/b', 'a~1b'],
  ['a~b', 'a~0b'],
  ['~1', '~01'],
  ['plain', 'plain'],
])('the name %s is the segment %s (RFC 6901)', (name, segment) => {
  expect(pathSegment(name)).toBe(segment)
})

const planSet = {
  suiteCode: 'ACME-CAD@2.0',
  name: 'Standard',
  plans: [
    { name: 'Free' },
    {
      name: 'Pro/Plus~',
      lineItems: [
        {
          productCode: 'ACME-CAD',
          productVersion: '2.0',
          featureValues: [{ featureCode: 'SEATS', value: '3', usageTiers: [{ endUsage: 1 }, { endUsage: 2 }] }],
        },
      ],
    },
    { name: 'Sole', lineItems: [{ featureValues: [{ featureCode: 'SEATS' }] }] },
  ],
}
const product = {
  productCode: 'A',
  propertyValues: { 'a/b': { metadata: [{ key: 'x' }, { key: 'y', value: '1' }] } },
  tags: ['one', 'two'],
}
const addOn = {
  code: 'X',
  features: [
    { productCode: 'A/B', featureCode: 'C' },
    { productCode: 'A', featureCode: 'B/C' },
  ],
}

describe('the pointer of a path', () => {
  test.each<[string, Kind, object, string, string]>([
    ['the item itself', 'planSet', planSet, '', ''],
    ['a field', 'planSet', planSet, '/name', '/name'],
    ['a member by name', 'planSet', planSet, '/plans/Free', '/plans/0'],
    ['a member whose name is escaped', 'planSet', planSet, '/plans/Pro~1Plus~0/name', '/plans/1/name'],
    [
      'a field far inside',
      'planSet',
      planSet,
      '/plans/Pro~1Plus~0/lineItems/ACME-CAD@2.0/featureValues/SEATS/value',
      '/plans/1/lineItems/0/featureValues/0/value',
    ],
    [
      'a tier by index',
      'planSet',
      planSet,
      '/plans/Pro~1Plus~0/lineItems/ACME-CAD@2.0/featureValues/SEATS/usageTiers/1/endUsage',
      '/plans/1/lineItems/0/featureValues/0/usageTiers/1/endUsage',
    ],
    [
      'the line of the sole member, which names no product',
      'planSet',
      planSet,
      '/plans/Sole/lineItems/ACME-CAD@2.0/featureValues/SEATS/value',
      '/plans/2/lineItems/0/featureValues/0/value',
    ],
    ['the list, for a member that is not there', 'planSet', planSet, '/plans/Gone/name', '/plans'],
    ['where a field that is not written would be', 'planSet', planSet, '/description', '/description'],
    ['the same inside a member', 'planSet', planSet, '/plans/Free/currency', '/plans/0/currency'],
    [
      'the member, for a list in it that is not written',
      'planSet',
      planSet,
      '/plans/Free/lineItems/A/included',
      '/plans/0',
    ],
    ['no field that nothing has', 'planSet', planSet, '/plans/Free/colour', '/plans/0'],
    [
      'no field of a value that is none',
      'product',
      { productInformation: null },
      '/productInformation/displayVersion',
      '/productInformation',
    ],
    [
      'no entry beyond a list',
      'planSet',
      planSet,
      '/plans/Pro~1Plus~0/lineItems/ACME-CAD@2.0/featureValues/SEATS/usageTiers/2',
      '/plans/1/lineItems/0/featureValues/0/usageTiers',
    ],
    [
      'a member inside a map',
      'product',
      product,
      '/propertyValues/a~1b/metadata/y/value',
      '/propertyValues/a~1b/metadata/1/value',
    ],
    ['a list that is one value', 'product', product, '/tags', '/tags'],
    ['nothing of a prototype', 'product', product, '/constructor/name', ''],
    ['a feature of a product with a slash', 'addOn', addOn, '/features/A%2FB~1C', '/features/0'],
    ['a feature with a slash', 'addOn', addOn, '/features/A~1B%2FC', '/features/1'],
  ])('leads to %s', (_what, kind, item, path, pointer) => {
    expect(pointerOf(kind, item, path)).toBe(pointer)
  })
})

const byProduct = ['productCode', 'productVersion']
test('members whose names read alike are told apart', () => {
  const [one, other] = [{ productCode: 'A@1' }, { productCode: 'A', productVersion: '1' }]
  expect(memberName(byProduct, one)).toBe(memberName(byProduct, other))
  expect(memberIdentity(byProduct, one)).not.toBe(memberIdentity(byProduct, other))
})

test('a version that is null, empty or left out is the same', () => {
  const names = [
    { productCode: 'A' },
    { productCode: 'A', productVersion: null },
    { productCode: 'A', productVersion: '' },
  ]
  expect(new Set(names.map((name) => memberIdentity(byProduct, name))).size).toBe(1)
})
