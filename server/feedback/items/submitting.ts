import type { Readable } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import { newId } from '../../kit/ids.ts'
import { type Cause, recordEvents } from '../../kit/outbox.ts'
import type { Page } from '../../kit/page.ts'
import { invalid } from '../../kit/problem.ts'
import { findRecord } from '../../kit/records/store.ts'
import type { Reporter } from '../reporter.ts'
import type { FeedbackItem, Submission } from './contract.ts'
import { type ItemRow, insertItem, listItemsOf } from './store.ts'
import { toEventData, toWire } from './wire.ts'

/** Keeps what a reporter says as a new item; throws the validation problem for a product that is not there. */
export async function submitItem(cause: Cause, reporter: Reporter, said: Submission): Promise<FeedbackItem> {
  const { tx, tenantId, now } = cause
  const row: ItemRow = {
    id: newId(),
    tenant_id: tenantId,
    kind: said.kind,
    body: said.text,
    product_id: said.productId == null ? null : await requireProduct(tx, tenantId, said.productId),
    feature_code: said.featureCode || null,
    user_id: reporter.userId,
    session_id: reporter.sessionId,
    device_name: reporter.deviceName,
    reply_to: (said.replyTo ?? reporter.email) || null,
    status: 'New',
    reviewed_by: null,
    reviewed_at: null,
    note: null,
    duplicate_of_id: null,
    created_at: now,
  }
  await insertItem(tx, row)
  const data = { ...toEventData(row), status: 'New' as const }
  await recordEvents(cause, [{ type: 'Feedback.Submitted', entityId: row.id, data }])
  return toWire(row)
}

/** The id of a product as it is kept. */
async function requireProduct(read: Readable, tenantId: string, productId: string): Promise<string> {
  const product = await findRecord(read, 'products', tenantId, productId)
  if (!product) throw invalid([{ pointer: '/productId', message: 'there is no such product' }])
  return product.id
}

/** A page of what a reporter gave, with what was decided about it. */
export async function listSubmitted(
  read: Readable,
  tenantId: string,
  reporter: Reporter,
  query: ListQuery,
): Promise<Page<FeedbackItem>> {
  const page = await listItemsOf(read, tenantId, reporter, query)
  return { ...page, items: page.items.map(toWire) }
}
