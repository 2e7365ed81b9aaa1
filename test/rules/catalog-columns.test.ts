import { describe, expect, test } from 'vitest'
import { addOnItemFields } from '../../catalog-schema/add-on.ts'
import { canonicalItem } from '../../catalog-schema/canonical.ts'
import { featureItemFields } from '../../catalog-schema/feature.ts'
import { metricItemFields } from '../../catalog-schema/metric.ts'
import { offerItemFields } from '../../catalog-schema/offer.ts'
import { type Kind, kinds } from '../../catalog-schema/order.ts'
import { planSetItemFields } from '../../catalog-schema/plan-set.ts'
import { productItemFields } from '../../catalog-schema/product.ts'
import { ratingCampaignItemFields } from '../../catalog-schema/rating-campaign.ts'
import { suiteItemFields } from '../../catalog-schema/suite.ts'
import { tagFields } from '../../catalog-schema/tag.ts'
import { filterFieldsOf, fromColumns, storedFields, toColumns } from '../../server/kit/records/columns.ts'

const itemFields = {
  tag: tagFields,
  product: productItemFields,
  feature: featureItemFields,
  monitoredAsset: metricItemFields,
  suite: suiteItemFields,
  planSet: planSetItemFields,
  addOn: addOnItemFields,
  entitlementOffer: offerItemFields,
  ratingCampaign: ratingCampaignItemFields,
} satisfies Record<Kind, object>

const examples: Record<Kind, object> = {
  tag: { scope: 'Product', name: 'Beta', color: '#aabbcc' },
  product: {
    productCode: 'A',
    name: 'A',
    isLocked: true,
    expirationDate: '2031-01-31T11:00:00.000Z',
    propertyValues: { p: { key: 'k' } },
    applicationScopes: ['a'],
    features: [{ featureCode: 'X' }],
    tags: ['t'],
  },
  feature: { productCode: 'A', featureCode: 'F', valueScore: 0.5, enumOptions: [{ value: 'v' }] },
  monitoredAsset: { productCode: 'A', metricName: 'm', name: 'M', balanceUsage: { initialCreditAmount: 1e21 } },
  suite: { code: 'S', name: 'S', members: [{ productCode: 'A' }] },
  planSet: { suiteCode: 'S', name: 'P', plans: [{ name: 'Pro', monthlyPrice: 0 }] },
  addOn: { suiteCode: 'S', code: 'AO', name: 'AO', featureValues: [{ featureCode: 'F' }] },
  entitlementOffer: {
    name: 'O',
    licensePolicy: { maxDeviceActivations: 2 },
    notValidBeforeDateTime: '0001-01-01T00:00:00.000Z',
  },
  ratingCampaign: {
    name: 'C',
    startsAt: '2031-01-31T11:00:00.000Z',
    targets: [{ productCode: 'A', featureCode: 'F' }],
  },
}

describe.each(kinds)('a %s', (kind) => {
  const fields = storedFields(itemFields[kind])

  test('is read from its columns as it was written, field by field in schema order', () => {
    for (const given of [examples[kind], {}]) {
      const item = canonicalItem(kind, given)
      const read = fromColumns(fields, toColumns(fields, item), { tags: item.tags })
      expect(read).toEqual(item)
      expect(Object.keys(read)).toEqual(Object.keys(item))
    }
  })

  test('has only texts, numbers and nulls in its columns', () => {
    for (const value of Object.values(toColumns(fields, canonicalItem(kind, examples[kind]))))
      expect(value === null || typeof value === 'string' || Number.isFinite(value)).toBe(true)
  })

  test('is filtered by its scalar fields alone', () => {
    const names = filterFieldsOf('t', fields).map(({ name }) => name)
    for (const name of ['tags', 'features', 'plans', 'members', 'productInformation', 'licensePolicy'])
      expect(names).not.toContain(name)
    expect(names).toContain(kind === 'suite' || kind === 'addOn' ? 'code' : 'name')
  })
})

test('a column is named after its field', () => {
  const columns = storedFields(itemFields.entitlementOffer).map(({ column }) => column)
  expect(columns).toContain('expiration_date_time')
  expect(columns).toContain('legal_notice_html')
  expect(columns).toContain(undefined)
})
