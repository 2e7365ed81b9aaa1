import { implicitSuiteCode } from '../../../catalog-schema/keys.ts'
import type { Readable, Tx } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { newId } from '../../kit/ids.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'
import { rowHead, type Stamp } from '../../kit/records/stamp.ts'
import { writeRecords } from '../../kit/records/store.ts'
import type { CatalogTables } from '../tables.ts'

type SuiteRow = CatalogTables['suites']

interface NamedProduct {
  productCode: string
  productVersion: string | null
  name: string
}

/** The suite of one that a product has by itself, as it is written beside the product; nothing when the one before is in step. */
export function ownSuiteRow(
  product: NamedProduct,
  productId: string,
  stamp: Stamp,
  before?: SuiteRow,
): SuiteRow | undefined {
  const code = implicitSuiteCode(product)
  if (before && before.code === code && before.name === product.name) return undefined
  return {
    ...rowHead(before?.id ?? newId(), before, stamp),
    code,
    name: product.name,
    description: null,
    members: JSON.stringify([{ productId, sortOrder: 0 }]),
    own_product_id: productId,
  }
}

/** The own suites of these products, by product. */
export async function findOwnSuites(
  readable: Readable,
  tenantId: string,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, SuiteRow>> {
  if (productIds.length === 0) return new Map()
  const rows = await readable
    .selectFrom('suites')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(isAmong(readable, 'own_product_id', listed(readable, productIds)))
    .where('is_deleted', '=', no)
    .execute()
  return new Map(rows.map((row) => [row.own_product_id!, row]))
}

/** Keeps the own suite of a product in step with it. */
export async function writeOwnSuite(tx: Tx, productId: string, product: NamedProduct, stamp: Stamp): Promise<void> {
  const existing = await findOwnSuites(tx, stamp.tenantId, [productId])
  const row = ownSuiteRow(product, productId, stamp, existing.get(productId))
  if (row) await writeRecords(tx, 'suites', [row])
}
