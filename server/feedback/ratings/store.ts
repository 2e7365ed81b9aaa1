import { type Expression, type SqlBool, sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ColumnField, FilterField } from '../../kit/filter/fields.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'
import { listRows } from '../../kit/records/plain-list.ts'
import type { RatingTables } from './tables.ts'

export type RatingRow = RatingTables['ratings']

const column = (name: string, column: string, nullable = false) => ({ name, column: `ratings.${column}`, nullable })

const campaignIds: FilterField = {
  name: 'campaignIds',
  type: 'textList',
  elements: (match) => {
    const holds = match(sql.ref('asking.campaign_id') as unknown as Expression<string>)
    return sql<SqlBool>`exists (select 1 from campaign_ratings as asking
where asking.tenant_id = ratings.tenant_id and asking.rating_id = ratings.id and ${holds})`
  },
}

export const ratingFilterFields: readonly [ColumnField, ...FilterField[]] = [
  { ...column('id', 'id'), type: 'uuid' },
  { ...column('sessionId', 'session_id'), type: 'uuid' },
  { ...column('userId', 'user_id', true), type: 'uuid' },
  { ...column('entitlementId', 'entitlement_id'), type: 'uuid' },
  { ...column('productId', 'product_id'), type: 'uuid' },
  { ...column('featureId', 'feature_id', true), type: 'uuid' },
  { ...column('featureCode', 'feature_code', true), type: 'text' },
  campaignIds,
  { ...column('rating', 'rating', true), type: 'integer' },
  { ...column('remark', 'remark', true), type: 'text' },
  { ...column('createdAt', 'created_at'), type: 'instant' },
]

/** A page of the tenant's ratings, oldest first unless a sortOrder says otherwise; throws the validation problem. */
export const ratingPage = (read: Readable, tenantId: string, query: ListQuery) =>
  listRows(read.selectFrom('ratings').where('tenant_id', '=', tenantId), ratingFilterFields, 'createdAt', query)

/** The campaigns that asked for each of these ratings, by the rating's id. */
export async function campaignsOf(
  read: Readable,
  tenantId: string,
  ratingIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (ratingIds.length === 0) return new Map()
  const rows = await read
    .selectFrom('campaign_ratings')
    .select(['rating_id', 'campaign_id'])
    .where('tenant_id', '=', tenantId)
    .where(isAmong(read, 'rating_id', listed(read, ratingIds)))
    .orderBy('campaign_id')
    .execute()
  const byRating = Map.groupBy(rows, ({ rating_id }) => rating_id)
  return new Map([...byRating].map(([id, some]) => [id, some.map(({ campaign_id }) => campaign_id)]))
}

/** Keeps a rating, for the campaigns that ask about its feature. */
export async function insertRating(tx: Tx, row: RatingRow, campaignIds: readonly string[]): Promise<void> {
  await tx.insertInto('ratings').values(row).execute()
  if (campaignIds.length === 0) return
  const { tenant_id, id: rating_id } = row
  await tx
    .insertInto('campaign_ratings')
    .values(campaignIds.map((campaign_id) => ({ tenant_id, campaign_id, rating_id })))
    .execute()
}

/** The features that a session or its user rated, each with a campaign that asked. */
export async function ratedInCampaigns(
  read: Readable,
  tenantId: string,
  { id, user_id }: { id: string; user_id: string | null },
): Promise<{ campaign_id: string; feature_id: string | null }[]> {
  const bySession = read.selectFrom('ratings').where('ratings.session_id', '=', id)
  const byUser = read.selectFrom('ratings').where('ratings.user_id', '=', user_id)
  const answers = [bySession, ...(user_id === null ? [] : [byUser])].map((given) =>
    given
      .innerJoin('campaign_ratings', 'campaign_ratings.rating_id', 'ratings.id')
      .select(['campaign_id', 'feature_id'])
      .where('ratings.tenant_id', '=', tenantId)
      .where('campaign_ratings.tenant_id', '=', tenantId)
      .execute(),
  )
  return (await Promise.all(answers)).flat()
}
