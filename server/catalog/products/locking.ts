import { keyOf } from '../../../catalog-schema/keys.ts'
import type { Product } from '../../../catalog-schema/product.ts'
import { Problem } from '../../kit/problem.ts'

/** Refuses to change a locked product; an edit may unlock it in the same breath. */
export function refuseLocked(product: Product, after?: Product): void {
  if (product.isLocked && after?.isLocked !== false)
    throw new Problem('catalog.in_use', `${keyOf('product', product)} is locked; unlock it first.`)
}
