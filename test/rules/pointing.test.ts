import { expect, test } from 'vitest'
import { positionIn } from '../../server/catalog/records/pointing.ts'

const planSet = {
  plans: [
    { name: 'Pro' },
    {
      name: 'a/b~c',
      lineItems: [
        { productCode: 'CAM' },
        { productCode: 'CAD', productVersion: '2.0', featureValues: [{ featureCode: 'SEATS', usageTiers: [{}, {}] }] },
      ],
    },
  ],
}

test.each([
  ['a field of the item', '/description', '/description'],
  ['a plan by its name', '/plans/Pro/monthlyPrice', '/plans/0/monthlyPrice'],
  ['a name with reserved characters', '/plans/a~1b~0c/currency', '/plans/1/currency'],
  ['a product without a version', '/plans/a~1b~0c/lineItems/CAM/productCode', '/plans/1/lineItems/0/productCode'],
  [
    'a tier, which has a number already',
    '/plans/a~1b~0c/lineItems/CAD@2.0/featureValues/SEATS/usageTiers/1/endUsage',
    '/plans/1/lineItems/1/featureValues/0/usageTiers/1/endUsage',
  ],
  ['a member that the request does not have, by name', '/plans/Team/monthlyPrice', '/plans/Team/monthlyPrice'],
])('%s is found at its position', (_sentence, path, pointer) => {
  expect(positionIn('planSet', planSet, path)).toBe(pointer)
})
