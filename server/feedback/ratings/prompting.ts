import type { SessionRow } from '../../activations/sessions/licensed.ts'
import type { Readable } from '../../database/database.ts'
import { findEntitlements } from '../../entitlements/entitlements/loading.ts'
import { readFeatures } from '../../entitlements/entitlements/stored.ts'
import { lastFeatureUses } from '../../metering/transactions/feature-uses.ts'
import { runningAsks } from '../rating-campaigns/asking.ts'
import { isEntitledTo } from './entitled-feature.ts'
import { type Ask, nextAsk } from './rating-prompt.ts'
import { ratedInCampaigns } from './store.ts'

/** What to ask a session next at `now` (milliseconds), if anything. */
export async function findPrompt(read: Readable, session: SessionRow, now: number): Promise<Ask | undefined> {
  const { tenant_id: tenantId, entitlement_id: entitlementId } = session
  const asks = (await runningAsks(read, tenantId, now)).map(({ featureCatalogId, ...ask }) => ({
    ...ask,
    featureId: featureCatalogId,
  }))
  const [entitlement] = asks.length === 0 ? [] : await findEntitlements(read, tenantId, [entitlementId])
  if (!entitlement) return undefined
  const had = readFeatures(entitlement).filter((feature) => isEntitledTo(feature, session, now))
  const hadKeys = new Set(had.map(keyOf))
  const answers = await ratedInCampaigns(read, tenantId, session)
  const rated = new Set(answers.map(({ campaign_id, feature_id }) => `${campaign_id} ${feature_id}`))
  return nextAsk(asks, {
    isEntitledTo: (feature) => hadKeys.has(keyOf(feature)),
    hasRated: ({ campaignId, featureId }) => rated.has(`${campaignId} ${featureId}`),
    lastUses: await lastFeatureUses(read, tenantId, [session.id, entitlementId]),
  })
}

const keyOf = ({ productId, featureCode }: { productId: string; featureCode: string }) => `${productId} ${featureCode}`
