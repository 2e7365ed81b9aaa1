import { byName } from '../../catalog-schema/member-names.ts'
import { productNamesOf } from '../catalog/products/product-names.ts'
import type { Readable } from '../database/database.ts'

/** Lines with the products that they are of, in the order of their codes; those of one product as they came. */
export async function withProducts<Line extends { productId: string }>(
  read: Readable,
  tenantId: string,
  lines: readonly Line[],
) {
  const names = await productNamesOf(read, tenantId, [...new Set(lines.map(({ productId }) => productId))])
  return lines
    .map((line) => {
      const { code, version } = names.get(line.productId)!
      return { productCode: code, productVersion: version, ...line }
    })
    .toSorted((a, b) => byName(a.productCode, b.productCode) || byName(a.productVersion ?? '', b.productVersion ?? ''))
}
