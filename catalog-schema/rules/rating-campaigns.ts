import { keyOf, productText } from '../keys.ts'
import type { RatingCampaign } from '../rating-campaign.ts'
import { invalid, type Surroundings, type Verdict } from './rule.ts'

/** A rating campaign ends after it begins, and asks about entries of the feature catalog, each once. */
export function judgeRatingCampaign(campaign: RatingCampaign, around: Surroundings, { breaches }: Verdict): void {
  const { startsAt, endsAt, targets } = campaign
  if (startsAt !== null && endsAt !== null && Date.parse(endsAt) <= Date.parse(startsAt))
    breaches.push(invalid('/endsAt', 'must be after startsAt'))
  const seen = new Set<string>()
  for (const [index, target] of targets.entries()) {
    const path = `/targets/${index}/featureCode`
    const key = keyOf('feature', target)
    if (seen.has(key)) breaches.push(invalid(path, 'the feature is a target already'))
    seen.add(key)
    // What has neither an entry nor a feature of its product is refused as a name that nothing has.
    if (around.featureOf(productText(target), target.featureCode) && !around.find('feature', key))
      breaches.push({
        codeName: 'catalog.unresolved_reference',
        path,
        message: `${key} is only attached to its product, and no entry of the feature catalog`,
        wanted: { featureCode: target.featureCode, products: [productText(target)] },
      })
  }
}
