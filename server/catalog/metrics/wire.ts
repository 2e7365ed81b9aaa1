import { sql } from 'kysely'
import type { BalanceUsage, MeteredUsage, Metric } from '../../../catalog-schema/metric.ts'
import { metricFields } from '../../../catalog-schema/metric.ts'
import type { Readable } from '../../database/database.ts'
import { tailOf } from '../../kit/records/answers.ts'
import { fromColumns, storedFields } from '../../kit/records/columns.ts'
import { getRecord, type ListSource } from '../../kit/records/store.ts'
import { tagsOf } from '../records/tagging.ts'
import { metricFilterFields } from './contract.ts'
import type { MetricRow } from './items.ts'

const storage = storedFields(metricFields)

/** The catalog's monitored assets as a list reads them: none belongs to an entitlement. */
export const metricSource: ListSource<MetricRow> = {
  table: 'metrics',
  fields: metricFilterFields,
  rows: (read, tenantId) =>
    read
      .selectFrom('metrics')
      .selectAll('metrics')
      .select(sql<string | null>`cast(null as text)`.as('entitlement_id'))
      .where('metrics.tenant_id', '=', tenantId) as never,
}

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
export async function toWire(readable: Readable, tenantId: string, rows: readonly MetricRow[]) {
  const ids = rows.map(({ id }) => id)
  const tags = await tagsOf(readable, tenantId, ids)
  return rows.map((row) => {
    const item = fromColumns(storage, row, { tags: tags.get(row.id) ?? [] }) as Omit<
      Metric,
      'productCode' | 'productVersion'
    >
    return {
      id: row.id,
      entitlementId: null,
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
  const row = await getRecord(readable, 'metrics', tenantId, id, 'monitored asset')
  return (await toWire(readable, tenantId, [row]))[0]!
}
