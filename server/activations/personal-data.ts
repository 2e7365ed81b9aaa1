import {
  hasAddress,
  hasAnyAddress,
  type KnownPerson,
  type Person,
  type PersonalData,
  toPersonalRecord,
} from '../access/users/person.ts'
import type { Readable } from '../database/database.ts'
import { readCodes } from '../entitlements/activation-codes/lookup.ts'
import type { ReadContext } from '../kit/context.ts'
import { isAmong, isTenants, listed } from '../kit/listed-values.ts'
import { lookApart } from '../kit/looking-apart.ts'
import type { Cause } from '../kit/outbox.ts'
import { answerSessions } from './administration/answering.ts'
import { fingerprintsOf } from './sessions/former-fingerprints.ts'
import { freeSeats } from './sessions/freeing.ts'
import { blockedDevices, type Pair } from './sessions/store.ts'

/**
 * The ids of a person's license sessions: those that they activated signed in, and, where nobody was signed in, those that
 * were activated with their address, or with a code of theirs and without any. Each kind is found by an index of its own,
 * the last among the sessions of the codes' entitlements.
 */
export async function listSessionIds(read: Readable, person: KnownPerson & Pick<Person, 'codeIds'>): Promise<string[]> {
  const { tenantId, userIds, codeIds } = person
  const codes = await readCodes(read, tenantId, codeIds)
  const entitlementIds = [...new Set(codes.map((code) => code.entitlement_id))]
  const all = read.selectFrom('license_sessions').select('id').where('tenant_id', '=', tenantId)
  const ofNobody = all.where('user_id', 'is', null)
  const byCode = ofNobody
    .where('email', 'is', null)
    .where(isAmong(read, 'entitlement_id', listed(read, entitlementIds)))
    .where(isAmong(read, 'activation_code_id', listed(read, codeIds)))
  const sessions = await all
    .where(isAmong(read, 'user_id', listed(read, userIds)))
    .unionAll(ofNobody.where(hasAddress('email', person)))
    .unionAll(byCode)
    .orderBy('id')
    .execute()
  return sessions.map(({ id }) => id)
}

const sessionsOf = (read: Readable, { tenantId, sessionIds }: Person) =>
  read
    .selectFrom('license_sessions')
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'id', listed(read, sessionIds)))

/** A person's license sessions, with their devices, which of those are blocked, and what they registered and have not confirmed. */
export async function dataOfUser(
  context: ReadContext,
  person: Person,
): Promise<PersonalData<'sessions' | 'blockedDevices' | 'registrations'>> {
  const { read } = context
  const rows = await sessionsOf(read, person).selectAll().orderBy('id').execute()
  const answered = await answerSessions(read, context, rows)
  const registrations = read
    .selectFrom('registrations')
    .select(['id', 'email', 'display_name', 'created_at', 'expires_at'])
    .where('tenant_id', '=', person.tenantId)
    .where(isAmong(read, 'folded_email', listed(read, person.addresses)))
    .orderBy('id')
  return {
    sessions: answered.map(({ activationCode: _, licenseKey: __, ...session }, place) => {
      const { product_code, components, application_info, former_fingerprints } = rows[place]!
      const fieldsOf = (text: string | null) => (text === null ? null : (JSON.parse(text) as unknown))
      const said = {
        formerFingerprints: fieldsOf(former_fingerprints),
        components: fieldsOf(components),
        applicationInfo: fieldsOf(application_info),
      }
      return { ...session, productCode: product_code, ...said }
    }),
    blockedDevices: (await blocksOf(read, person)).map(({ tenant_id: _, session_id: __, ...block }) =>
      toPersonalRecord(block),
    ),
    registrations: (await registrations.execute()).map(toPersonalRecord),
  }
}

/** The blocks of the devices of a person's sessions, by whichever of their fingerprints. */
async function blocksOf(read: Readable, person: Person) {
  const sessions = await sessionsOf(read, person)
    .select(['entitlement_id', 'fingerprint', 'former_fingerprints'])
    .execute()
  const devices = new Map<string, Pair>()
  for (const session of sessions)
    for (const fingerprint of fingerprintsOf(session))
      devices.set(`${session.entitlement_id} ${fingerprint}`, [session.entitlement_id, fingerprint])
  return blockedDevices(read, person.tenantId, [...devices.values()])
}

/**
 * Ends a person's license sessions, frees their seats, and leaves of them when they were and what they were of: no user, no
 * address, no device, nor that it was blocked. Whoever else's activation named the address loses that alone. Answers the ids of
 * the entitlements that they were of.
 */
export async function eraseUser(cause: Cause, person: Person): Promise<string[]> {
  const { tx, now } = cause
  const { tenantId } = person
  const sessionIds = listed(tx, person.sessionIds)
  const sessions = await sessionsOf(tx, person).select(['id', 'entitlement_id']).execute()
  await freeSeats(tx, tenantId, sessions)
  // Whatever a session sends waits from here on, or was sent before and is found.
  await sessionsOf(tx, person).select('id').orderBy('id').forUpdate().execute()
  for (const { entitlement_id, fingerprint } of await blocksOf(tx, person))
    await tx
      .deleteFrom('blocked_devices')
      .where((eb) => eb.and({ tenant_id: tenantId, entitlement_id, fingerprint }))
      .execute()
  const own = tx
    .updateTable('license_sessions')
    .where(isTenants(tx, tenantId))
    .where(isAmong(tx, 'id', sessionIds))
  await own.set({ released_at: now }).where('released_at', 'is', null).where('revoked_at', 'is', null).execute()
  await own
    .set({
      ...{ user_id: null, email: null, fingerprint: '', former_fingerprints: null, instance_id: '', device_name: null },
      ...{ components: null, application_info: null, revoke_reason: null },
    })
    .execute()
  const named = await lookApart(tx)
    .selectFrom('license_sessions')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where(hasAnyAddress('email', person))
    .execute()
  await tx
    .updateTable('license_sessions')
    .set({ email: null })
    .where(isTenants(tx, tenantId))
    .where(
      isAmong(
        tx,
        'id',
        listed(
          tx,
          named.map(({ id }) => id),
        ),
      ),
    )
    .execute()
  await tx
    .deleteFrom('offline_issues')
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'session_id', sessionIds))
    .execute()
  await tx
    .deleteFrom('registrations')
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'folded_email', listed(tx, person.addresses)))
    .execute()
  return [...new Set(sessions.map((session) => session.entitlement_id))]
}
