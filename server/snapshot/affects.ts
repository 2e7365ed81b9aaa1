import type { Kind } from '../../catalog-schema/order.ts'
import type { PlannedItem } from '../../catalog-schema/plan.ts'
import type { Readable } from '../database/database.ts'
import { countLive, type Link } from '../entitlements/entitlements/live-counts.ts'
import type { Environment } from './environment.ts'
import type { HeldItem } from './rooms.ts'

/** By what a kind's changes reach entitlements: the record itself, or the product that it is of. */
const reach: Partial<Record<Kind, { link: Link; idOf: (held: HeldItem) => string }>> = {
  product: { link: 'product', idOf: ({ row }) => row.id },
  feature: { link: 'product', idOf: productOf },
  monitoredAsset: { link: 'product', idOf: productOf },
  planSet: { link: 'planSet', idOf: ({ row }) => row.id },
  addOn: { link: 'addOn', idOf: ({ row }) => row.id },
  entitlementOffer: { link: 'offer', idOf: ({ row }) => row.id },
}

function productOf({ row }: HeldItem): string {
  return (row as unknown as { product_id: string }).product_id
}

/**
 * How many live entitlements each change touches, by key: those that have the product, are on a plan of the set, have the
 * add-on, or came from the offer. What is new, or stays as it is, touches none and is left out.
 */
export async function countAffected(
  read: Readable,
  tenantId: string,
  { held }: Environment,
  items: readonly PlannedItem[],
): Promise<ReadonlyMap<string, number>> {
  const touched = items.flatMap(({ kind, key, action }) => {
    const way = reach[kind]
    const record = action === 'update' ? held(kind, key) : undefined
    return way && record ? [{ key, link: way.link, id: way.idOf(record) }] : []
  })
  const affected = new Map<string, number>()
  for (const [link, changes] of Map.groupBy(touched, (change) => change.link)) {
    const counts = await countLive(read, tenantId, link, [...new Set(changes.map(({ id }) => id))])
    for (const { key, id } of changes) affected.set(key, counts.get(id) ?? 0)
  }
  return affected
}

/** The kinds whose changes can touch live entitlements. */
export const canAffect = (kind: Kind) => kind in reach
