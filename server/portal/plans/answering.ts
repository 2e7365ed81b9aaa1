import type { Readable } from '../../database/database.ts'
import { loadCopiedProducts } from '../../entitlements/entitlements/copied-products.ts'
import type { EntitlementRow } from '../../entitlements/entitlements/loading.ts'
import { listPlanChoices } from '../../entitlements/plan-changes/choosing.ts'
import type { ReadContext } from '../../kit/context.ts'
import { offsetOf, type Page, type PageRequest, toPage } from '../../kit/page.ts'
import { readRecords } from '../../kit/records/store.ts'
import type { OwnPlan } from './contract.ts'
import { type DescribedProduct, toOwnPlan } from './own-plan.ts'

/** The plans behind an entitlement, a page of them. */
export async function answerPlans(
  { read, tenant }: ReadContext,
  entitlement: EntitlementRow,
  page: PageRequest,
): Promise<Page<OwnPlan>> {
  const choices = await listPlanChoices(read, entitlement)
  const shown = choices.slice(offsetOf(page), offsetOf(page) + page.pageSize)
  const spoken = new Set(shown.flatMap(({ plan }) => plan.lineItems.map(({ productId }) => productId)))
  const products = await describeProducts(read, tenant.id, [...spoken])
  const items = shown.map((choice) => toOwnPlan(choice, products))
  return toPage(items, choices.length, page.pageNumber, page.pageSize)
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
