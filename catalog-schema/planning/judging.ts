import { keyOf, type ProductName, productText } from '../keys.ts'
import { Mention, visitMentions } from '../mentions.ts'
import type { CatalogModel } from '../model.ts'
import type { Kind } from '../order.ts'
import { type FeatureName, findFeature } from '../rules/find-feature.ts'
import { checkItem } from '../rules/items.ts'
import { checkLifecycle } from '../rules/lifecycle.ts'
import { checkLock } from '../rules/locked-product.ts'
import { checkOwnSuite, checkSuiteCode } from '../rules/own-suites.ts'
import type { Breach } from '../rules/rule.ts'
import { type PlacedItem, type PlanError, type PlanWarning, planError } from './import-plan.ts'
import type { MergedItem } from './merging.ts'
import type { Ancestry } from './parents.ts'

/** What is wrong with the items that an import would create or change, and what is doubtful. What stays as it is is not judged. */
export function judgeItems(
  items: readonly MergedItem[],
  catalog: CatalogModel,
  ancestryOf: (product: string) => Ancestry,
) {
  const errors: PlanError[] = []
  const warnings: PlanWarning[] = []
  for (const item of items) {
    if (item.action === 'unchanged') continue
    const { kind, key, index, before, after } = item
    const refuse = ({ codeName, path, message, wanted }: Breach) =>
      errors.push({ ...planError(item, codeName, path, message), ...(wanted && { wanted }) })
    visitMentions(kind, after, (named, name, place) => {
      if (!isThere(named, name, catalog))
        errors.push(unresolved(item, new Mention(named, name, place, catalog.suiteText)))
    })
    const { breaches, cautions } = checkItem(kind, after, catalog)
    breaches.forEach(refuse)
    if (kind === 'suite') checkSuiteCode(String(after.code), catalog).forEach(refuse)
    if (kind === 'product') {
      checkOwnSuite(after as unknown as ProductName, catalog).forEach(refuse)
      if (ancestryOf(productText(after as unknown as ProductName)).isOwnAncestor) refuse(partOfItself)
    }
    if (before) {
      checkLifecycle(kind, before, after).forEach(refuse)
      checkLock(kind, before, after).forEach(refuse)
    }
    for (const { code, path, message } of cautions) warnings.push({ code, kind, key, path, message, index })
  }
  return { errors, warnings }
}

/** Whether the catalog has what is named, or takes it on trust. */
function isThere(kind: Kind, named: Readonly<Record<string, unknown>>, catalog: CatalogModel): boolean {
  if (kind === 'feature' && findFeature(catalog, named as FeatureName)) return true
  if (kind === 'suite' && catalog.ownSuiteOf(String(named.code)) !== undefined) return true
  const key = keyOf(kind, named, catalog.suiteText)
  return catalog.find(kind, key) !== undefined || catalog.isTrusted(key)
}

const unresolved = (item: PlacedItem, { key, path }: Mention): PlanError => ({
  ...planError(item, 'catalog.unresolved_reference', path, `there is no ${key}, neither here nor in the environment`),
  missing: key,
})

const partOfItself: Breach = {
  codeName: 'license.validation_error',
  path: '/parentProductCode',
  message: 'the product is part of itself, by way of its parents',
}
