import type { Kind } from '../order.ts'
import { judgeAddOn } from './add-ons.ts'
import { judgeFeature } from './features.ts'
import { judgeMetric } from './metrics.ts'
import { judgeOffer } from './offers.ts'
import { judgePlanSet } from './plan-sets.ts'
import { judgeProduct } from './products.ts'
import { judgeRatingCampaign } from './rating-campaigns.ts'
import type { Surroundings, Verdict } from './rule.ts'

export type { Verdict } from './rule.ts'

type Judge = (item: never, around: Surroundings, verdict: Verdict) => void

const judges: Partial<Record<Kind, Judge>> = {
  product: judgeProduct,
  feature: judgeFeature,
  monitoredAsset: judgeMetric,
  planSet: judgePlanSet,
  addOn: judgeAddOn,
  entitlementOffer: judgeOffer,
  ratingCampaign: judgeRatingCampaign,
}

/** Applies every rule that a schema cannot say to one canonical item. */
export function checkItem(kind: Kind, item: object, around: Surroundings): Verdict {
  const verdict: Verdict = { breaches: [], cautions: [] }
  judges[kind]?.(item as never, around, verdict)
  return verdict
}
