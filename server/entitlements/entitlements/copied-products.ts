import { listAttachedFeatures } from '../../catalog/products/attached-features.ts'
import { listEntriesOf } from '../../catalog/records/entries-of.ts'
import type { Readable } from '../../database/database.ts'
import type { CopiedProduct } from './copying.ts'

/** What features are copied from, of each of these products by id; a product that nobody has is left out. */
export async function loadCopiedProducts(
  readable: Readable,
  tenantId: string,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, CopiedProduct>> {
  const attachedOf = await listAttachedFeatures(readable, tenantId, productIds)
  const entriesOf = Map.groupBy(await listEntriesOf(readable, tenantId, productIds), ({ productId }) => productId)
  return new Map(
    [...attachedOf].map(([productId, attached]) => [
      productId,
      { productId, attached: byCode(attached), entries: byCode(entriesOf.get(productId) ?? []) },
    ]),
  )
}

const byCode = <F extends { featureCode: string }>(features: readonly F[]) =>
  new Map(features.map((feature) => [feature.featureCode, feature]))
