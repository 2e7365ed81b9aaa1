import type { Suite } from '../../../catalog-schema/suite.ts'
import { fromColumns, toColumns } from '../../kit/records/columns.ts'
import { rowHead, type Stamp } from '../../kit/records/stamp.ts'
import { orderedByProduct } from '../records/member-order.ts'
import type { CatalogNames } from '../records/names.ts'
import type { CatalogTables } from '../tables.ts'
import { suiteStorage } from './fields.ts'

type SuiteRow = CatalogTables['suites']

/** A member as it is stored: its product by id. */
export interface StoredMember {
  productId: string
  sortOrder: number
}

/** A suite's row in a snapshot's shape. */
export function toItem(row: SuiteRow, names: CatalogNames): Suite {
  const members = (JSON.parse(row.members) as StoredMember[]).map(({ productId, sortOrder }) => ({
    ...names.product(productId),
    sortOrder,
  }))
  return fromColumns(suiteStorage, row, { members: orderedByProduct(members, 'sortOrder') }) as Suite
}

/** The row that a canonical suite is written as, in place of the one before it. */
export const toRow = (item: Suite, id: string, names: CatalogNames, stamp: Stamp, before?: SuiteRow) =>
  ({
    ...rowHead(id, before, stamp),
    ...toColumns(suiteStorage, item),
    members: JSON.stringify(
      item.members.map((member): StoredMember => ({ productId: names.productId(member), sortOrder: member.sortOrder })),
    ),
    own_product_id: null,
  }) as SuiteRow

/** Whether it is a suite that somebody made: products' own are no items. */
export const isItem = (row: SuiteRow) => row.own_product_id === null
