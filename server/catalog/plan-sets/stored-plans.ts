import type { ProductName } from '../../../catalog-schema/keys.ts'
import type { LineItem, Plan } from '../../../catalog-schema/plan-set.ts'
import { orderedByProduct } from '../records/member-order.ts'

/** A line item as it is stored and sent: its product by id. */
export interface StoredLine extends Pick<LineItem, 'included' | 'featureValues'> {
  productId: string
}

/** A plan as it is stored and sent: with its id, and line items that name products by id. */
export interface StoredPlan extends Omit<Plan, 'lineItems'> {
  id: string
  lineItems: StoredLine[]
}

/** The stored plans in a snapshot's shape; products by name instead of by id, plans without ids. */
export const toItemPlans = (plans: readonly StoredPlan[], nameOf: (productId: string) => ProductName): Plan[] =>
  plans.map(({ id: _id, lineItems, ...plan }) => ({
    ...plan,
    lineItems: orderedByProduct(
      lineItems.map(({ productId, ...line }) => {
        const { productCode, productVersion } = nameOf(productId)
        return { productCode, productVersion: productVersion ?? null, ...line }
      }),
    ),
  }))

/** Canonical plans as they are stored: each with the id that its name has, line items naming products by id. */
export const toStoredPlans = (
  plans: readonly Plan[],
  idOfPlan: (name: string) => string,
  idOfProduct: (name: ProductName) => string,
): StoredPlan[] =>
  plans.map(({ lineItems, ...plan }) => ({
    id: idOfPlan(plan.name),
    ...plan,
    lineItems: lineItems.map(({ productCode, productVersion, ...line }) => ({
      productId: idOfProduct({ productCode: productCode!, productVersion }),
      ...line,
    })),
  }))
