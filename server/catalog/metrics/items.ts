import { type Metric, metricItemFields } from '../../../catalog-schema/metric.ts'
import { newId } from '../../kit/ids.ts'
import { fromColumns, storedFields, toColumns } from '../../kit/records/columns.ts'
import { rowHead, type Stamp } from '../../kit/records/stamp.ts'
import type { CatalogNames } from '../records/names.ts'
import type { CatalogTables } from '../tables.ts'

export type MetricRow = CatalogTables['metrics']

const metricStorage = storedFields(metricItemFields, ['productCode', 'productVersion'])

/** A monitored asset's row in a snapshot's shape. */
export const toItem = (row: MetricRow, names: CatalogNames, tags: readonly string[]) =>
  fromColumns(metricStorage, row, { ...names.product(row.product_id), tags }) as Metric

/**
 * The row that a canonical asset is written as, in place of the one before it; its tags are assigned beside it. What
 * meters it keeps its id for as long as it stays.
 */
export const toRow = (item: Metric, id: string, names: CatalogNames, stamp: Stamp, before?: MetricRow) =>
  ({
    ...rowHead(id, before, stamp),
    product_id: names.productId(item),
    ...toColumns(metricStorage, item),
    metered_usage_id: item.meteredUsage && (before?.metered_usage_id ?? newId()),
    balance_usage_id: item.balanceUsage && (before?.balance_usage_id ?? newId()),
  }) as MetricRow
