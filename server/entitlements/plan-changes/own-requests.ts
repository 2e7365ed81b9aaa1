import type { Readable } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { Page } from '../../kit/page.ts'
import { requireAssigned } from '../principals/assignments.ts'
import type { PlanChangeRecord } from './contract.ts'
import { listRequests } from './store.ts'
import { toWire } from './wire.ts'

/** A page of what a user asked for an entitlement; throws the not-found problem for one that the user is not assigned to. */
export async function listOwnRequests(
  read: Readable,
  tenantId: string,
  of: { entitlementId: string; userId: string },
  query: ListQuery,
): Promise<Page<PlanChangeRecord>> {
  await requireAssigned(read, tenantId, of.userId, of.entitlementId)
  const entitlementId = of.entitlementId.toLowerCase()
  const page = await listRequests(read, tenantId, query, { ...of, entitlementId })
  return { ...page, items: page.items.map(toWire) }
}
