import type { BalanceUsage, MeteredUsage } from '../../../catalog-schema/metric.ts'
import { listMetricsOf } from '../../catalog/records/metrics-of.ts'
import { newId } from '../../kit/ids.ts'
import type { Cause } from '../../kit/outbox.ts'
import { rowHead } from '../../kit/records/stamp.ts'
import { softDelete, writeRecords } from '../../kit/records/store.ts'
import { bringUpToDate } from '../consumption/bringing-up.ts'
import { keepNone } from '../consumption/definitions.ts'
import { closeStates, moveIntoPeriod, openStates, redefineStates } from '../consumption/keeping-states.ts'
import { loadCourses } from '../consumption/store.ts'
import { type ConsumptionPeriod, periodAt } from '../tiers/period.ts'
import type { Definition, OwnDefinition } from './definition.ts'
import { type Asset, isOfFeature, type NamedMetric, ofAsset, ofFeature, readOwnUsage } from './metric.ts'
import { listMeterRows } from './store.ts'
import type { MeterTables } from './tables.ts'

type MeterRow = MeterTables['meters']

/**
 * Leaves an entitlement with one open meter of every monitored asset of these products, and of every metric that features
 * name beside those, each counting and charging as `define` makes of how the catalog had it when it was opened. Meters of
 * other products are closed, with all that they have counted; one that is open keeps its id and what it has counted, and
 * is no longer suspended when it is defined anew. With `opens only` those that are missing are opened, and the others stay
 * as they are.
 */
export async function fitMeters(
  cause: Cause,
  entitlementId: string,
  productIds: readonly string[],
  define: (own: OwnDefinition) => Definition,
  named: readonly NamedMetric[] = [],
  doing: 'all' | 'opens only' = 'all',
): Promise<void> {
  const { tx, tenantId } = cause
  // Locked before they are read: what is decided by the meters meanwhile is decided before or after, not in between.
  await loadCourses(tx, tenantId, [entitlementId])
  const rows = await listMeterRows(tx, tenantId, entitlementId)
  const listed = await listMetricsOf(tx, tenantId, productIds)
  const assets = listed.toSorted((a, b) => productIds.indexOf(a.product_id) - productIds.indexOf(b.product_id))
  const assetOf = new Map(assets.map((asset) => [identityOf(asset), asset]))
  const staying = rows.filter(
    (row) =>
      doing === 'opens only' || (productIds.includes(row.product_id) && !isOutgrown(row, assetOf.get(identityOf(row)))),
  )
  const open = new Set(staying.map(identityOf))
  // Those of assets first: they say how their metrics count. Of two products' metrics of one name calls mean the first product's.
  const metrics = [...assets.map(ofAsset), ...named.map(ofFeature)].filter((metric) => !open.has(identityOf(metric)))
  const opening = [...Map.groupBy(metrics, identityOf).values()].map(
    ([metric]): MeterRow => ({
      ...metric!,
      ...rowHead(newId(), undefined, cause),
      entitlement_id: entitlementId,
      metered_usage_id: metric!.metered_usage_id && newId(),
      balance_usage_id: metric!.balance_usage_id && newId(),
    }),
  )
  const redefined = (doing === 'opens only' ? [] : staying)
    .map((row) => ({ row, asset: isOfFeature(row) ? assetOf.get(identityOf(row)) : undefined }))
    .filter(({ row, asset }) => asset || !isAsDefined(row, define))
    .map(({ row, asset }): MeterRow => {
      const { metered_usage_id, balance_usage_id } = row
      return {
        ...row,
        ...(asset && ofAsset(asset)),
        metered_usage_id,
        balance_usage_id,
        ...rowHead(row.id, row, cause),
      }
    })
  const leaving = rows.filter((row) => !staying.includes(row))
  if (opening.length + redefined.length + leaving.length === 0) return
  // What came of the time until now came by the definitions of that time.
  if (redefined.length + leaving.length > 0) await bringUpToDate(cause, [entitlementId])
  keepNone(cause.tx)
  // Before others of their names are written.
  await softDelete(tx, 'meters', cause, leaving.map(idOf))
  const written = [...opening, ...redefined].map((row) => ({ ...row, ...definedColumns(row, define) }))
  await writeRecords(tx, 'meters', written)
  await openStates(tx, opening)
  await redefineStates(tx, tenantId, redefined.map(idOf))
  await takeAlong(cause, rows, written.slice(opening.length))
  await closeStates(tx, tenantId, leaving.map(idOf))
  await bringUpToDate(cause, [entitlementId])
}

/** Meters whose periods are others take along what they have counted in the one that they were in. */
async function takeAlong({ tx, tenantId, now }: Cause, before: readonly MeterRow[], after: readonly MeterRow[]) {
  const periods = new Map(before.map((row) => [row.id, periodOf(row)]))
  const changed = after.filter((row) => periodOf(row) !== periods.get(row.id))
  for (const [period, rows] of Map.groupBy(changed, periodOf))
    await moveIntoPeriod(tx, tenantId, rows.map(idOf), periodAt(period, now).start)
}

/** What neither tiers nor credits are said of is counted without an end. */
const periodOf = ({ metered_usage }: MeterRow): ConsumptionPeriod =>
  metered_usage === null ? 'Lifetime' : (JSON.parse(metered_usage) as MeteredUsage).consumptionPeriod

const idOf = ({ id }: { id: string }) => id

const identityOf = ({ product_id, metric_name }: Pick<MeterRow, 'product_id' | 'metric_name'>) =>
  `${product_id} ${metric_name}`

/** What was only counted is not paid for: its balance is another meter. */
const isOutgrown = (row: MeterRow, asset: Asset | undefined) =>
  isOfFeature(row) && asset !== undefined && asset.balance_usage !== null

type Define = (own: OwnDefinition) => Definition

function isAsDefined(row: MeterRow, define: Define): boolean {
  const { metered_usage, balance_usage } = definedColumns(row, define)
  return metered_usage === row.metered_usage && balance_usage === row.balance_usage
}

function definedColumns(row: MeterRow, define: Define) {
  const { meteredUsage, balanceUsage } = define({
    productId: row.product_id,
    metricName: row.metric_name,
    meteredUsage: readOwnUsage(row),
    balanceUsage: row.own_balance_usage === null ? null : (JSON.parse(row.own_balance_usage) as BalanceUsage),
  })
  return {
    // Of an asset that says nothing of how it counts, what limits it does.
    metered_usage_id: meteredUsage && (row.metered_usage_id ?? newId()),
    metered_usage: meteredUsage && JSON.stringify(meteredUsage),
    balance_usage: balanceUsage && JSON.stringify(balanceUsage),
  }
}
