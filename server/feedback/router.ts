import { feedbackItems } from './items/procedures.ts'
import { ratingCampaignProcedures } from './rating-campaigns/procedures.ts'
import { ratingPrompts, ratings } from './ratings/procedures.ts'

/** What feedback adds to the router: below `admin`, and to what sessions do below `usage`. */
export const feedbackProcedures = {
  admin: { feedback: feedbackItems, ratings, ratingCampaigns: ratingCampaignProcedures },
  sessions: ratingPrompts,
}
