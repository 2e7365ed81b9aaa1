import type { tagScopes } from '../enumerations.ts'
import type { CatalogModel } from '../model.ts'
import type { Kind } from '../order.ts'
import type { TagRegistry } from './tag-registry.ts'

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
export const tagScopeOf: Partial<Record<Kind, (typeof tagScopes)[number]>> = {
  product: 'Product',
  feature: 'FeatureCatalog',
  monitoredAsset: 'Product',
  entitlementOffer: 'Entitlement',
}

/** The given item with what a snapshot may leave out filled in: a new item's name, the registry's casing of its tags, a suite's sole member. */
export function fillIn(kind: Kind, given: Item, isNew: boolean, around: CatalogModel, tags: TagRegistry): Item {
  let filled = given
  const source = nameFrom[kind]
  if (isNew && source && given.name === undefined) filled = { ...filled, name: given[source] }
  const scope = tagScopeOf[kind]
  if (scope && Array.isArray(given.tags)) {
    const names = given.tags as string[]
    const registered = names.map((name) => tags.casingOf(scope, name) ?? name)
    if (names.some((name, index) => name !== registered[index])) filled = { ...filled, tags: registered }
  }
  if (kind === 'planSet' && Array.isArray(given.plans)) {
    const plans = fillSoleMember(given, around)
    if (plans !== given.plans) filled = { ...filled, plans }
  }
  return filled
}

/** In a suite of one, a line item that names no product is about the sole member. */
function fillSoleMember(set: Item, around: CatalogModel): Item[] {
  const plans = set.plans as Item[]
  if (plans.every((plan) => !Array.isArray(plan.lineItems) || plan.lineItems.every(namesProduct))) return plans
  const sole = around.soleMemberOf(String(set.suiteCode))
  if (!sole) return plans
  const member = { productCode: sole.productCode, productVersion: sole.productVersion ?? null }
  return plans.map((plan) => {
    if (!Array.isArray(plan.lineItems)) return plan
    const lines = plan.lineItems as Item[]
    return { ...plan, lineItems: lines.map((line) => (namesProduct(line) ? line : { ...line, ...member })) }
  })
}

const namesProduct = (line: Item) => line.productCode !== undefined && line.productCode !== null
