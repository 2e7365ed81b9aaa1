import type { BalanceUsage, MeteredUsage } from '../../../catalog-schema/metric.ts'
import { listMetricsOf } from '../../catalog/records/metrics-of.ts'
import { newId } from '../../kit/ids.ts'
import type { Cause } from '../../kit/outbox.ts'
import { rowHead } from '../../kit/records/stamp.ts'
import { softDelete, writeRecords } from '../../kit/records/store.ts'
import { listMeterRows } from './store.ts'
import type { MeterTables } from './tables.ts'

type MeterRow = MeterTables['meters']

/** How a meter counts and charges. */
export interface Definition {
  meteredUsage: MeteredUsage | null
  balanceUsage: BalanceUsage | null
}

/** What a meter meters, and how the catalog had it count and charge when it was opened. */
export interface OpenMeter extends Definition {
  productId: string
  metricName: string
}

/**
 * Opens, for an entitlement, a meter of every monitored asset of these products that it has none of, defined as the
 * catalog has it; a meter that is open stays as it is, with all that it has counted.
 */
export async function openMeters(cause: Cause, entitlementId: string, productIds: readonly string[]): Promise<void> {
  const { tx, tenantId } = cause
  const metrics = await listMetricsOf(tx, tenantId, productIds)
  if (metrics.length === 0) return
  const open = new Set((await listMeterRows(tx, tenantId, entitlementId)).map(identityOf))
  const opening = metrics
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
  await writeRecords(tx, 'meters', opening)
}

const identityOf = ({ product_id, metric_name }: Pick<MeterRow, 'product_id' | 'metric_name'>) =>
  `${product_id} ${metric_name}`

/** Closes the meters that an entitlement has of products other than these, with all that they have counted. */
export async function closeMeters(
  cause: Cause,
  entitlementId: string,
  keptProductIds: readonly string[],
): Promise<void> {
  const rows = await listMeterRows(cause.tx, cause.tenantId, entitlementId)
  const closing = rows.filter(({ product_id }) => !keptProductIds.includes(product_id))
  await softDelete(
    cause.tx,
    'meters',
    cause,
    closing.map(({ id }) => id),
  )
}

/** Has the meters of an entitlement count and charge as `define` says, which is told how the catalog had it; what they have counted stays. */
export async function defineMeters(
  cause: Cause,
  entitlementId: string,
  define: (meter: OpenMeter) => Definition,
): Promise<void> {
  const rows = await listMeterRows(cause.tx, cause.tenantId, entitlementId)
  const redefined = rows.flatMap((row) => {
    const { meteredUsage, balanceUsage } = define({
      productId: row.product_id,
      metricName: row.metric_name,
      meteredUsage: readJson<MeteredUsage>(row.own_metered_usage),
      balanceUsage: readJson<BalanceUsage>(row.own_balance_usage),
    })
    const [metered_usage, balance_usage] = [writeJson(meteredUsage), writeJson(balanceUsage)]
    if (metered_usage === row.metered_usage && balance_usage === row.balance_usage) return []
    return [{ ...row, ...rowHead(row.id, row, cause), metered_usage, balance_usage }]
  })
  await writeRecords(cause.tx, 'meters', redefined)
}

const readJson = <T>(text: string | null) => (text === null ? null : (JSON.parse(text) as T))
const writeJson = (value: object | null) => value && JSON.stringify(value)
