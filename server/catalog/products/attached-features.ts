import type { ProductFeature } from '../../../catalog-schema/product.ts'
import type { Readable } from '../../database/database.ts'
import { readRecords } from '../../kit/records/store.ts'
import { toItemFeatures } from './feature-ids.ts'
import { readStoredFeatures } from './items.ts'

/** The features attached to each of these products, by product id; a product that nobody has is left out. */
export async function listAttachedFeatures(
  readable: Readable,
  tenantId: string,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, ProductFeature[]>> {
  const rows = await readRecords(readable, 'products', tenantId, productIds)
  return new Map(rows.map((row) => [row.id, toItemFeatures(readStoredFeatures(row))]))
}

/** The ids of the features attached to these products, by product id and code with a blank between. */
export async function readAttachedIds(
  readable: Readable,
  tenantId: string,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await readRecords(readable, 'products', tenantId, productIds)
  return new Map(
    rows.flatMap((row) => readStoredFeatures(row).map(({ id, featureCode }) => [`${row.id} ${featureCode}`, id])),
  )
}
