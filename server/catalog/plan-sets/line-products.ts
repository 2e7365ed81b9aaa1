import type { ProductName } from '../../../catalog-schema/keys.ts'
import type { lineItemFields, planFields } from '../../../catalog-schema/plan-set.ts'
import type { PatchOf } from '../../../catalog-schema/shapes.ts'
import type { FieldError } from '../../kit/problem.ts'

/** A line item as a request writes it. */
type GivenLine = Omit<PatchOf<typeof lineItemFields>, 'productCode' | 'productVersion'> & {
  productId?: string | null
}

/** A plan as a request writes it; fields left out have their defaults. */
export type GivenPlan = PatchOf<typeof planFields> & { id?: string | null; name: string; lineItems?: GivenLine[] }

/**
 * The given plans in a snapshot's shape, in the order given, their line items naming products as `nameOf` does. A line
 * item that names no product is about `sole`, where there is one; otherwise, and for an id that `nameOf` does not know,
 * it is an error.
 */
export function nameLineProducts(
  plans: readonly GivenPlan[],
  nameOf: (productId: string) => ProductName | undefined,
  sole: ProductName | undefined,
) {
  const errors: FieldError[] = []
  const named = plans.map(({ id: _id, lineItems = [], ...plan }, planIndex) => ({
    ...plan,
    lineItems: lineItems.map(({ productId, ...line }, lineIndex) => {
      const product = typeof productId === 'string' ? nameOf(productId.toLowerCase()) : sole
      if (!product)
        errors.push({
          pointer: `/plans/${planIndex}/lineItems/${lineIndex}/productId`,
          message: typeof productId === 'string' ? 'there is no product with that id' : 'a line item names its product',
        })
      return { productCode: product?.productCode ?? '', productVersion: product?.productVersion ?? null, ...line }
    }),
  }))
  return { plans: named, errors }
}

/** The products that the line items name, each once. */
export const lineProductIds = (plans: readonly { lineItems?: readonly { productId?: string | null }[] }[]) => [
  ...new Set(
    plans.flatMap(({ lineItems = [] }) =>
      lineItems.flatMap(({ productId }) => (typeof productId === 'string' ? [productId.toLowerCase()] : [])),
    ),
  ),
]
