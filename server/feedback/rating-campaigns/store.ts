import { type SelectQueryBuilder, sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { no } from '../../kit/flags.ts'
import type { ListSource } from '../../kit/records/store.ts'
import { ratingCampaignFilterFields } from './contract.ts'
import type { RatingCampaignTables } from './tables.ts'

type Row = RatingCampaignTables['rating_campaigns']

/** What a list of campaigns reads, with whether each is running at `now` (milliseconds). */
export const campaignsAt = (now: number): ListSource<Row> => ({
  table: 'rating_campaigns',
  fields: ratingCampaignFilterFields,
  rows: (read) => withRunning(read, now) as unknown as SelectQueryBuilder<Tables, never, Row>,
})

function withRunning(read: Readable, now: number) {
  const at = sql`cast(${now} as bigint)`
  return read
    .selectFrom('rating_campaigns')
    .selectAll('rating_campaigns')
    .select(
      sql<number>`case when is_enabled = 1 and (starts_at is null or starts_at <= ${at})
and (ends_at is null or ends_at > ${at}) then 1 else 0 end`.as('is_running'),
    )
}

/** The tenant's campaigns that have begun by `now` (milliseconds), paused and ended ones too, in the order in which they were made. */
export const begunCampaigns = (read: Readable, tenantId: string, now: number): Promise<Row[]> =>
  read
    .selectFrom('rating_campaigns')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where((eb) => eb.or([eb('starts_at', 'is', null), eb('starts_at', '<=', now)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
