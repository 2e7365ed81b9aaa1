import { keyText, type ProductName, productText } from './key-text.ts'
import { type Kind, prefixOf } from './order.ts'
import { foldTagName } from './tag-names.ts'

export { keyText, type ProductName, productText } from './key-text.ts'

/** The code of a product's own suite: `CODE`, or `CODE@VERSION`. */
export const implicitSuiteCode = (product: ProductName) =>
  product.productVersion ? `${product.productCode}@${product.productVersion}` : product.productCode

/** How a suite's code is written inside a key string; the `@` of a product's own suite stays. */
export type SuiteText = (code: string) => string

/** Reads the last `@` of a suite code as the one before a version: right wherever nothing is known of the suite. */
export const guessSuiteText: SuiteText = (code) => {
  const at = code.lastIndexOf('@')
  return at > 0 ? `${keyText(code.slice(0, at))}@${keyText(code.slice(at + 1))}` : keyText(code)
}

type Named = Record<string, unknown>
const text = (value: unknown) => (typeof value === 'string' ? value : '')

const keyBody: Record<Kind, (item: Named, suite: SuiteText) => string> = {
  tag: (item) => `${keyText(text(item.scope))}/${keyText(text(item.name))}`,
  product: (item) => productText(asProduct(item)),
  feature: (item) => `${productText(asProduct(item))}/${keyText(text(item.featureCode))}`,
  monitoredAsset: (item) => `${productText(asProduct(item))}/${keyText(text(item.metricName))}`,
  suite: (item, suite) => suite(text(item.code)),
  planSet: (item, suite) => `${suite(text(item.suiteCode))}/${keyText(text(item.name))}`,
  addOn: (item) => keyText(text(item.code)),
  entitlementOffer: (item) => {
    const version = text(item.version)
    return version ? `${keyText(text(item.name))}@${keyText(version)}` : keyText(text(item.name))
  },
  ratingCampaign: (item) => keyText(text(item.name)),
}

const asProduct = (item: Named): ProductName => ({
  productCode: text(item.productCode),
  productVersion: text(item.productVersion) || null,
})

/** The key string of an item, such as `feature:ACME-CAD@2.0/EXPORT_STEP`. */
export function keyOf(kind: Kind, item: object, suite: SuiteText = guessSuiteText): string {
  return `${prefixOf[kind]}:${keyBody[kind](item as Named, suite)}`
}

/** A key with letter case folded where the kind's names are told apart without it (tags). */
export const matchKey = (kind: Kind, key: string) => (kind === 'tag' ? foldTagName(key) : key)

/** The fields that identify an item among those of its kind. */
const naturalKeyFields = {
  tag: ['scope', 'name'],
  product: ['productCode', 'productVersion'],
  feature: ['productCode', 'productVersion', 'featureCode'],
  monitoredAsset: ['productCode', 'productVersion', 'metricName'],
  suite: ['code'],
  planSet: ['suiteCode', 'name'],
  addOn: ['code'],
  entitlementOffer: ['name', 'version'],
  ratingCampaign: ['name'],
} as const satisfies Record<Kind, readonly string[]>

/** An item's natural key as a snapshot's references spell it: a plan set's suite is its `code`. */
export function naturalKeyOf(kind: Kind, item: object): Record<string, string | null> {
  const named = item as Named
  const entries = naturalKeyFields[kind].map((field) => [
    field === 'suiteCode' ? 'code' : field,
    (named[field] as string | null | undefined) ?? null,
  ])
  return Object.fromEntries(entries) as Record<string, string | null>
}

/** The field an error about an item's identity points at. */
export const identifyingField = (kind: Kind) =>
  naturalKeyFields[kind].at(kind === 'product' || kind === 'entitlementOffer' ? 0 : -1)!

/** The kind that a key string's prefix names; undefined for no such prefix. */
export const kindOfKey = (key: string): Kind | undefined =>
  (Object.keys(prefixOf) as Kind[]).find((kind) => key.startsWith(`${prefixOf[kind]}:`))
