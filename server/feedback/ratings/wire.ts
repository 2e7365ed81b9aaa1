import { toInstant } from '../../kit/instants.ts'
import type { RatingRecord } from './contract.ts'
import type { RatingRow } from './store.ts'

/** A rating as it is answered, with the campaigns that asked for it. */
export const toWire = (row: RatingRow, campaignIds: readonly string[]): RatingRecord => ({
  id: row.id,
  sessionId: row.session_id,
  userId: row.user_id,
  entitlementId: row.entitlement_id,
  productId: row.product_id,
  featureId: row.feature_id,
  featureCode: row.feature_code,
  campaignIds: [...campaignIds],
  rating: row.rating,
  remark: row.remark,
  createdAt: toInstant(row.created_at),
})
