import type { BalanceUsage, MeteredUsage } from '../../../catalog-schema/metric.ts'
import { listMetricsOf } from '../../catalog/records/metrics-of.ts'
import { newId } from '../../kit/ids.ts'
import type { Cause } from '../../kit/outbox.ts'
import { rowHead } from '../../kit/records/stamp.ts'
import { softDelete, writeRecords } from '../../kit/records/store.ts'
import { bringUpToDate } from '../consumption/bringing-up.ts'
import { closeStates, openStates, redefineStates } from '../consumption/keeping-states.ts'
import { loadCourses } from '../consumption/store.ts'
import type { Definition, OwnDefinition } from './definition.ts'
import { listMeterRows } from './store.ts'
import type { MeterTables } from './tables.ts'

type MeterRow = MeterTables['meters']

/**
 * Leaves an entitlement with one open meter of every monitored asset of these products, each counting and charging as
 * `define` makes of how the catalog had it when it was opened. Meters of other products are closed, with all that they
 * have counted; one that is open keeps its id and what it has counted, and is no longer suspended when it is defined anew.
 */
export async function fitMeters(
  cause: Cause,
  entitlementId: string,
  productIds: readonly string[],
  define: (own: OwnDefinition) => Definition,
): Promise<void> {
  const { tx, tenantId } = cause
  // Locked before they are read: what is decided by the meters meanwhile is decided before or after, not in between.
  await loadCourses(tx, tenantId, [entitlementId])
  const rows = await listMeterRows(tx, tenantId, entitlementId)
  const open = new Set(rows.map(identityOf))
  const opening = (await listMetricsOf(tx, tenantId, productIds))
    .filter((metric) => !open.has(identityOf(metric)))
    .map(
      (metric): MeterRow => ({
        ...metric,
        ...rowHead(newId(), undefined, cause),
        entitlement_id: entitlementId,
        metered_usage_id: metric.metered_usage_id && newId(),
        balance_usage_id: metric.balance_usage_id && newId(),
        own_metered_usage: metric.metered_usage,
        own_balance_usage: metric.balance_usage,
      }),
    )
  const staying = rows.filter(({ product_id }) => productIds.includes(product_id))
  const redefined = staying
    .filter((row) => !isAsDefined(row, define))
    .map((row) => ({ ...row, ...rowHead(row.id, row, cause) }))
  const leaving = rows.filter((row) => !staying.includes(row))
  if (opening.length + redefined.length + leaving.length === 0) return
  await writeRecords(
    tx,
    'meters',
    [...opening, ...redefined].map((row) => ({ ...row, ...definedColumns(row, define) })),
  )
  await openStates(tx, opening)
  await redefineStates(tx, redefined)
  await softDelete(tx, 'meters', cause, leaving.map(idOf))
  await closeStates(tx, leaving)
  await bringUpToDate(cause, [entitlementId])
}

const idOf = ({ id }: { id: string }) => id

const identityOf = ({ product_id, metric_name }: Pick<MeterRow, 'product_id' | 'metric_name'>) =>
  `${product_id} ${metric_name}`

type Define = (own: OwnDefinition) => Definition

function isAsDefined(row: MeterRow, define: Define): boolean {
  const { metered_usage, balance_usage } = definedColumns(row, define)
  return metered_usage === row.metered_usage && balance_usage === row.balance_usage
}

function definedColumns(row: MeterRow, define: Define) {
  const { meteredUsage, balanceUsage } = define({
    productId: row.product_id,
    metricName: row.metric_name,
    meteredUsage: row.own_metered_usage === null ? null : (JSON.parse(row.own_metered_usage) as MeteredUsage),
    balanceUsage: row.own_balance_usage === null ? null : (JSON.parse(row.own_balance_usage) as BalanceUsage),
  })
  return {
    // Of an asset that says nothing of how it counts, what limits it does.
    metered_usage_id: meteredUsage && (row.metered_usage_id ?? newId()),
    metered_usage: meteredUsage && JSON.stringify(meteredUsage),
    balance_usage: balanceUsage && JSON.stringify(balanceUsage),
  }
}
