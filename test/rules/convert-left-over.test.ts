import { expect, test } from 'vitest'
import { readSnapshot } from '../../cli/catalog-files/snapshot-reading.ts'
import { findLeftOver } from '../../cli/tasks/convert/left-over.ts'
import { convertPriceList } from '../../cli/tasks/convert/price-list.ts'
import { layOutCatalog } from '../../cli/tasks/convert/writing.ts'

const limit = { valueType: 'NUMERIC', defaultValue: 5, type: 'RENEWABLE', unit: 'GB/month' }
const filesOf = (fields: object) =>
  layOutCatalog(convertPriceList({ saasName: 'Acme', plans: { PRO: {} }, ...fields }).snapshot)
const readTogether = (...layers: { name: string; text: string }[][]) => {
  const texts = new Map(layers.flat().map(({ name, text }) => [name, text]))
  return readSnapshot({ files: [...texts].map(([name, text]) => ({ name, bytes: Buffer.from(text) })), refusals: [] })
}

const now = convertPriceList({ saasName: 'Acme', plans: { PRO: {} }, addOns: { other: {} } }).snapshot
const [before, other, written] = [
  filesOf({ addOns: { more: {}, other: {} }, usageLimits: { quota: limit } }),
  filesOf({ saasName: 'Other', addOns: { more: {} } }),
  layOutCatalog(now),
]

test('an add-on that the price list has no more is left over, at its place; what was written anew is not', () => {
  expect(findLeftOver('d1', readTogether(before, written), now)).toEqual([
    {
      file: 'd1/add-ons/acme_more.yaml',
      line: 2,
      col: 5,
      subject: 'addOns.*',
      message: expect.stringMatching(
        /^add-on:ACME_MORE is still in the catalog, .*delete it .*retire it on the server/,
      ),
    },
  ])
})

test('features, metrics and plan sets of the product are left over wherever they stand', () => {
  const byHand = { name: 'mine.yaml', text: 'plans:\n  - suiteCode: ACME\n    name: Old\n' }
  const earlier = before.filter(({ name }) => name.startsWith('products/'))
  const moved = earlier.map(({ text }) => ({ name: 'elsewhere.yaml', text }))
  const found = findLeftOver('d1', readTogether(moved, [byHand], written), now)
  expect(found.map(({ file, message }) => `${file} ${message.split(' ')[0]}`)).toEqual([
    'd1/elsewhere.yaml feature:ACME/QUOTA',
    'd1/elsewhere.yaml metric:ACME/quota',
    'd1/mine.yaml plan-set:ACME/Old',
  ])
})

test('other products, other versions, offers and tags are not', () => {
  const text = `
tags: [{scope: FeatureCatalog, name: Charts}]
products: [{productCode: ACME, productVersion: '2'}]
featureCatalog: [{productCode: ACME, productVersion: '2', featureCode: A}]
entitlementOffers: [{name: Trial, products: [{productCode: ACME}]}]
`
  expect(findLeftOver('d1', readTogether(other, [{ name: 'mine.yaml', text }], written), now)).toEqual([])
})
