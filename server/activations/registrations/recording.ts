import { userKind } from '../../access/users/contract.ts'
import type { UserRow } from '../../access/users/writing.ts'
import { answerEntitlement } from '../../entitlements/entitlements/wire.ts'
import { recordAudit } from '../../kit/audit.ts'
import { causeOf } from '../../kit/cause.ts'
import type { WriteContext } from '../../kit/context.ts'

/** What a confirmed registration changed: of the user, which entitlements it made, and which are the user's by it. */
interface Confirmed {
  before?: UserRow
  user: UserRow
  issued: readonly string[]
  entitlementIds: readonly string[]
}

/** Keeps what a confirmed registration changed, record by record, as done by the user where nobody else vouched for it. */
export async function recordConfirmed(
  context: WriteContext,
  operation: string,
  { before, user, issued, entitlementIds }: Confirmed,
): Promise<void> {
  const { tx, tenant, caller } = context
  const cause = { ...causeOf(context), ...(caller.kind === 'anyone' ? { actor: `user:${user.id}` } : {}) }
  if (before !== user) {
    const [was, is] = [before, user].map((row) => (row ? userKind.toWire(row, {}) : null)) as [object | null, object]
    await recordAudit(cause, { operation, recordKind: 'users', recordId: user.id, before: was, after: is })
  }
  for (const recordId of issued) {
    const after = await answerEntitlement(tx, tenant.id, recordId)
    await recordAudit(cause, { operation, recordKind: 'entitlements', recordId, before: null, after })
  }
  for (const recordId of entitlementIds) {
    const after = { entitlementId: recordId, principalId: user.id }
    await recordAudit(cause, { operation, recordKind: 'entitlements.principals', recordId, before: {}, after })
  }
}
