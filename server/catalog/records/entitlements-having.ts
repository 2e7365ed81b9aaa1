import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'

/** What of the catalog entitlements have, by id. A plan is had by a Draft, too: it would be activated on it. */
export interface Held {
  productIds?: readonly string[]
  addOnIds?: readonly string[]
  planSetIds?: readonly string[]
  /** Any plan of the set but these. */
  otherPlans?: { planSetId: string; names: readonly string[] }
}

/** The most that are named one by one. */
const named = 5

/** The live entitlements (Active or Suspended), and of plans the Drafts too, that have any of these, as a refusal names them: `entitlement:` and the name, or the id of one without; where there are many, one for all. */
export async function listEntitlementsHaving(readable: Readable, tenantId: string, held: Held): Promise<string[]> {
  const rows = await having(readable, tenantId, held)
    .select(['id', 'name'])
    .orderBy('id')
    .limit(named + 1)
    .execute()
  const keys = rows.map(({ id, name }) => `entitlement:${name ?? id}`)
  if (keys.length <= named) return keys
  const { count } = await having(readable, tenantId, held)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return [`${keys[0]} and ${Number(count) - 1} other entitlements`]
}

function having(
  readable: Readable,
  tenantId: string,
  { productIds = [], planSetIds = [], addOnIds = [], otherPlans }: Held,
) {
  const entitlements = readable
    .selectFrom('entitlements')
    .where('tenant_id', '=', tenantId)
    .where('is_offer', '=', no)
    .where('is_deleted', '=', no)
  const withProduct = readable
    .selectFrom('entitlement_products')
    .select('entitlement_id')
    .where('tenant_id', '=', tenantId)
    .where('product_id', 'in', productIds)
  const withAddOn = readable
    .selectFrom('entitlement_add_ons')
    .select('entitlement_id')
    .where('tenant_id', '=', tenantId)
    .where('add_on_id', 'in', addOnIds)
  return entitlements.where((eb) => {
    const live = eb('status', 'in', ['Active', 'Suspended'])
    const onPlans = eb('status', 'in', ['Draft', 'Active', 'Suspended'])
    return eb.or([
      ...(productIds.length > 0 ? [eb.and([live, eb('id', 'in', withProduct)])] : []),
      ...(addOnIds.length > 0 ? [eb.and([live, eb('id', 'in', withAddOn)])] : []),
      ...(planSetIds.length > 0 ? [eb.and([onPlans, eb('assigned_plan_set_id', 'in', planSetIds)])] : []),
      ...(otherPlans
        ? [
            eb.and([
              onPlans,
              eb('assigned_plan_set_id', '=', otherPlans.planSetId),
              ...(otherPlans.names.length > 0 ? [eb('assigned_plan_name', 'not in', otherPlans.names)] : []),
            ]),
          ]
        : []),
    ])
  })
}
