import { foldOf, type Person, type PersonalData, toPersonalRecord } from '../access/users/person.ts'
import type { Readable } from '../database/database.ts'
import type { Cause } from '../kit/outbox.ts'

/** What a person may use, and asked for: assignments, codes that were sent to them, requests for another plan. */
export async function dataOfUser(
  read: Readable,
  person: Person,
): Promise<PersonalData<'entitlements' | 'activationCodes' | 'planChangeRequests'>> {
  const { tenantId, userId } = person
  const assigned = read
    .selectFrom('entitlement_principals')
    .innerJoin('entitlements', 'entitlements.id', 'entitlement_principals.entitlement_id')
    .select(['entitlements.id', 'entitlements.name', 'entitlements.status', 'entitlement_principals.assigned_at'])
    .where('entitlement_principals.tenant_id', '=', tenantId)
    .where('entitlement_principals.user_id', '=', userId)
    .orderBy('entitlements.id')
  const codes = read
    .selectFrom('activation_codes')
    .select(['id', 'entitlement_id', 'email', 'required_user_id', 'created_at', 'expires_at', 'revoked_at'])
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', 0)
    .where((eb) => {
      const named = eb('required_user_id', '=', userId)
      return person.isEmailVerified
        ? eb.or([named, eb(eb.fn<string>(foldOf(person), ['email']), '=', person.foldedEmail)])
        : named
    })
    .orderBy('id')
  const requests = read
    .selectFrom('plan_change_requests')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .orderBy('id')
  return {
    entitlements: (await assigned.execute()).map(toPersonalRecord),
    activationCodes: (await codes.execute()).map(toPersonalRecord),
    planChangeRequests: (await requests.execute()).map(toPersonalRecord),
  }
}

/**
 * Takes every entitlement from a person, and their address from codes, contacts and customers, their words from requests.
 * Answers the ids of the records that told of them.
 */
export async function eraseUser(cause: Cause, person: Person): Promise<string[]> {
  const { tx, now, actor } = cause
  const { tenantId, userId, foldedEmail } = person
  for (const table of ['entitlement_principals', 'registered_offers'] as const)
    await tx.deleteFrom(table).where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()
  const changed: { id: string }[] = []
  for (const table of ['activation_codes', 'customers'] as const)
    changed.push(
      ...(await tx
        .updateTable(table)
        .set((eb) => ({
          ...{ email: null, updated_at: now, updated_by: actor },
          revision_number: eb('revision_number', '+', 1),
        }))
        .where('tenant_id', '=', tenantId)
        .where((eb) => eb(eb.fn<string>(foldOf(person), ['email']), '=', foldedEmail))
        .returning('id')
        .execute()),
    )
  await tx
    .updateTable('entitlements')
    .set((eb) => ({
      ...{ customer_contact_email: null, customer_contact_name: null, updated_at: now, updated_by: actor },
      revision_number: eb('revision_number', '+', 1),
    }))
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb(eb.fn<string>(foldOf(person), ['customer_contact_email']), '=', foldedEmail))
    .execute()
  const requests = await tx
    .updateTable('plan_change_requests')
    .set({ user_id: null, note: null, review_note: null })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .returning('id')
    .execute()
  return [...changed, ...requests].map(({ id }) => id)
}
