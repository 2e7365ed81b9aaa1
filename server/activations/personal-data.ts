import { foldOf, type Person, type PersonalData, toPersonalRecord } from '../access/users/person.ts'
import type { Readable } from '../database/database.ts'
import { isAmong, listed } from '../kit/listed-values.ts'
import type { Cause } from '../kit/outbox.ts'
import { deleteRegistrations } from './registrations/store.ts'
import { freeSeats } from './sessions/freeing.ts'

/** The ids of the license sessions that a person activated, signed in. */
export async function listSessionIds(read: Readable, { tenantId, userId }: Person): Promise<string[]> {
  const sessions = read.selectFrom('license_sessions').select('id').where('tenant_id', '=', tenantId)
  return (await sessions.where('user_id', '=', userId).orderBy('id').execute()).map(({ id }) => id)
}

/** A person's license sessions, with their devices, and what they registered and have not confirmed. */
export async function dataOfUser(read: Readable, person: Person): Promise<PersonalData<'sessions' | 'registrations'>> {
  const { tenantId, userId } = person
  const sessions = read
    .selectFrom('license_sessions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .orderBy('id')
  const registrations = read
    .selectFrom('registrations')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('folded_email', '=', person.foldedEmail)
    .orderBy('id')
  return {
    sessions: (await sessions.execute()).map(toPersonalRecord),
    registrations: person.isEmailVerified ? (await registrations.execute()).map(toPersonalRecord) : [],
  }
}

/**
 * Ends a person's license sessions, frees their seats, and leaves of them when they were and what they were of: no user, no
 * address, no device. Whoever else's activation named the address loses that alone. Answers the ids of the sessions.
 */
export async function eraseUser(cause: Cause, person: Person): Promise<string[]> {
  const { tx, now } = cause
  const { tenantId, userId, foldedEmail } = person
  const sessions = await tx
    .selectFrom('license_sessions')
    .select(['id', 'entitlement_id'])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
  await freeSeats(tx, tenantId, sessions)
  const own = tx.updateTable('license_sessions').where('tenant_id', '=', tenantId).where('user_id', '=', userId)
  await own.set({ released_at: now }).where('released_at', 'is', null).where('revoked_at', 'is', null).execute()
  await own
    .set({
      ...{ user_id: null, email: null, fingerprint: '', instance_id: '', device_name: null },
      ...{ components: null, application_info: null, revoke_reason: null },
    })
    .execute()
  await tx
    .updateTable('license_sessions')
    .set({ email: null })
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb(eb.fn<string>(foldOf(person), ['email']), '=', foldedEmail))
    .execute()
  const ids = sessions.map(({ id }) => id)
  await tx
    .deleteFrom('offline_issues')
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'session_id', listed(tx, ids)))
    .execute()
  await deleteRegistrations(tx, tenantId, foldedEmail)
  return ids
}
