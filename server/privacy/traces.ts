import { foldOf, type Person } from '../access/users/person.ts'
import type { Readable, Tx } from '../database/database.ts'
import { isAmong, listed } from '../kit/listed-values.ts'
import { storeOf } from '../kit/records/store.ts'

const actorOf = ({ userId }: Person) => `user:${userId}`

/** The entries of the audit log of what a person did, and of what was done to the user and to these sessions. */
export const auditOf = (read: Readable, person: Person, sessionIds: readonly string[]) =>
  read
    .selectFrom('audit_entries')
    .selectAll()
    .where('tenant_id', '=', person.tenantId)
    .where((eb) =>
      eb.or([
        eb('actor', '=', actorOf(person)),
        isAmong(read, 'record_id', listed(read, [person.userId, ...sessionIds])),
      ]),
    )
    .orderBy('id')
    .execute()

/**
 * Empties the entries of the audit log that a person caused, that are about these records, or that name the address: that
 * something was done stays, what it was not. Forgets the answers that are kept for the person, and for these sessions.
 */
export async function eraseTraces(
  tx: Tx,
  person: Person,
  sessionIds: readonly string[],
  recordIds: readonly string[],
): Promise<void> {
  const { tenantId, userId, foldedEmail } = person
  const place = storeOf(tx) === 'postgres' ? 'strpos' : 'instr'
  await tx
    .updateTable('audit_entries')
    .set({ before: null, after: null })
    .where('tenant_id', '=', tenantId)
    .where((eb) => {
      const names = (column: 'before' | 'after') =>
        eb(eb.fn<number>(place, [eb.fn(foldOf(person), [column]), eb.val(foldedEmail)]), '>', 0)
      return eb.or([
        eb('actor', '=', actorOf(person)),
        isAmong(tx, 'record_id', listed(tx, recordIds)),
        names('before'),
        names('after'),
      ])
    })
    .execute()
  await tx
    .deleteFrom('idempotency_records')
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'caller', listed(tx, [userId, ...sessionIds])))
    .execute()
}
