import { type Feature, featureItemFields } from '../../../catalog-schema/feature.ts'
import { fromColumns, storedFields, toColumns } from '../../kit/records/columns.ts'
import { rowHead, type Stamp } from '../../kit/records/stamp.ts'
import type { CatalogNames } from '../records/names.ts'
import type { CatalogTables } from '../tables.ts'

type Row = CatalogTables['features']

const featureStorage = storedFields(featureItemFields, ['productCode', 'productVersion'])

/** A feature catalog entry's row in a snapshot's shape. */
export const toItem = (row: Row, names: CatalogNames, tags: readonly string[]) =>
  fromColumns(featureStorage, row, { ...names.product(row.product_id), tags }) as Feature

/** The row that a canonical entry is written as, in place of the one before it; its tags are assigned beside it. */
export const toRow = (item: Feature, id: string, names: CatalogNames, stamp: Stamp, before?: Row) =>
  ({
    ...rowHead(id, before, stamp),
    product_id: names.productId(item),
    ...toColumns(featureStorage, item),
  }) as Row
