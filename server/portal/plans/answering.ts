import { type EntryStanding, listEntriesOf } from '../../catalog/records/entries-of.ts'
import type { Tables } from '../../database/tables.ts'
import type { EntitlementRow } from '../../entitlements/entitlements/loading.ts'
import type { PlanChoice } from '../../entitlements/plan-changes/choices.ts'
import { listPlanChoices } from '../../entitlements/plan-changes/choosing.ts'
import { identityOf } from '../../entitlements/plans/layering.ts'
import type { ReadContext } from '../../kit/context.ts'
import { offsetOf, type Page, type PageRequest, toPage } from '../../kit/page.ts'
import { readRecords } from '../../kit/records/store.ts'
import type { OwnPlan } from './contract.ts'

/** What is told of a plan's products and features beside what the plan says of them. */
interface Surroundings {
  products: ReadonlyMap<string, Pick<Tables['products'], 'product_code' | 'product_version' | 'name'>>
  entries: ReadonlyMap<string, Pick<EntryStanding, 'name' | 'units' | 'visibility'>>
}

/** The plans behind an entitlement, a page of them. */
export async function answerPlans(
  { read, tenant }: ReadContext,
  entitlement: EntitlementRow,
  page: PageRequest,
): Promise<Page<OwnPlan>> {
  const choices = await listPlanChoices(read, entitlement)
  const shown = choices.slice(offsetOf(page), offsetOf(page) + page.pageSize)
  const ids = [...new Set(shown.flatMap(({ plan }) => plan.lineItems.map(({ productId }) => productId)))]
  const products = new Map((await readRecords(read, 'products', tenant.id, ids)).map((row) => [row.id, row]))
  const entries = new Map((await listEntriesOf(read, tenant.id, ids)).map((entry) => [identityOf(entry), entry]))
  const items = shown.map((choice) => toOwnPlan(choice, { products, entries }))
  return toPage(items, choices.length, page.pageNumber, page.pageSize)
}

/** A plan as its customer reads it: what the catalog calls its products and features, and no feature that is internal or gone. */
export function toOwnPlan(
  { planSetId, planSetName, plan, isCurrent, isSold }: PlanChoice,
  { products, entries }: Surroundings,
): OwnPlan {
  const { id, name, description, sortOrder, monthlyPrice, currency, lineItems } = plan
  return {
    ...{ id, planSetId, planSetName, name, description, sortOrder, monthlyPrice, currency, isCurrent, isSold },
    products: lineItems.flatMap(({ productId, included, featureValues }) => {
      const product = products.get(productId)
      if (!product) return []
      const features = featureValues.flatMap((value) => {
        const entry = entries.get(identityOf({ productId, featureCode: value.featureCode }))
        return entry?.visibility === 'Public' ? [{ ...value, name: entry.name, units: entry.units }] : []
      })
      const { product_code: productCode, product_version: productVersion } = product
      return [{ productId, productCode, productVersion, name: product.name, included, features }]
    }),
  }
}
