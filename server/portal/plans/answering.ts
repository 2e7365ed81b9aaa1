import type { Readable } from '../../database/database.ts'
import { loadCopiedProducts } from '../../entitlements/entitlements/copied-products.ts'
import type { EntitlementRow } from '../../entitlements/entitlements/loading.ts'
import type { PlanChoice } from '../../entitlements/plan-changes/choices.ts'
import { listPlanChoices } from '../../entitlements/plan-changes/choosing.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ReadContext } from '../../kit/context.ts'
import type { Page } from '../../kit/page.ts'
import { toColumns } from '../../kit/records/columns.ts'
import { readRecords } from '../../kit/records/store.ts'
import { listValues } from '../../kit/records/values-at-hand.ts'
import { type OwnPlan, ownPlanFilterFields, ownPlanStorage } from './contract.ts'
import { type DescribedProduct, toOwnPlan } from './own-plan.ts'

/** The plans behind an entitlement, a page of them. */
export async function answerPlans(
  { read, tenant }: ReadContext,
  entitlement: EntitlementRow,
  query: ListQuery,
): Promise<Page<OwnPlan>> {
  const choices = await listPlanChoices(read, entitlement)
  const rowOf = (choice: PlanChoice) => toColumns(ownPlanStorage, toOwnPlan(choice, new Map()))
  const page = await listValues(read, choices, rowOf, ownPlanFilterFields, query)
  const spoken = new Set(page.items.flatMap(({ plan }) => plan.lineItems.map(({ productId }) => productId)))
  const products = await describeProducts(read, tenant.id, [...spoken])
  return { ...page, items: page.items.map((choice) => toOwnPlan(choice, products)) }
}

async function describeProducts(
  read: Readable,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, DescribedProduct>> {
  const features = await loadCopiedProducts(read, tenantId, ids)
  const rows = await readRecords(read, 'products', tenantId, ids)
  return new Map(
    rows.map(({ id, product_code: productCode, product_version: productVersion, name }) => [
      id,
      { productCode, productVersion, name, features: features.get(id)! },
    ]),
  )
}
