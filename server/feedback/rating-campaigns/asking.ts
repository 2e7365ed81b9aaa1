import type { Readable } from '../../database/database.ts'
import { ratingCampaignKind } from './contract.ts'
import { runningCampaigns } from './store.ts'
import { type NamedTarget, nameTargets } from './targets.ts'

/** What the campaigns that run at `now` (milliseconds) ask about, in the order of campaigns and targets. */
export async function runningAsks(
  read: Readable,
  tenantId: string,
  now: number,
): Promise<(NamedTarget & { campaignId: string })[]> {
  const campaigns = await loadRunning(read, tenantId, now)
  const named = await nameTargets(
    read,
    tenantId,
    campaigns.map(({ targets }) => targets),
  )
  return campaigns.flatMap(({ id }, index) => named[index]!.map((target) => ({ ...target, campaignId: id })))
}

/** The ids of the campaigns that at `now` (milliseconds) ask about an entry of the feature catalog. */
export async function askingAbout(read: Readable, tenantId: string, featureId: string, now: number): Promise<string[]> {
  const campaigns = await loadRunning(read, tenantId, now)
  return campaigns
    .filter(({ targets }) => targets.some(({ featureCatalogId }) => featureCatalogId === featureId))
    .map(({ id }) => id)
}

const loadRunning = async (read: Readable, tenantId: string, now: number) =>
  (await runningCampaigns(read, tenantId, now)).map((row) => ({
    id: row.id,
    targets: ratingCampaignKind.toItem(row, {}).targets,
  }))
