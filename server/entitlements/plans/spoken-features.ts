import type { Readable } from '../../database/database.ts'
import { newId } from '../../kit/ids.ts'
import { loadCopiedProducts } from '../entitlements/copied-products.ts'
import { copyFeature } from '../entitlements/copying.ts'
import type { StoredFeature } from '../entitlements/stored.ts'

/** The features that a plan or an add-on speaks of as the catalog has them; what its product does not know is left out. */
export async function copySpoken(
  read: Readable,
  tenantId: string,
  spoken: readonly Pick<StoredFeature, 'productId' | 'featureCode'>[],
): Promise<StoredFeature[]> {
  const products = await loadCopiedProducts(read, tenantId, [...new Set(spoken.map(({ productId }) => productId))])
  return spoken.flatMap(({ productId, featureCode }) => {
    const product = products.get(productId)
    return (product && copyFeature(product, featureCode, newId)) ?? []
  })
}
