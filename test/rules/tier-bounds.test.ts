import { expect, test } from 'vitest'
import { canonicalItem } from '../../catalog-schema/canonical.ts'
import { CatalogModel } from '../../catalog-schema/model.ts'
import { checkItem } from '../../catalog-schema/rules/items.ts'

const usage = (startUsage: number | null, endUsage: number | null) => ({ startUsage, endUsage })
const percentage = (startPercentage: number, endPercentage: number | null) => ({ startPercentage, endPercentage })

test.each<[string, object[], string[]]>([
  ['that adjoin each other', [usage(0, 5), usage(5, null)], []],
  ['of which the second begins where the first ends', [usage(null, 5), usage(null, null)], []],
  ['in another order', [usage(5, null), usage(0, 5)], []],
  ['in percentages', [percentage(0, 80), percentage(80, 100), percentage(100, null)], []],
  [
    'that leave usage out',
    [usage(null, 900), usage(1000, null)],
    ['(tier_gap) 1: usage from 900 to 1000 is in no tier'],
  ],
  ['that leave percentages out', [percentage(0, 80), percentage(90, null)], ['(tier_gap) 1: usage from 80 to 90']],
  ['that overlap', [usage(0, 1500), usage(1000, null)], ['(tier_overlap) 1: a tier before it ends at 1500']],
  [
    'that one covers',
    [usage(0, 100), usage(10, 20), usage(50, 100), usage(100, null)],
    ['(tier_overlap) 1: a tier before it ends at 100', '(tier_overlap) 2: a tier before it ends at 100'],
  ],
  ['behind one without end', [usage(0, null), usage(1000, 2000)], ['(tier_overlap) 1: a tier before it has no end']],
])('tiers %s', (_what, usageTiers, expected) => {
  const product = { productCode: 'CAD', productVersion: null }
  const around = new CatalogModel()
  around.add('product', canonicalItem('product', { ...product, name: 'CAD' }))
  const item = { ...product, metricName: 'm', name: 'm', meteredUsage: { usageTiers } }
  const { breaches, cautions } = checkItem('monitoredAsset', canonicalItem('monitoredAsset', item), around)
  expect(breaches).toEqual([])
  const said = cautions.map(({ code, path, message }) => `(${code}) ${path.split('/')[3]}: ${message}`)
  expect(said).toEqual(expected.map((start) => expect.stringMatching(new RegExp(`^${start.replace(/[()]/g, '\\$&')}`))))
})
