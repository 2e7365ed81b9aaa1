import type { Readable } from '../../database/database.ts'
import { ratingCampaignKind } from './contract.ts'
import { isRunning } from './running.ts'
import { begunCampaigns } from './store.ts'
import type { RatingCampaignTables } from './tables.ts'
import { type NamedTarget, nameTargets } from './targets.ts'

/** What the campaigns that run at `now` (milliseconds) ask about, in the order of campaigns and targets. */
export async function runningAsks(
  read: Readable,
  tenantId: string,
  now: number,
): Promise<(NamedTarget & { campaignId: string })[]> {
  const running = (await begunCampaigns(read, tenantId, now)).filter((row) => isRunning(row, now))
  const campaigns = running.map(aboutOf)
  const named = await nameTargets(
    read,
    tenantId,
    campaigns.map(({ targets }) => targets),
  )
  return campaigns.flatMap(({ id }, index) => named[index]!.map((target) => ({ ...target, campaignId: id })))
}

/**
 * The ids of the campaigns that have begun by `now` (milliseconds) and are about an entry of the feature catalog: one that is
 * paused or has ended may go on.
 */
export async function campaignsAbout(
  read: Readable,
  tenantId: string,
  featureId: string,
  now: number,
): Promise<string[]> {
  const campaigns = await begunCampaigns(read, tenantId, now)
  return campaigns
    .map(aboutOf)
    .filter(({ targets }) => targets.some(({ featureCatalogId }) => featureCatalogId === featureId))
    .map(({ id }) => id)
}

const aboutOf = (row: RatingCampaignTables['rating_campaigns']) => ({
  id: row.id,
  targets: ratingCampaignKind.toItem(row, {}).targets,
})
