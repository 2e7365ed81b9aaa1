import type { Readable, Tx } from '../../database/database.ts'
import { no, yes } from '../../kit/flags.ts'
import type { Cause } from '../../kit/outbox.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { isOver } from '../life/standing.ts'
import { assignUser } from '../principals/assignments.ts'
import { cloneOffer } from './cloning.ts'

/**
 * Gives a user whose e-mail address was just confirmed an entitlement of every Active or Draft offer that says
 * issueOnUserRegistration and has not ended, of each offer once in the user's life; answers the ids of the new ones.
 */
export async function issueOnRegistration(cause: Cause, userId: string): Promise<string[]> {
  const { tx, tenantId, now } = cause
  const issued: string[] = []
  for (const offer of await listRegistrationOffers(tx, tenantId)) {
    if (isOver(offer, now)) continue
    const wanted = { tenant_id: tenantId, user_id: userId, offer_id: offer.id, issued_at: now }
    if (!(await claim(tx, wanted))) continue
    const { id } = await cloneOffer(cause, offer, { status: 'Active' })
    await assignUser(cause, id, userId)
    issued.push(id)
  }
  return issued
}

const listRegistrationOffers = (read: Readable, tenantId: string): Promise<EntitlementRow[]> =>
  read
    .selectFrom('entitlements')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('is_offer', '=', yes)
    .where('issue_on_user_registration', '=', yes)
    .where('status', 'in', ['Active', 'Draft'])
    .where('is_deleted', '=', no)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Notes that a user has an offer; false when that was noted before. */
async function claim(
  tx: Tx,
  row: { tenant_id: string; user_id: string; offer_id: string; issued_at: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('registered_offers')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
