import type { OfferFeature } from '../../../catalog-schema/offer.ts'
import type { CatalogNames } from '../../catalog/records/names.ts'
import type { FieldError } from '../../kit/problem.ts'

/** A product of an offer as a request writes it, with the values that the offer sets itself. */
export interface GivenProduct {
  productId?: string
  id?: string
  features?: Partial<OfferFeature>[]
}

/** Which product is meant: by its productId, or by its id as it is answered. */
export const idOfGiven = ({ productId, id }: GivenProduct): string => (productId ?? id ?? '').toLowerCase()

/** The given products by name, in the order given; a product that nobody has, or that stands twice, is an error at its place. */
export function nameProducts(given: readonly GivenProduct[], names: Pick<CatalogNames, 'findProduct'>) {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  const products = given.map((one, index) => {
    const { features = [] } = one
    const id = idOfGiven(one)
    const pointer = `/products/${index}/${one.productId ? 'productId' : 'id'}`
    const product = names.findProduct(id)
    if (!product) errors.push({ pointer, message: 'there is no product with that id' })
    else if (one.id && one.id.toLowerCase() !== id)
      errors.push({ pointer: `/products/${index}/id`, message: 'is another product than productId' })
    else if (seen.has(id)) errors.push({ pointer, message: 'this product stands in the list already' })
    seen.add(id)
    return { productCode: product?.productCode ?? '', productVersion: product?.productVersion ?? null, features }
  })
  return { products, errors }
}

/** The ids of the products that a request gives, if it gives any. */
export const givenIds = (products: unknown): string[] => ((products ?? []) as GivenProduct[]).map(idOfGiven)
