import type { Readable, Tx } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { Page } from '../../kit/page.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { listRows } from '../../kit/records/plain-list.ts'
import { planChangeFilterFields } from './fields.ts'
import type { PlanChangeTables } from './tables.ts'

export type PlanChangeRow = PlanChangeTables['plan_change_requests']

const requestsOf = (read: Readable, tenantId: string) =>
  read.selectFrom('plan_change_requests').where('tenant_id', '=', tenantId)

/** A page of a tenant's requests, or of those that a user made for an entitlement, oldest first unless a sortOrder says otherwise. */
export function listRequests(
  read: Readable,
  tenantId: string,
  query: ListQuery,
  of?: { entitlementId: string; userId: string },
): Promise<Page<PlanChangeRow>> {
  let requests = requestsOf(read, tenantId)
  if (of) requests = requests.where('entitlement_id', '=', of.entitlementId).where('user_id', '=', of.userId)
  return listRows(requests, planChangeFilterFields, 'createdAt', query)
}

/** A request of the tenant's; throws the not-found problem. */
export async function getRequest(read: Readable, tenantId: string, id: string): Promise<PlanChangeRow> {
  const row = await requestsOf(read, tenantId).selectAll().where('id', '=', id.toLowerCase()).executeTakeFirst()
  if (!row) throw recordNotFound('plan-change request')
  return row
}

/** The same, nobody else's to decide on until the transaction ends. */
export async function lockRequest(tx: Tx, tenantId: string, id: string): Promise<PlanChangeRow> {
  const query = requestsOf(tx, tenantId).selectAll().where('id', '=', id.toLowerCase())
  const row = await query.forUpdate().executeTakeFirst()
  if (!row) throw recordNotFound('plan-change request')
  return row
}

/** The id of an entitlement's request that awaits its review; undefined when there is none. */
export async function findOpenRequestId(
  read: Readable,
  tenantId: string,
  entitlementId: string,
): Promise<string | undefined> {
  const row = await requestsOf(read, tenantId)
    .select('id')
    .where('entitlement_id', '=', entitlementId)
    .where('status', 'not in', ['Approved', 'Rejected'])
    .executeTakeFirst()
  return row?.id
}

/** Keeps a new request. */
export const insertRequest = async (tx: Tx, row: PlanChangeRow): Promise<void> =>
  void (await tx.insertInto('plan_change_requests').values(row).execute())

/** Keeps what was decided on a request. */
export const recordReview = async (tx: Tx, row: PlanChangeRow): Promise<void> =>
  void (await tx
    .updateTable('plan_change_requests')
    .set({
      status: row.status,
      review_note: row.review_note,
      reviewed_by: row.reviewed_by,
      reviewed_at: row.reviewed_at,
    })
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .execute())
