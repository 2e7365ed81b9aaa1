import type { Readable } from '../../database/database.ts'
import { newId } from '../../kit/ids.ts'
import type { Cause } from '../../kit/outbox.ts'
import { invalid } from '../../kit/problem.ts'
import { findRecord } from '../../kit/records/store.ts'

/** Attributes an entitlement, once its row is written, to the campaign it was made because of; throws the validation problem for a campaign that is not there. */
export async function recordIssuance(cause: Cause, campaignId: string, entitlementId: string): Promise<void> {
  const { tx, tenantId, now } = cause
  const id = await requireCampaign(tx, tenantId, campaignId)
  await tx
    .insertInto('campaign_touches')
    .values({
      id: newId(),
      tenant_id: tenantId,
      campaign_id: id,
      entitlement_id: entitlementId,
      kind: 'Issuance',
      touched_at: now,
    })
    .execute()
}

/** The id of a campaign as it is kept; throws the validation problem for a campaign that is not there. */
export async function requireCampaign(read: Readable, tenantId: string, campaignId: string): Promise<string> {
  const campaign = await findRecord(read, 'campaigns', tenantId, campaignId)
  if (!campaign) throw invalid([{ pointer: '/campaignId', message: 'there is no such campaign' }])
  return campaign.id
}
