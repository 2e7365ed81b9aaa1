import type { AddOn } from '../../../catalog-schema/add-on.ts'
import { fromColumns, toColumns } from '../../kit/records/columns.ts'
import { rowHead, type Stamp } from '../../kit/records/stamp.ts'
import { orderedByFeature } from '../records/member-order.ts'
import type { CatalogNames, FeatureName } from '../records/names.ts'
import type { CatalogTables } from '../tables.ts'
import { fromReference, toReference } from './feature-references.ts'
import { addOnStorage } from './fields.ts'

export type AddOnRow = CatalogTables['add_ons']

/** The features of a row, as it names them. */
export const readReferences = (row: Pick<AddOnRow, 'features'>) =>
  row.features === '[]' ? [] : (JSON.parse(row.features) as string[])

/** An add-on's row in a snapshot's shape. */
export const toItem = (row: AddOnRow, names: CatalogNames): AddOn =>
  fromColumns(addOnStorage, row, {
    suiteCode: names.suite(row.suite_id),
    features: orderedByFeature(readReferences(row).map((reference) => fromReference(reference, names))),
  }) as AddOn

/** The row that a canonical add-on is written as, in place of the one before it. */
export const toRow = (item: AddOn, id: string, names: CatalogNames, stamp: Stamp, before?: AddOnRow) =>
  ({
    ...rowHead(id, before, stamp),
    ...toColumns(addOnStorage, item),
    suite_id: names.suiteId(item.suiteCode),
    features: JSON.stringify(item.features.map((feature) => toReference(feature as FeatureName, names))),
  }) as AddOnRow
