import type { OfferFeature } from '../../../catalog-schema/offer.ts'
import type { CatalogNames } from '../../catalog/records/names.ts'
import type { FieldError } from '../../kit/problem.ts'

/** A product of an offer as a request writes it, with the values that the offer sets itself. */
export interface GivenProduct {
  productId: string
  features?: Partial<OfferFeature>[]
}

/** The given products by name, in the order given; a product that nobody has, or that stands twice, is an error at its place. */
export function nameProducts(given: readonly GivenProduct[], names: Pick<CatalogNames, 'findProduct'>) {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  const products = given.map(({ productId, features = [] }, index) => {
    const id = productId.toLowerCase()
    const pointer = `/products/${index}/productId`
    const product = names.findProduct(id)
    if (!product) errors.push({ pointer, message: 'there is no product with that id' })
    else if (seen.has(id)) errors.push({ pointer, message: 'this product stands in the list already' })
    seen.add(id)
    return { productCode: product?.productCode ?? '', productVersion: product?.productVersion ?? null, features }
  })
  return { products, errors }
}

/** The ids of the products that a request gives, if it gives any. */
export const givenIds = (products: unknown): string[] =>
  ((products ?? []) as GivenProduct[]).map(({ productId }) => productId.toLowerCase())
