import { keyOf } from '../../../catalog-schema/keys.ts'
import type { Readable } from '../../database/database.ts'
import { no, yes } from '../../kit/flags.ts'
import { listEntitlementsHaving } from '../records/entitlements-having.ts'
import { addOnsOf, isDraft, offersHaving, planSetsAbout, suitesOf } from '../records/speakers.ts'

/**
 * Those that need a product, by key: suites that somebody made, plan sets and add-ons of its own suite that are or were
 * released, offers, products that are part of it, live entitlements that have it or what its own suite offers, and
 * Drafts on a plan of that suite.
 */
export async function usersOfProduct(readable: Readable, tenantId: string, productId: string): Promise<string[]> {
  const suites = await suitesOf(readable, tenantId, productId)
  const own = suites.filter(({ isOwn }) => isOwn)
  const planSets = await planSetsAbout(readable, tenantId, suites, productId)
  const addOns = await addOnsOf(readable, tenantId, own)
  const offers = await offersHaving(readable, tenantId, productId)
  const ownSetIds = planSets.filter(({ row }) => own.some(({ id }) => id === row.suite_id)).map(({ row }) => row.id)
  return [
    ...suites.filter(({ isOwn }) => !isOwn).map(({ text }) => `suite:${text}`),
    ...planSets.filter((set) => !isDraft(set)).map(({ key }) => key),
    ...addOns.filter((addOn) => !isDraft(addOn)).map(({ key }) => key),
    ...offers.map(({ key }) => key),
    ...(await offersOnPlans(readable, tenantId, ownSetIds)),
    ...(await partsOf(readable, tenantId, productId)),
    ...(await listEntitlementsHaving(readable, tenantId, {
      productIds: [productId],
      planSetIds: ownSetIds,
      addOnIds: addOns.map(({ row }) => row.id),
    })),
  ]
}

async function offersOnPlans(readable: Readable, tenantId: string, planSetIds: readonly string[]): Promise<string[]> {
  if (planSetIds.length === 0) return []
  const rows = await readable
    .selectFrom('entitlements')
    .select(['name', 'version'])
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where('is_offer', '=', yes)
    .where('assigned_plan_set_id', 'in', planSetIds)
    .execute()
  return rows.map((row) => keyOf('entitlementOffer', row))
}

async function partsOf(readable: Readable, tenantId: string, productId: string): Promise<string[]> {
  const rows = await readable
    .selectFrom('products')
    .select(['product_code', 'product_version'])
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where('parent_product_id', '=', productId)
    .execute()
  return rows.map((row) => keyOf('product', { productCode: row.product_code, productVersion: row.product_version }))
}
