import type { MeteredUsage } from '../../../catalog-schema/metric.ts'
import type { listMetricsOf } from '../../catalog/records/metrics-of.ts'
import type { RecordRow } from '../../kit/records/record-row.ts'
import { countingByDefault } from './definition.ts'
import type { MeterTables } from './tables.ts'

type MeterRow = MeterTables['meters']

/** A monitored asset of the catalog. */
export type Asset = Awaited<ReturnType<typeof listMetricsOf>>[number]

/** A metric as a meter is opened of it. */
type Metric = Omit<MeterRow, keyof RecordRow | 'entitlement_id'>

/** A metric that a feature names. */
export type NamedMetric = Pick<Metric, 'product_id' | 'metric_name' | 'name'>

/** The metric of a monitored asset, as the catalog has it. */
export const ofAsset = (asset: Asset): Metric => ({
  ...asset,
  own_metered_usage: asset.metered_usage,
  own_balance_usage: asset.balance_usage,
})

/** What `own_metered_usage` is of a metric that no asset defines: nothing says how it counts, but that it does. */
const undefinedUsage = '{}'

/** The metric that a feature names and no asset defines. */
export const ofFeature = (named: NamedMetric): Metric => ({
  ...named,
  description: null,
  metric_type: 'CumulativeCounter',
  unit: null,
  category: null,
  number_format: null,
  allowed_back_dating_tolerance: null,
  metered_usage_id: null,
  balance_usage_id: null,
  own_metered_usage: undefinedUsage,
  own_balance_usage: null,
  metered_usage: null,
  balance_usage: null,
})

/** Whether a meter was opened because a feature names its metric, and no asset has defined it since. */
export const isOfFeature = ({ own_metered_usage }: MeterRow) => own_metered_usage === undefinedUsage

/** How a meter counts before plan and add-ons have spoken. */
export function readOwnUsage(row: MeterRow): MeteredUsage | null {
  if (isOfFeature(row)) return countingByDefault
  return row.own_metered_usage === null ? null : (JSON.parse(row.own_metered_usage) as MeteredUsage)
}
