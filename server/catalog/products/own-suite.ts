import { implicitSuiteCode } from '../../../catalog-schema/keys.ts'
import type { Tx } from '../../database/database.ts'
import { newId } from '../../kit/ids.ts'
import { rowHead, type Stamp } from '../records/stamp.ts'
import { writeRecords } from '../records/store.ts'
import type { CatalogTables } from '../tables.ts'

const atOnce = 1000

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

/** Keeps the own suites of these products in step with them; answers each new suite's id by its product's. */
export async function writeOwnSuites(
  tx: Tx,
  items: readonly { id: string; product: NamedProduct }[],
  stamp: Stamp,
): Promise<ReadonlyMap<string, string>> {
  const existing = new Map<string, SuiteRow>()
  for (let start = 0; start < items.length; start += atOnce) {
    const ids = items.slice(start, start + atOnce).map(({ id }) => id)
    const rows = await tx
      .selectFrom('suites')
      .selectAll()
      .where('tenant_id', '=', stamp.tenantId)
      .where('own_product_id', 'in', ids)
      .where('is_deleted', '=', 0)
      .execute()
    for (const row of rows) existing.set(row.own_product_id!, row)
  }
  const rows = items.flatMap(({ id, product }) => ownSuiteRow(product, id, stamp, existing.get(id)) ?? [])
  await writeRecords(tx, 'suites', rows)
  return new Map(rows.filter((row) => !existing.has(row.own_product_id!)).map((row) => [row.own_product_id!, row.id]))
}
