import { liveStatuses } from '../../../catalog-schema/enumerations.ts'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'

/** What of the catalog an entitlement has or came from. */
export type Link = 'product' | 'planSet' | 'addOn' | 'offer'

/** How many live entitlements (Active or Suspended) have each of these; those that none has are left out. */
export async function countLive(
  read: Readable,
  tenantId: string,
  link: Link,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await counted(read, tenantId, link, ids)
  return new Map(rows.flatMap(({ id, count }) => (id === null ? [] : [[id, Number(count)]])))
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
    return live
      .select(`${column} as id`)
      .where(isAmong(read, column, listed(read, ids)))
      .groupBy(column)
      .execute()
  }
  if (link === 'product')
    return live
      .innerJoin('entitlement_products', 'entitlement_id', 'entitlements.id')
      .select('product_id as id')
      .where('entitlement_products.tenant_id', '=', tenantId)
      .where(isAmong(read, 'product_id', listed(read, ids)))
      .groupBy('product_id')
      .execute()
  return live
    .innerJoin('entitlement_add_ons', 'entitlement_id', 'entitlements.id')
    .select('add_on_id as id')
    .where('entitlement_add_ons.tenant_id', '=', tenantId)
    .where(isAmong(read, 'add_on_id', listed(read, ids)))
    .groupBy('add_on_id')
    .execute()
}
