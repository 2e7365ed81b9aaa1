import { liveStatuses } from '../../../catalog-schema/enumerations.ts'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'

/** What of the catalog an entitlement has or came from. */
export type Link = 'product' | 'planSet' | 'addOn' | 'offer'

/** The most ids that one question names. */
const atOnce = 1000

/** How many live entitlements (Active or Suspended) have each of these; those that none has are left out. */
export async function countLive(
  read: Readable,
  tenantId: string,
  link: Link,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let start = 0; start < ids.length; start += atOnce)
    for (const { id, count } of await counted(read, tenantId, link, ids.slice(start, start + atOnce)))
      if (id !== null) counts.set(id, Number(count))
  return counts
}

function counted(read: Readable, tenantId: string, link: Link, ids: readonly string[]) {
  const live = read
    .selectFrom('entitlements')
    .where('entitlements.tenant_id', '=', tenantId)
    .where('is_offer', '=', no)
    .where('is_deleted', '=', no)
    .where('status', 'in', liveStatuses)
    .select((eb) => eb.fn.countAll<number>().as('count'))
  if (link === 'planSet' || link === 'offer') {
    const column = link === 'planSet' ? 'assigned_plan_set_id' : 'source_offer_id'
    return live.select(`${column} as id`).where(column, 'in', ids).groupBy(column).execute()
  }
  if (link === 'product')
    return live
      .innerJoin('entitlement_products', 'entitlement_id', 'entitlements.id')
      .select('product_id as id')
      .where('entitlement_products.tenant_id', '=', tenantId)
      .where('product_id', 'in', ids)
      .groupBy('product_id')
      .execute()
  return live
    .innerJoin('entitlement_add_ons', 'entitlement_id', 'entitlements.id')
    .select('add_on_id as id')
    .where('entitlement_add_ons.tenant_id', '=', tenantId)
    .where('add_on_id', 'in', ids)
    .groupBy('add_on_id')
    .execute()
}
