import type { CatalogModel } from '../model.ts'
import type { Kind } from '../order.ts'

type Item = Record<string, unknown>

/** The field that a new item's display name is taken from when it has none. */
const nameFrom: Partial<Record<Kind, string>> = {
  product: 'productCode',
  feature: 'featureCode',
  monitoredAsset: 'metricName',
  suite: 'code',
  addOn: 'code',
}

/** The vocabulary that the tags of each kind are from. */
export const tagScopeOf: Partial<Record<Kind, string>> = {
  product: 'Product',
  feature: 'FeatureCatalog',
  monitoredAsset: 'Product',
  entitlementOffer: 'Entitlement',
}

/** The given item with what a snapshot may leave out filled in: a new item's name, the registry's casing of its tags, a suite's sole member. */
export function fillIn(kind: Kind, given: Item, isNew: boolean, around: CatalogModel): Item {
  const filled: Item = {}
  const source = nameFrom[kind]
  if (isNew && source && given.name === undefined) filled.name = given[source]
  const scope = tagScopeOf[kind]
  if (scope && Array.isArray(given.tags) && given.tags.length > 0)
    filled.tags = (given.tags as string[]).map((name) => findTag(scope, name, around)?.name ?? name)
  if (kind === 'planSet' && Array.isArray(given.plans)) filled.plans = fillSoleMember(given, around)
  return Object.keys(filled).length === 0 ? given : { ...given, ...filled }
}

/** The registry's tag of that name, letter case aside. */
const findTag = (scope: string, name: string, around: CatalogModel) =>
  around.find('tag', around.keyOf('tag', { scope, name }))

/** In a suite of one, a line item that names no product is about the sole member. */
function fillSoleMember(set: Item, around: CatalogModel): Item[] {
  const plans = set.plans as Item[]
  const sole = around.soleMemberOf(String(set.suiteCode))
  if (!sole) return plans
  const member = { productCode: sole.productCode, productVersion: sole.productVersion ?? null }
  return plans.map((plan) => {
    if (!Array.isArray(plan.lineItems)) return plan
    const lines = plan.lineItems as Item[]
    if (lines.every(namesProduct)) return plan
    return { ...plan, lineItems: lines.map((line) => (namesProduct(line) ? line : { ...line, ...member })) }
  })
}

const namesProduct = (line: Item) => line.productCode !== undefined && line.productCode !== null
