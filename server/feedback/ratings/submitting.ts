import type { SessionRow } from '../../activations/sessions/licensed.ts'
import { findSessionOfUser } from '../../activations/sessions/session-of-user.ts'
import { lockUsableSession } from '../../activations/usage/usable-session.ts'
import { readAttachedIds } from '../../catalog/products/attached-features.ts'
import { listEntriesOf } from '../../catalog/records/entries-of.ts'
import type { Readable } from '../../database/database.ts'
import { licensedProductIds } from '../../entitlements/entitlements/licensed-products.ts'
import { findEntitlements } from '../../entitlements/entitlements/loading.ts'
import { readFeatures } from '../../entitlements/entitlements/stored.ts'
import type { UserCaller, WriteContext } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { invalid, Problem } from '../../kit/problem.ts'
import { campaignsAbout } from '../rating-campaigns/asking.ts'
import type { RatingRecord } from './contract.ts'
import { type Rateable, ratedBy, type SaidAbout } from './rated-feature.ts'
import { insertRating, type RatingRow } from './store.ts'
import { toWire } from './wire.ts'

/** A rating as it is sent: from 1 to 5, a remark, or both. */
interface Submission extends SaidAbout {
  sessionId: string
  rating?: number | null
  remark?: string | null
}

/** Keeps what the holder of a license token or of a user's token says of what their session licenses; throws 403 for anybody else's session, and the validation problem. */
export async function submitRating(context: WriteContext, said: Submission): Promise<RatingRecord> {
  const { tx, tenant, now } = context
  const rating = said.rating ?? null
  const remark = said.remark?.trim() || null
  if (rating !== null && rating > 5) throw invalid([{ pointer: '/rating', message: 'must be 5 or less' }])
  if (rating === null && remark === null)
    throw invalid([{ pointer: '/rating', message: 'must be given, or else a remark' }])
  const session = await getOwnSession(context, said.sessionId)
  const rated = ratedBy(said, await loadRateable(tx, tenant.id, session.entitlement_id))
  const row: RatingRow = {
    id: newId(),
    tenant_id: tenant.id,
    session_id: session.id,
    user_id: session.user_id,
    entitlement_id: session.entitlement_id,
    product_id: rated.productId,
    feature_id: rated.featureId,
    feature_code: rated.featureCode,
    rating,
    remark,
    created_at: now,
  }
  const campaignIds = rated.featureId === null ? [] : await campaignsAbout(tx, tenant.id, rated.featureId, now)
  await insertRating(tx, row, campaignIds)
  return toWire(row, campaignIds)
}

/** The caller's own session: that of a license token may still be used, that of a user may be over. */
async function getOwnSession({ tx, tenant, caller, now }: WriteContext, sessionId: string): Promise<SessionRow> {
  if (caller.kind === 'session' && caller.sessionId === sessionId.toLowerCase())
    return lockUsableSession(tx, tenant.id, caller.sessionId, now)
  const session =
    caller.kind === 'session'
      ? undefined
      : await findSessionOfUser(tx, tenant.id, (caller as UserCaller).userId, sessionId)
  if (!session) throw new Problem('auth.insufficient_scope', "The session is not the caller's own.")
  return session
}

/** What can be rated of an entitlement: its features, and what else the catalog has of its products. */
async function loadRateable(read: Readable, tenantId: string, entitlementId: string): Promise<Rateable> {
  const [entitlement] = await findEntitlements(read, tenantId, [entitlementId])
  if (!entitlement) return { productIds: [], features: [] }
  const productIds = licensedProductIds(entitlement)
  const entries = await listEntriesOf(read, tenantId, productIds)
  const entryIds = new Map(entries.map(({ id, productId, featureCode }) => [`${productId} ${featureCode}`, id]))
  const attachedIds = await readAttachedIds(read, tenantId, productIds)
  const held = new Set<string>()
  const features = readFeatures(entitlement).map(({ id, productId, featureCode }) => {
    const key = `${productId} ${featureCode}`
    held.add(key)
    const ownIds = [id, attachedIds.get(key)].filter((one) => one !== undefined)
    return { productId, featureCode, featureId: entryIds.get(key) ?? null, ownIds }
  })
  const others = entries
    .filter(({ productId, featureCode }) => !held.has(`${productId} ${featureCode}`))
    .map(({ id, productId, featureCode }) => ({ productId, featureCode, featureId: id }))
  return { productIds, features: [...features, ...others] }
}
