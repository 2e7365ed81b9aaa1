import { hasAnyAddress, type Person, type PersonalData } from '../access/users/person.ts'
import type { Readable } from '../database/database.ts'
import { isAmong, isTenants, listed } from '../kit/listed-values.ts'
import { lookApart } from '../kit/looking-apart.ts'
import type { Cause } from '../kit/outbox.ts'
import { toWire as toItem } from './items/wire.ts'
import { campaignsOf } from './ratings/store.ts'
import { toWire as toRating } from './ratings/wire.ts'

/** The ids of what a person said, signed in or, where nobody was, in a license session of theirs; each by its index. */
async function listOwn(read: Readable, table: 'feedback_items' | 'ratings', person: Person): Promise<string[]> {
  const said = read.selectFrom(table).select('id').where('tenant_id', '=', person.tenantId)
  const inSessions = said
    .where('user_id', 'is', null)
    .where(isAmong(read, 'session_id', listed(read, person.sessionIds)))
  const rows = await said
    .where(isAmong(read, 'user_id', listed(read, person.userIds)))
    .unionAll(inSessions)
    .execute()
  return rows.map(({ id }) => id)
}

/** What a person said of the products. */
export async function dataOfUser(read: Readable, person: Person): Promise<PersonalData<'feedback' | 'ratings'>> {
  const { tenantId } = person
  const itemIds = await listOwn(read, 'feedback_items', person)
  const ratingIds = await listOwn(read, 'ratings', person)
  const items = read.selectFrom('feedback_items').selectAll().where(isTenants(read, tenantId))
  const ratings = read.selectFrom('ratings').selectAll().where(isTenants(read, tenantId))
  const campaignIds = await campaignsOf(read, tenantId, ratingIds)
  const itemRows = await items
    .where(isAmong(read, 'id', listed(read, itemIds)))
    .orderBy('id')
    .execute()
  const ratingRows = await ratings
    .where(isAmong(read, 'id', listed(read, ratingIds)))
    .orderBy('id')
    .execute()
  return {
    feedback: itemRows.map((row) => ({ ...toItem(row) })),
    ratings: ratingRows.map((row) => ({ ...toRating(row, campaignIds.get(row.id) ?? []) })),
  }
}

/**
 * Takes a person's words, address and device from what they said; that something was said of which feature stays, and so
 * does the number that rates it. Answers the ids of the records.
 */
export async function eraseUser({ tx }: Cause, person: Person): Promise<string[]> {
  const apart = lookApart(tx)
  const itemIds = await listOwn(apart, 'feedback_items', person)
  const ratingIds = await listOwn(apart, 'ratings', person)
  const named = await apart
    .selectFrom('feedback_items')
    .select('id')
    .where('tenant_id', '=', person.tenantId)
    .where(hasAnyAddress('reply_to', person))
    .execute()
  const answeredTo = named.map(({ id }) => id)
  const items = tx.updateTable('feedback_items').where(isTenants(tx, person.tenantId))
  await items
    .set({ user_id: null, device_name: null, reply_to: null, body: '', note: null })
    .where(isAmong(tx, 'id', listed(tx, itemIds)))
    .execute()
  await items
    .set({ reply_to: null })
    .where(isAmong(tx, 'id', listed(tx, answeredTo)))
    .execute()
  await tx
    .updateTable('ratings')
    .set({ user_id: null, remark: null })
    .where(isTenants(tx, person.tenantId))
    .where(isAmong(tx, 'id', listed(tx, ratingIds)))
    .execute()
  return [...itemIds, ...ratingIds, ...answeredTo]
}
