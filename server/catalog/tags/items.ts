import { type Tag, tagFields } from '../../../catalog-schema/tag.ts'
import { foldTagName } from '../../../catalog-schema/tag-names.ts'
import { fromColumns, storedFields, toColumns } from '../../kit/records/columns.ts'
import { rowHead, type Stamp } from '../../kit/records/stamp.ts'
import type { CatalogTables } from '../tables.ts'

type Row = CatalogTables['tags']

export const tagStorage = storedFields(tagFields)

/** A tag's row in a snapshot's shape. */
export const toItem = (row: Row) => fromColumns(tagStorage, row, {}) as Tag

/** The row that a canonical tag is written as, in place of the one before it. */
export const toRow = (item: Tag, id: string, stamp: Stamp, before?: Row) =>
  ({
    ...rowHead(id, before, stamp),
    ...toColumns(tagStorage, item),
    folded_name: foldTagName(item.name),
  }) as Row
