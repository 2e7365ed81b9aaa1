import { type Product, productItemFields } from '../../../catalog-schema/product.ts'
import { newId } from '../../kit/ids.ts'
import { fromColumns, storedFields, toColumns } from '../../kit/records/columns.ts'
import { rowHead, type Stamp } from '../../kit/records/stamp.ts'
import type { CatalogNames } from '../records/names.ts'
import type { CatalogTables } from '../tables.ts'
import { type StoredFeature, toItemFeatures, toStoredFeatures } from './feature-ids.ts'

export type ProductRow = CatalogTables['products']

const productStorage = storedFields(productItemFields, ['features', 'parentProductCode', 'parentProductVersion'])

export const readStoredFeatures = (row: Pick<ProductRow, 'features'>) =>
  row.features === '[]' ? [] : (JSON.parse(row.features) as StoredFeature[])

/** A product's row in a snapshot's shape. */
export function toItem(row: ProductRow, names: CatalogNames, tags: readonly string[]): Product {
  const parent = row.parent_product_id === null ? undefined : names.product(row.parent_product_id)
  return fromColumns(productStorage, row, {
    tags,
    features: toItemFeatures(readStoredFeatures(row)),
    parentProductCode: parent?.productCode ?? null,
    parentProductVersion: parent?.productVersion ?? null,
  }) as Product
}

/**
 * The row that a canonical product is written as, in place of the one before it. Its tags are assigned and its own suite
 * is kept in step beside it.
 */
export const toRow = (item: Product, id: string, names: CatalogNames, stamp: Stamp, before?: ProductRow) =>
  ({
    ...rowHead(id, before, stamp),
    ...toColumns(productStorage, item),
    features: JSON.stringify(
      toStoredFeatures(item.features, before ? readStoredFeatures(before) : [], stamp.now, newId),
    ),
    parent_product_id:
      item.parentProductCode === null
        ? null
        : names.productId({ productCode: item.parentProductCode, productVersion: item.parentProductVersion }),
  }) as ProductRow
