import type { Readable } from '../../database/database.ts'
import { invalid } from '../../kit/problem.ts'
import { type CatalogNames, loadProductNames } from './names.ts'

/** The name of the product that a request puts a new record under; throws the validation problem when there is none. */
export async function namesOfProduct(readable: Readable, tenantId: string, productId: string): Promise<CatalogNames> {
  const names = await loadProductNames(readable, tenantId, [productId])
  if (!names.findProduct(productId.toLowerCase()))
    throw invalid([{ pointer: '/productId', message: 'there is no product with that id' }])
  return names
}

/** Refuses to move a record to another product. */
export function keepProduct(given: { productId?: unknown }, productId: string): void {
  if (given.productId !== undefined && String(given.productId).toLowerCase() !== productId)
    throw invalid([{ pointer: '/productId', message: 'the product of a record is fixed when it is created' }])
}
