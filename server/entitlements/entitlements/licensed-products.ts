import { readProducts } from '../offers/items.ts'
import type { EntitlementRow } from './loading.ts'

/** The ids of the products that an entitlement licenses, in its own order. */
export const licensedProductIds = (row: Pick<EntitlementRow, 'products'>): string[] =>
  readProducts(row).map(({ productId }) => productId)
