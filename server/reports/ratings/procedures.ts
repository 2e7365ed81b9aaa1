import { query } from '../../kit/procedure.ts'
import { withProducts } from '../products.ts'
import { readWindow, windowToWire } from '../window.ts'
import { ratingsContract } from './contract.ts'
import { distributionOf, type RatingCount } from './distribution.ts'
import { countRatings, countRatingsByCampaign } from './store.ts'

export const ratings = query(ratingsContract, async ({ read, tenant }, asked) => {
  const window = readWindow(asked)
  const counts = await countRatings(read, tenant.id, window)
  const byCampaign = await countRatingsByCampaign(read, tenant.id, window)
  const features = linesBy(counts, ({ productId, featureCode }) => ({
    ...{ productId, featureCode, countedBy: 'Feature' as const, campaignId: null, campaignName: null },
  }))
  const featuresByCampaign = linesBy(byCampaign, ({ productId, featureCode, campaignId, campaignName }) => ({
    ...{ productId, featureCode, countedBy: 'Campaign' as const, campaignId, campaignName },
  }))
  return {
    ...windowToWire(window),
    features: await withProducts(read, tenant.id, features),
    campaigns: linesBy(byCampaign, ({ campaignId, campaignName }) => ({ campaignId, campaignName })),
    featuresByCampaign: await withProducts(read, tenant.id, featuresByCampaign),
  }
})

/** A line for all that are alike in what `whose` answers, in the order in which they first come. */
const linesBy = <Counted extends RatingCount, Whose>(counts: readonly Counted[], whose: (counted: Counted) => Whose) =>
  [...Map.groupBy(counts, (counted) => JSON.stringify(whose(counted))).values()].map((some) => ({
    ...whose(some[0]!),
    ...distributionOf(some),
  }))
