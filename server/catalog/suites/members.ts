import type { SuiteMember } from '../../../catalog-schema/suite.ts'
import type { FieldError } from '../../kit/problem.ts'
import { standingAsGiven } from '../records/member-order.ts'
import type { CatalogNames } from '../records/names.ts'

export interface GivenMember {
  productId: string
  productCode?: string
  productName?: string
  sortOrder?: number
}

/**
 * The members that a request names by id, in its order; a product that nobody has, that is named twice, or whose code is
 * another than the one beside its id, is an error at its place.
 */
export function nameMembers(
  given: readonly GivenMember[],
  names: Pick<CatalogNames, 'findProduct'>,
): { members: SuiteMember[]; errors: FieldError[] } {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  const members = standingAsGiven(given).flatMap(({ productId, productCode, sortOrder = 0 }, index) => {
    const pointer = `/members/${index}/productId`
    const id = productId.toLowerCase()
    const product = names.findProduct(id)
    if (!product) errors.push({ pointer, message: 'there is no product with that id' })
    else if (seen.has(id)) errors.push({ pointer, message: 'this product is a member already' })
    else if (typeof productCode === 'string' && productCode !== product.productCode)
      errors.push({
        pointer: `/members/${index}/productCode`,
        message: 'is not that of the product named by productId',
      })
    seen.add(id)
    return product ? [{ ...product, sortOrder }] : []
  })
  return { members, errors }
}
