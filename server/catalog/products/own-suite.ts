import { implicitSuiteCode } from '../../../catalog-schema/keys.ts'
import { newId } from '../../kit/ids.ts'
import { rowHead, type Stamp } from '../records/stamp.ts'
import type { CatalogTables } from '../tables.ts'

type SuiteRow = CatalogTables['suites']

interface NamedProduct {
  productCode: string
  productVersion: string | null
  name: string
}

/** The suite of one that a product has by itself, as it is written beside the product; nothing when the one before is in step. */
export function ownSuiteRow(
  product: NamedProduct,
  productId: string,
  stamp: Stamp,
  before?: SuiteRow,
): SuiteRow | undefined {
  const code = implicitSuiteCode(product)
  if (before && before.code === code && before.name === product.name) return undefined
  return {
    ...rowHead(before?.id ?? newId(), before, stamp),
    code,
    name: product.name,
    description: null,
    members: JSON.stringify([{ productId, sortOrder: 0 }]),
    own_product_id: productId,
  }
}
