import { keyOf, type ProductName, productText } from '../../../catalog-schema/keys.ts'
import type { Kind } from '../../../catalog-schema/order.ts'

/** A catalog's products and suites, as a new item may name them. */
export interface Neighbours {
  products: ProductName[]
  suiteCodes: string[]
}

export interface FilledItem {
  /** The values that the skeleton is written with; every other field is a comment. */
  values: Record<string, unknown>
  /** The keys of what it names. */
  mentions: string[]
}

const someProduct: ProductName = { productCode: 'ACME-CAD', productVersion: '2.0' }

/** An item with the fields that it needs: its own name as given, and what it belongs to, the first of the catalog unless the name says. */
export function fillItem(kind: Kind, named: Record<string, string>, neighbours: Neighbours): FilledItem {
  const first = neighbours.products[0] ?? someProduct
  const product = named.productCode === undefined ? versioned(first) : named
  const productKey = `product:${productText(product as unknown as ProductName)}`
  const suiteCode = named.suiteCode ?? neighbours.suiteCodes[0] ?? productText(first)
  const suiteKey = keyOf('suite', { code: suiteCode })
  switch (kind) {
    case 'tag':
      return { values: { scope: 'Product', ...named }, mentions: [] }
    case 'product':
      return { values: { ...named, name: named.productCode }, mentions: [] }
    case 'feature':
      return { values: { ...product, ...named, name: named.featureCode }, mentions: [productKey] }
    case 'monitoredAsset':
      return { values: { ...product, ...named, name: named.metricName }, mentions: [productKey] }
    case 'suite':
      return { values: { ...named, name: named.code, members: [versioned(first)] }, mentions: [productKey] }
    case 'planSet':
      return { values: { suiteCode, ...named, plans: [{ name: 'Basic' }] }, mentions: [suiteKey] }
    case 'addOn':
      return { values: { suiteCode, ...named, name: named.code }, mentions: [suiteKey] }
    case 'entitlementOffer':
      return { values: { ...named, products: [versioned(first)] }, mentions: [productKey] }
    case 'ratingCampaign':
      return { values: { ...named }, mentions: [] }
  }
}

const versioned = ({ productCode, productVersion }: ProductName): Record<string, string> => ({
  productCode,
  ...(productVersion && { productVersion }),
})
