import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { storeOf } from '../../kit/records/store.ts'
import type { Window } from '../window.ts'

/**
 * How often each feature was used by FeatureUsed records of the window, and by how many entitlements: a code means the
 * feature of it that a product of the entitlement has.
 */
export function countUses(read: Readable, tenantId: string, { from, to }: Window) {
  const data = storeOf(read) === 'postgres' ? sql`event_data::json` : sql`event_data`
  const code = sql<string>`${data} ->> 'featureCode'`
  return read
    .selectFrom((eb) =>
      eb
        .selectFrom('usage_transactions')
        .where('tenant_id', '=', tenantId)
        .where('event_name', '=', 'FeatureUsed')
        .$if(from !== null, (records) => records.where('occurred_at', '>=', from))
        .$if(to !== null, (records) => records.where('occurred_at', '<', to))
        .select(['entitlement_id as entitlementId', code.as('code')])
        .select(eb.fn.countAll<number>().as('uses'))
        .groupBy(['entitlement_id', code])
        .as('used'),
    )
    .innerJoin('entitlement_products', (join) =>
      join.onRef('entitlement_id', '=', 'entitlementId').on('entitlement_products.tenant_id', '=', tenantId),
    )
    .innerJoin('features', (join) =>
      join
        .onRef('features.product_id', '=', 'entitlement_products.product_id')
        .onRef('feature_code', '=', 'code')
        .on('features.tenant_id', '=', tenantId)
        .on('features.is_deleted', '=', no),
    )
    .select('features.id as featureId')
    .select((eb) => [eb.fn.countAll<number>().as('entitlements'), eb.fn.sum<number | string>('uses').as('uses')])
    .groupBy('features.id')
    .execute()
}

/** The feature catalog. */
export const listFeatures = (read: Readable, tenantId: string) =>
  read
    .selectFrom('features')
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .select(['product_id as productId', 'id as featureId', 'feature_code as featureCode', 'name as featureName'])
    .select(['metric_name as metricName', 'value_score as valueScore'])
    .orderBy('product_id')
    .orderBy('feature_code')
    .execute()
