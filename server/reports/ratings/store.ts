import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import type { Window } from '../window.ts'

const ratingsOf = (read: Readable, tenantId: string, { from, to }: Window) =>
  read
    .selectFrom('ratings')
    .where('ratings.tenant_id', '=', tenantId)
    .$if(from !== null, (ratings) => ratings.where('ratings.created_at', '>=', from))
    .$if(to !== null, (ratings) => ratings.where('ratings.created_at', '<', to))
    .select(['product_id as productId', 'feature_code as featureCode', 'rating'])
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.count<number>('remark').as('comments')])
    .groupBy(['product_id', 'feature_code', 'rating'])
    .orderBy(sql`coalesce(feature_code, '')`)
    .orderBy(sql`coalesce(product_id, '')`)

/** How often each rating was given to each feature, in the window. */
export const countRatings = (read: Readable, tenantId: string, window: Window) =>
  ratingsOf(read, tenantId, window).execute()

/** The same for each campaign that asked, and where none did; what two campaigns asked about is counted for both. */
export const countRatingsByCampaign = (read: Readable, tenantId: string, window: Window) =>
  ratingsOf(read, tenantId, window)
    .leftJoin('campaign_ratings', 'rating_id', 'ratings.id')
    .leftJoin('rating_campaigns', 'rating_campaigns.id', 'campaign_id')
    .select(['campaign_id as campaignId', 'rating_campaigns.name as campaignName'])
    .groupBy(['campaign_id', 'rating_campaigns.name'])
    .orderBy(sql`coalesce(rating_campaigns.name, '')`)
    .execute()
