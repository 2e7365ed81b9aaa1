import { implicitSuiteCode, keyOf, type ProductName, type SuiteText } from './keys.ts'
import { memberName, pathSegment } from './member-names.ts'
import type { Kind } from './order.ts'

/** Something an item names: the kind and key of the other item, and where in the item it is named. */
export interface Mention {
  kind: Kind
  key: string
  /** Where in the item: an RFC 6901 pointer whose segments are names. */
  path: string
  /** The fields of the natural key that name it (keys.ts, naturalKeyOf). */
  named: Readonly<Record<string, unknown>>
}

type Fields = Record<string, unknown>
const list = (value: unknown) => (Array.isArray(value) ? (value as Fields[]) : [])
/** A product as a list member's name in a path. */
const segmentOf = (item: Fields) => pathSegment(memberName(['productCode', 'productVersion'], item))
const featureNamedBy = ['productCode', 'productVersion', 'featureCode']
const names = (item: Fields): ProductName | undefined =>
  typeof item.productCode === 'string'
    ? { productCode: item.productCode, productVersion: item.productVersion as string | null }
    : undefined

/** What an item names that must exist: its product, its suite, the members, features and plan it speaks of. Tags are not among them: naming a tag creates it. */
export function mentionsOf(kind: Kind, item: object, suite: SuiteText): Mention[] {
  const fields = item as Fields
  const found: Mention[] = []
  const product = (name: ProductName | undefined, path: string) => {
    if (name) found.push({ kind: 'product', key: keyOf('product', name), path, named: { ...name } })
  }
  const feature = (name: ProductName | undefined, featureCode: unknown, path: string) => {
    if (!name || typeof featureCode !== 'string') return
    const named = { ...name, featureCode }
    found.push({ kind: 'feature', key: keyOf('feature', named), path, named })
  }
  const suiteOf = (code: unknown, path: string) => {
    if (typeof code === 'string')
      found.push({ kind: 'suite', key: keyOf('suite', { code }, suite), path, named: { code } })
  }
  switch (kind) {
    case 'tag':
      break
    case 'product':
      if (typeof fields.parentProductCode === 'string')
        product(
          { productCode: fields.parentProductCode, productVersion: fields.parentProductVersion as string | null },
          '/parentProductCode',
        )
      break
    case 'feature':
    case 'monitoredAsset':
      product(names(fields), '/productCode')
      break
    case 'suite':
      for (const member of list(fields.members)) product(names(member), `/members/${segmentOf(member)}/productCode`)
      break
    case 'planSet':
      suiteOf(fields.suiteCode, '/suiteCode')
      list(fields.plans).forEach((plan) => {
        list(plan.lineItems).forEach((line) => {
          const at = `/plans/${pathSegment(String(plan.name))}/lineItems/${segmentOf(line)}`
          product(names(line), `${at}/productCode`)
          for (const value of list(line.featureValues))
            feature(
              names(line),
              value.featureCode,
              `${at}/featureValues/${pathSegment(String(value.featureCode))}/featureCode`,
            )
        })
      })
      break
    case 'addOn':
      suiteOf(fields.suiteCode, '/suiteCode')
      for (const entry of list(fields.features))
        feature(
          names(entry),
          entry.featureCode,
          `/features/${pathSegment(memberName(featureNamedBy, entry))}/featureCode`,
        )
      break
    case 'entitlementOffer': {
      list(fields.products).forEach((entry) => {
        const at = `/products/${segmentOf(entry)}`
        product(names(entry), `${at}/productCode`)
        for (const value of list(entry.features))
          feature(
            names(entry),
            value.featureCode,
            `${at}/features/${pathSegment(String(value.featureCode))}/featureCode`,
          )
      })
      const plan = fields.assignedPlan as { suiteCode?: unknown; planSetName?: unknown } | null | undefined
      if (plan && typeof plan.suiteCode === 'string' && typeof plan.planSetName === 'string') {
        const named = { suiteCode: plan.suiteCode, name: plan.planSetName }
        found.push({ kind: 'planSet', key: keyOf('planSet', named, suite), path: '/assignedPlan/planSetName', named })
      }
    }
  }
  return found
}

/** The code of a product's own suite and its text in key strings. */
export const implicitSuiteOf = (product: ProductName) => ({
  code: implicitSuiteCode(product),
  key: keyOf('suite', { code: implicitSuiteCode(product) }, () => keyOf('product', product).slice('product:'.length)),
})
