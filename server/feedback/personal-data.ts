import { foldOf, type Person, type PersonalData, toPersonalRecord } from '../access/users/person.ts'
import type { Readable } from '../database/database.ts'
import { isAmong, listed } from '../kit/listed-values.ts'
import type { Cause } from '../kit/outbox.ts'

const tables = ['feedback_items', 'ratings'] as const

/** What a person said of the products, in these license sessions of theirs and without one. */
export async function dataOfUser(
  read: Readable,
  { tenantId, userId }: Person,
  sessionIds: readonly string[],
): Promise<PersonalData<'feedback' | 'ratings'>> {
  const [feedback, ratings] = await Promise.all(
    tables.map((table) =>
      read
        .selectFrom(table)
        .selectAll()
        .where('tenant_id', '=', tenantId)
        .where((eb) => eb.or([eb('user_id', '=', userId), isAmong(read, 'session_id', listed(read, sessionIds))]))
        .orderBy('id')
        .execute(),
    ),
  )
  return { feedback: feedback!.map(toPersonalRecord), ratings: ratings!.map(toPersonalRecord) }
}

/**
 * Takes a person's words, address and device from what they said in these license sessions and without one; that something
 * was said of which feature stays, and so does the number that rates it. Answers the ids of the records.
 */
export async function eraseUser({ tx }: Cause, person: Person, sessionIds: readonly string[]): Promise<string[]> {
  const { tenantId, userId, foldedEmail } = person
  const inSession = isAmong(tx, 'session_id', listed(tx, sessionIds))
  const items = await tx
    .updateTable('feedback_items')
    .set({ user_id: null, device_name: null, reply_to: null, body: '', note: null })
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('user_id', '=', userId), inSession]))
    .returning('id')
    .execute()
  await tx
    .updateTable('feedback_items')
    .set({ reply_to: null })
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb(eb.fn<string>(foldOf(person), ['reply_to']), '=', foldedEmail))
    .execute()
  const ratings = await tx
    .updateTable('ratings')
    .set({ user_id: null, remark: null })
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('user_id', '=', userId), inSession]))
    .returning('id')
    .execute()
  return [...items, ...ratings].map(({ id }) => id)
}
