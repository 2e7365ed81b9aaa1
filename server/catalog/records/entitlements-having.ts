import { liveStatuses } from '../../../catalog-schema/enumerations.ts'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'

/** What of the catalog entitlements have, by id. A plan is had by a Draft, too: it would be activated on it. */
export interface Held {
  productIds?: readonly string[]
  addOnIds?: readonly string[]
  planSetIds?: readonly string[]
  /** A feature in effect, be it copied from the product or brought by a plan, an add-on or by hand. */
  feature?: { productId: string; featureCode: string }
  /** Any plan of the set but these. */
  otherPlans?: { planSetId: string; names: readonly string[] }
}

/** The most that are named one by one. */
const named = 5
/** The most that are counted: there may be hundreds of thousands, and a refusal need not wait for all of them. */
const counted = 1000

interface Holder {
  id: string
  name: string | null
}

/**
 * The live entitlements (Active or Suspended), and of plans the Drafts too, that have any of these, as a refusal names them:
 * `entitlement:` and the name, or the id of one without; where there are many, one for all.
 */
export async function listEntitlementsHaving(readable: Readable, tenantId: string, held: Held): Promise<string[]> {
  const found = new Map<string, Holder>()
  for (const holders of having(readable, tenantId, held))
    for (const holder of await holders.limit(counted + 1).execute()) found.set(holder.id, holder)
  const keys = [...found.values()]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, name }) => `entitlement:${name ?? id}`)
  if (keys.length <= named) return keys
  const others = keys.length > counted ? `more than ${counted - 1}` : keys.length - 1
  return [`${keys[0]} and ${others} other entitlements`]
}

/**
 * For each way to have one of these a query of its own, which begins with what is had: one for all goes through all
 * entitlements of the tenant, and on PostgreSQL through all that have the product for each of them.
 */
function having(
  readable: Readable,
  tenantId: string,
  { productIds = [], planSetIds = [], addOnIds = [], feature, otherPlans }: Held,
) {
  const found = readable
    .selectFrom('entitlements')
    .select(['entitlements.id', 'entitlements.name'])
    .where('entitlements.is_offer', '=', no)
    .where('entitlements.is_deleted', '=', no)
  const withProducts = (ids: readonly string[]) =>
    found
      .innerJoin('entitlement_products as had', 'had.entitlement_id', 'entitlements.id')
      .where('had.tenant_id', '=', tenantId)
      .where('had.product_id', 'in', ids)
      .where('entitlements.status', 'in', liveStatuses)
  // By the text that its features are stored as, letter by letter on both databases.
  const withFeature = ({ productId, featureCode }: NonNullable<Held['feature']>) => {
    const written = JSON.stringify({ featureCode, productId }).slice(1, -1)
    return withProducts([productId]).where((of) =>
      of(of.fn<string>('replace', ['features', of.val(written), of.val('')]), '!=', of.ref('features')),
    )
  }
  const withAddOn = found
    .innerJoin('entitlement_add_ons as had', 'had.entitlement_id', 'entitlements.id')
    .where('had.tenant_id', '=', tenantId)
    .where('had.add_on_id', 'in', addOnIds)
    .where('entitlements.status', 'in', liveStatuses)
  const onPlans = found
    .where('entitlements.tenant_id', '=', tenantId)
    .where('entitlements.status', 'in', ['Draft', ...liveStatuses])
  return [
    ...(productIds.length > 0 ? [withProducts(productIds)] : []),
    ...(feature ? [withFeature(feature)] : []),
    ...(addOnIds.length > 0 ? [withAddOn] : []),
    ...(planSetIds.length > 0 ? [onPlans.where('assigned_plan_set_id', 'in', planSetIds)] : []),
    ...(otherPlans
      ? [
          onPlans
            .where('assigned_plan_set_id', '=', otherPlans.planSetId)
            .$if(otherPlans.names.length > 0, (query) => query.where('assigned_plan_name', 'not in', otherPlans.names)),
        ]
      : []),
  ]
}
