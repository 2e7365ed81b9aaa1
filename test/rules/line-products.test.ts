import { expect, test } from 'vitest'
import { lineProductIds, nameLineProducts } from '../../server/catalog/plan-sets/line-products.ts'

const cad = 'aaaaaaaa-0000-7000-8000-000000000001'
const nameOf = (id: string) => (id === cad ? { productCode: 'CAD', productVersion: '2.0' } : undefined)
const sole = { productCode: 'CAM', productVersion: null }

test.each([
  ['a line item names its product by id, letter case aside', cad.toUpperCase(), sole, 'CAD'],
  ['a line item without a product is about the sole member', undefined, sole, 'CAM'],
  ['null names no product', null, sole, 'CAM'],
])('%s', (_sentence, productId, member, productCode) => {
  const { plans, errors } = nameLineProducts([{ name: 'Pro', lineItems: [{ productId }] }], nameOf, member)
  expect(errors).toEqual([])
  expect(plans[0]!.lineItems[0]!.productCode).toBe(productCode)
})

test.each([
  ['no product where there is no sole member', undefined, 'a line item names its product'],
  ['a product that nobody has', 'bbbbbbbb-0000-7000-8000-000000000002', 'there is no product with that id'],
])('%s is an error at its place', (_sentence, productId, message) => {
  const plans = [{ name: 'Free' }, { name: 'Pro', lineItems: [{ productId: cad }, { productId }] }]
  expect(nameLineProducts(plans, nameOf, undefined).errors).toEqual([
    { pointer: '/plans/1/lineItems/1/productId', message },
  ])
})

test('the products of all line items are listed once each', () => {
  const lineItems = [{ productId: cad }, { productId: cad.toUpperCase() }, {}]
  expect(lineProductIds([{ lineItems }, {}, { lineItems }])).toEqual([cad])
})
