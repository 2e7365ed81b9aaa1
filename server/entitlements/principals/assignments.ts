import type { Readable } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'
import type { Cause } from '../../kit/outbox.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { findEntitlements } from '../entitlements/loading.ts'
import { assign } from './store.ts'

/** The entitlements that a user is assigned to, deleted ones left out, the first assigned first. */
export async function listAssigned(read: Readable, tenantId: string, userId: string): Promise<string[]> {
  const rows = await assignedTo(read, { tenantId, userId: userId.toLowerCase() })
  return rows.map(({ id }) => id)
}

const assignedTo = compileOnce((read, { tenantId, userId }: { tenantId: string; userId: string }) =>
  read
    .selectFrom('entitlement_principals')
    .innerJoin('entitlements', 'entitlements.id', 'entitlement_principals.entitlement_id')
    .select('entitlements.id')
    .where('entitlement_principals.tenant_id', '=', tenantId)
    .where('entitlement_principals.user_id', '=', userId)
    .where('entitlements.is_deleted', '=', no)
    .where('entitlements.is_offer', '=', no)
    .orderBy('entitlement_principals.assigned_at')
    .orderBy('entitlements.id'),
)

/** Refuses an entitlement that a user is not assigned to with the not-found problem, as one that there is not. */
export async function requireAssigned(read: Readable, tenantId: string, userId: string, id: string): Promise<void> {
  if (!(await listAssigned(read, tenantId, userId)).includes(id.toLowerCase())) throw recordNotFound('entitlement')
}

/** Assigns a user to an entitlement of the same tenant, unless that is so already. */
export const assignUser = (cause: Cause, entitlementId: string, userId: string): Promise<void> =>
  assign(cause.tx, cause, entitlementId, userId)

/** Assigns a user to the entitlement of a code that is there and not revoked; answers its id, undefined when there is none. */
export async function assignByCode(cause: Cause, codeId: string, userId: string): Promise<string | undefined> {
  const code = await cause.tx
    .selectFrom('activation_codes')
    .select('entitlement_id')
    .where('id', '=', codeId)
    .where('tenant_id', '=', cause.tenantId)
    .where('revoked_at', 'is', null)
    .where('is_deleted', '=', no)
    .executeTakeFirst()
  const [entitlement] = code ? await findEntitlements(cause.tx, cause.tenantId, [code.entitlement_id]) : []
  if (!entitlement) return undefined
  await assignUser(cause, entitlement.id, userId)
  return entitlement.id
}
