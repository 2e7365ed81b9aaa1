import { sql } from 'kysely'
import type { BalanceUsage, MeteredUsage, Metric } from '../../../catalog-schema/metric.ts'
import { metricFields } from '../../../catalog-schema/metric.ts'
import type { Readable } from '../../database/database.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { tailOf } from '../../kit/records/answers.ts'
import { fromColumns, storedFields } from '../../kit/records/columns.ts'
import type { ListSource } from '../../kit/records/store.ts'
import { tagsOf } from '../records/tagging.ts'
import { metricFilterFields } from './contract.ts'
import type { MetricRow } from './items.ts'

const storage = storedFields(metricFields)

/** A monitored asset, and the entitlement that meters with it; none for one of the catalog. */
export type AssetRow = MetricRow & { entitlement_id: string | null }

/** The columns that the catalog's monitored assets and the meters of entitlements both have. */
const columns = [
  ...(['id', 'tenant_id', 'is_deleted', 'created_at', 'updated_at', 'updated_by', 'revision_number'] as const),
  ...(['product_id', 'metric_name', 'name', 'description', 'metric_type', 'unit', 'category'] as const),
  ...(['number_format', 'allowed_back_dating_tolerance'] as const),
  ...(['metered_usage_id', 'balance_usage_id', 'metered_usage', 'balance_usage'] as const),
]

/** The tenant's monitored assets, those of its catalog and those that its entitlements meter with. */
const assets = (read: Readable, tenantId: string) =>
  read
    .selectFrom('metrics')
    .select(columns)
    .select(sql<string | null>`cast(null as text)`.as('entitlement_id'))
    .where('tenant_id', '=', tenantId)
    .unionAll(
      read
        .selectFrom('meters')
        .select(columns)
        .select(sql<string | null>`entitlement_id`.as('entitlement_id'))
        .where('tenant_id', '=', tenantId),
    )

/** Monitored assets as a list reads them. */
export const metricSource: ListSource<AssetRow> = {
  table: 'metrics',
  fields: metricFilterFields,
  rows: (read, tenantId) => assets(read, tenantId) as never,
}

/** The monitored assets that an entitlement meters with, as a list reads them. */
export const metricSourceOf = (entitlementId: string): ListSource<AssetRow> => ({
  ...metricSource,
  only: sql<boolean>`metrics.entitlement_id = ${entitlementId}`,
})

/** How metered usage stands before anything is used. */
const meteredFromStart = (id: string, usage: MeteredUsage) => ({
  id,
  ...usage,
  suspendedUntilAt: null,
  lastReportedOverageSeverityStatus: 'None' as const,
})

/** How a balance stands before anything is used: its initial credits are all there. */
const balanceFromStart = (id: string, usage: BalanceUsage) => ({
  id,
  ...usage,
  creditsUsed: 0,
  totalCredits: usage.initialCreditAmount,
  cumulativeCreditsUsed: 0,
  unfundedCredits: 0,
  lastUnfundedAt: null,
  lastDeposit: null,
  suspendedUntilAt: null,
  overageSeverityStatus: 'None' as const,
  lastAutoBalanceDate: null,
})

/** Monitored assets as they are answered. */
export async function toWire(readable: Readable, tenantId: string, rows: readonly (MetricRow & Partial<AssetRow>)[]) {
  const ids = rows.map(({ id }) => id)
  const tags = await tagsOf(readable, tenantId, ids)
  return rows.map((row) => {
    const item = fromColumns(storage, row, { tags: tags.get(row.id) ?? [] }) as Omit<
      Metric,
      'productCode' | 'productVersion'
    >
    return {
      id: row.id,
      entitlementId: row.entitlement_id ?? null,
      productId: row.product_id,
      ...item,
      meteredUsageId: row.metered_usage_id,
      balanceUsageId: row.balance_usage_id,
      meteredUsage: item.meteredUsage && meteredFromStart(row.metered_usage_id!, item.meteredUsage),
      balanceUsage: item.balanceUsage && balanceFromStart(row.balance_usage_id!, item.balanceUsage),
      ...tailOf(row),
    }
  })
}

/** One monitored asset as it is answered; throws the not-found problem. */
export async function answerMetric(readable: Readable, tenantId: string, id: string) {
  const row = await readable
    .selectFrom(assets(readable, tenantId).as('assets'))
    .selectAll()
    .where('id', '=', id.toLowerCase())
    .where('is_deleted', '=', 0)
    .executeTakeFirst()
  if (!row) throw recordNotFound('monitored asset')
  return (await toWire(readable, tenantId, [row]))[0]!
}
