import { sql } from 'kysely'
import type { quotaUsageLevels } from '../../../catalog-schema/enumerations.ts'
import type { BalanceUsage, MeteredUsage, Metric } from '../../../catalog-schema/metric.ts'
import { metricFields } from '../../../catalog-schema/metric.ts'
import type { Readable } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { readStored, wireNumber } from '../../kit/decimal.ts'
import { no } from '../../kit/flags.ts'
import { toNullableInstant } from '../../kit/instants.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
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

type StateRow = Tables['meter_states']
type Level = (typeof quotaUsageLevels)[number]

/** Metered usage as it stands; of an asset of the catalog, as before anything is used. */
const meteredAsItStands = (id: string, usage: MeteredUsage, state: StateRow | undefined) => ({
  id,
  ...usage,
  suspendedUntilAt: toNullableInstant(state?.suspended_until ?? null),
  lastReportedOverageSeverityStatus: (state?.level ?? 'None') as Level,
})

/** A balance as it stands; of an asset of the catalog, or before it is opened, its initial credits are all there. */
const balanceAsItStands = (id: string, usage: BalanceUsage, state: StateRow | undefined) => ({
  id,
  ...usage,
  creditsUsed: credits(state?.credits_used),
  totalCredits: state?.total_credits ? credits(state.total_credits) : usage.initialCreditAmount,
  cumulativeCreditsUsed: credits(state?.cumulative_credits_used),
  unfundedCredits: credits(state?.unfunded_credits),
  lastUnfundedAt: toNullableInstant(state?.last_unfunded_at ?? null),
  lastDeposit: toNullableInstant(state?.last_deposit_at ?? null),
  suspendedUntilAt: toNullableInstant(state?.suspended_until ?? null),
  overageSeverityStatus: (state?.level ?? 'None') as Level,
  lastAutoBalanceDate: toNullableInstant(state?.last_auto_balance_at ?? null),
})

const credits = (stored = '0') => wireNumber(readStored(stored))

/** How the meters among these assets stand, by their ids. */
async function statesOf(readable: Readable, tenantId: string, rows: readonly Partial<AssetRow>[]) {
  const ids = rows.filter(({ entitlement_id }) => entitlement_id).map(({ id }) => id!)
  if (ids.length === 0) return new Map<string, StateRow>()
  const states = await readable
    .selectFrom('meter_states')
    .selectAll()
    .where(isTenants(readable, tenantId))
    .where(isAmong(readable, 'meter_id', listed(readable, ids)))
    .execute()
  return new Map(states.map((state) => [state.meter_id, state]))
}

/** Monitored assets as they are answered. */
export async function toWire(readable: Readable, tenantId: string, rows: readonly (MetricRow & Partial<AssetRow>)[]) {
  const ids = rows.map(({ id }) => id)
  const tags = await tagsOf(readable, tenantId, ids)
  const states = await statesOf(readable, tenantId, rows)
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
      meteredUsage:
        item.meteredUsage && meteredAsItStands(row.metered_usage_id!, item.meteredUsage, states.get(row.id)),
      balanceUsage:
        item.balanceUsage && balanceAsItStands(row.balance_usage_id!, item.balanceUsage, states.get(row.id)),
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
    .where('is_deleted', '=', no)
    .executeTakeFirst()
  if (!row) throw recordNotFound('monitored asset')
  return (await toWire(readable, tenantId, [row]))[0]!
}
