import { memberName } from './form.ts'
import { implicitSuiteCode, keyOf, type ProductName, type SuiteText } from './keys.ts'
import type { Kind } from './order.ts'
import { pathSegment } from './paths.ts'

/** Something an item names: the kind and key of the other item, and where in the item it is named. */
export interface Mention {
  kind: Kind
  key: string
  /** Where in the item: an RFC 6901 pointer whose segments are names. */
  path: string
}

type Fields = Record<string, unknown>
const list = (value: unknown) => (Array.isArray(value) ? (value as Fields[]) : [])
/** A product as a list member's name in a path. */
const segmentOf = (item: Fields) => pathSegment(memberName(['productCode', 'productVersion'], item))
const names = (item: Fields): ProductName | undefined =>
  typeof item.productCode === 'string'
    ? { productCode: item.productCode, productVersion: item.productVersion as string | null }
    : undefined

/** What an item names that must exist: its product, its suite, the members, features and plan it speaks of. Tags are not among them: naming a tag creates it. */
export function mentionsOf(kind: Kind, item: object, suite: SuiteText): Mention[] {
  const fields = item as Fields
  const found: Mention[] = []
  const product = (name: ProductName | undefined, path: string) => {
    if (name) found.push({ kind: 'product', key: keyOf('product', name), path })
  }
  const feature = (name: ProductName | undefined, featureCode: unknown, path: string) => {
    if (name && typeof featureCode === 'string')
      found.push({ kind: 'feature', key: keyOf('feature', { ...name, featureCode }), path })
  }
  const suiteOf = (code: unknown, path: string) => {
    if (typeof code === 'string') found.push({ kind: 'suite', key: keyOf('suite', { code }, suite), path })
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
          `/features/${segmentOf(entry)}~1${pathSegment(String(entry.featureCode))}/featureCode`,
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
      if (plan && typeof plan.suiteCode === 'string' && typeof plan.planSetName === 'string')
        found.push({
          kind: 'planSet',
          key: keyOf('planSet', { suiteCode: plan.suiteCode, name: plan.planSetName }, suite),
          path: '/assignedPlan/planSetName',
        })
    }
  }
  return found
}

/** The code of a product's own suite and its text in key strings. */
export const implicitSuiteOf = (product: ProductName) => ({
  code: implicitSuiteCode(product),
  key: keyOf('suite', { code: implicitSuiteCode(product) }, () => keyOf('product', product).slice('product:'.length)),
})
