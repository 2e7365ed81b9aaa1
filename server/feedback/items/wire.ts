import { toInstant, toNullableInstant } from '../../kit/instants.ts'
import type { FeedbackItem } from './contract.ts'
import type { ItemRow } from './store.ts'

/** An item as it is answered. */
export const toWire = (row: ItemRow): FeedbackItem => ({
  id: row.id,
  kind: row.kind,
  text: row.body,
  productId: row.product_id,
  featureCode: row.feature_code,
  userId: row.user_id,
  sessionId: row.session_id,
  deviceName: row.device_name,
  replyTo: row.reply_to,
  status: row.status,
  reviewedBy: row.reviewed_by,
  reviewedAt: toNullableInstant(row.reviewed_at),
  note: row.note,
  duplicateOfId: row.duplicate_of_id,
  createdAt: toInstant(row.created_at),
})

/** What events tell of an item: nothing that was written, nor any address. */
export const toEventData = (row: ItemRow) => ({
  feedbackId: row.id,
  kind: row.kind,
  productId: row.product_id,
  featureCode: row.feature_code,
  userId: row.user_id,
  sessionId: row.session_id,
})
