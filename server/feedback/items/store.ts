import type { SelectQueryBuilder } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { listRows } from '../../kit/records/plain-list.ts'
import type { Reporter } from '../reporter.ts'
import { feedbackStatuses } from './reviewing.ts'

export type ItemRow = Tables['feedback_items']

export const feedbackKinds = ['FeatureRequest', 'ProblemReport', 'GeneralComment'] as const

const column = (name: string, column: string) => ({ name, column: `feedback_items.${column}`, nullable: false })
const nullable = (name: string, to: string) => ({ ...column(name, to), nullable: true })

/** What a list of items is filtered and sorted by; the id tells them apart. */
export const itemFilterFields: readonly [ColumnField, ...ColumnField[]] = [
  { ...column('id', 'id'), type: 'uuid' },
  { ...column('kind', 'kind'), type: 'enum', values: feedbackKinds },
  { ...column('text', 'body'), type: 'text' },
  { ...nullable('productId', 'product_id'), type: 'uuid' },
  { ...nullable('featureCode', 'feature_code'), type: 'text' },
  { ...nullable('userId', 'user_id'), type: 'uuid' },
  { ...nullable('sessionId', 'session_id'), type: 'uuid' },
  { ...nullable('deviceName', 'device_name'), type: 'text' },
  { ...nullable('replyTo', 'reply_to'), type: 'text' },
  { ...column('status', 'status'), type: 'enum', values: feedbackStatuses },
  { ...nullable('reviewedBy', 'reviewed_by'), type: 'text' },
  { ...nullable('reviewedAt', 'reviewed_at'), type: 'instant' },
  { ...nullable('note', 'note'), type: 'text' },
  { ...nullable('duplicateOfId', 'duplicate_of_id'), type: 'uuid' },
  { ...column('createdAt', 'created_at'), type: 'instant' },
]

const itemsOf = (read: Readable, tenantId: string): SelectQueryBuilder<Tables, 'feedback_items', object> =>
  read.selectFrom('feedback_items').where('tenant_id', '=', tenantId)

/** A page of the tenant's items, the first given first unless a sortOrder says otherwise. */
export const listItems = (read: Readable, tenantId: string, query: ListQuery) =>
  listRows(itemsOf(read, tenantId), itemFilterFields, 'createdAt', query)

/** A page of a reporter's own: what a user gave in any session and without one, or what a session gave but for other users. */
export function listItemsOf(read: Readable, tenantId: string, { sessionId, userId }: Reporter, query: ListQuery) {
  const items = itemsOf(read, tenantId)
  const own =
    sessionId === null
      ? items.where('user_id', '=', userId)
      : items
          .where('session_id', '=', sessionId)
          .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', userId)]))
  return listRows(own, itemFilterFields, 'createdAt', query)
}

/** The item under an id; throws the not-found problem. */
export async function getItem(read: Readable, tenantId: string, id: string): Promise<ItemRow> {
  const row = await itemsOf(read, tenantId).where('id', '=', id.toLowerCase()).selectAll().executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** The items under these ids in their order, nobody else's to change until the transaction ends; throws the not-found problem. */
export async function lockItems(tx: Tx, tenantId: string, ids: readonly string[]): Promise<ItemRow[]> {
  const sought = ids.map((id) => id.toLowerCase())
  // In one order everywhere, so that two reviews of the same items wait for each other and no more.
  const query = itemsOf(tx, tenantId).where('id', 'in', sought).selectAll().orderBy('id')
  const rows = await query.forUpdate().execute()
  return sought.map((id) => {
    const row = rows.find((row) => row.id === id)
    if (!row) throw notFound()
    return row
  })
}

const notFound = () => recordNotFound('feedback item')

/** Keeps a new item. */
export const insertItem = async (tx: Tx, row: ItemRow): Promise<void> =>
  void (await tx.insertInto('feedback_items').values(row).execute())

/** Keeps what was decided on an item; what was a duplicate of it goes on as one of the item that it is a duplicate of. */
export async function recordReview(tx: Tx, row: ItemRow): Promise<void> {
  const { id, tenant_id, status, reviewed_by, reviewed_at, note, duplicate_of_id } = row
  const update = tx.updateTable('feedback_items').where('tenant_id', '=', tenant_id)
  await update.set({ status, reviewed_by, reviewed_at, note, duplicate_of_id }).where('id', '=', id).execute()
  if (duplicate_of_id !== null) await update.set({ duplicate_of_id }).where('duplicate_of_id', '=', id).execute()
}
