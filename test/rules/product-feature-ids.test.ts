import { expect, test } from 'vitest'
import { canonicalItem } from '../../catalog-schema/canonical.ts'
import type { Product } from '../../catalog-schema/product.ts'
import { toItemFeatures, toStoredFeatures } from '../../server/catalog/products/feature-ids.ts'

const featuresOf = (features: object[]) =>
  (canonicalItem('product', { productCode: 'A', features }) as unknown as Product).features

const counting = () => {
  let n = 0
  return () => `id-${++n}`
}

test('a feature keeps its id and birth by code; only a changed one is touched', () => {
  const first = toStoredFeatures(featuresOf([{ featureCode: 'A' }, { featureCode: 'B' }]), [], 10, counting())
  expect(
    first.map(({ id, createdAt, updatedAt, revisionNumber }) => [id, createdAt, updatedAt, revisionNumber]),
  ).toEqual([
    ['id-1', 10, 10, 1],
    ['id-2', 10, 10, 1],
  ])
  const changed = featuresOf([{ featureCode: 'B' }, { featureCode: 'A', value: '1' }, { featureCode: 'C' }])
  const second = toStoredFeatures(changed, first, 20, () => 'new')
  expect(
    Object.fromEntries(
      second.map(({ featureCode, ...record }) => [
        featureCode,
        [record.id, record.createdAt, record.updatedAt, record.revisionNumber],
      ]),
    ),
  ).toEqual({ A: ['id-1', 10, 20, 2], B: ['id-2', 10, 10, 1], C: ['new', 20, 20, 1] })
  expect(toItemFeatures(second)).toEqual(changed)
})
