import type { Readable } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'

/** A product by its natural key. */
export interface NamedProduct {
  id: string
  code: string
  version: string | null
}

/** The natural keys of the tenant's products under these ids, deleted ones too, by id. */
export async function productNamesOf(
  read: Readable,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, NamedProduct>> {
  if (ids.length === 0) return new Map()
  const rows = await namesByIds(read, { tenantId, ids: listed(read, ids) })
  return new Map(rows.map((row) => [row.id, row]))
}

const namesByIds = compileOnce((read, { tenantId, ids }: { tenantId: string; ids: unknown }) =>
  read
    .selectFrom('products')
    .select(['id', 'product_code as code', 'product_version as version'])
    .where('tenant_id', '=', tenantId)
    .where(isAmong(read, 'id', ids)),
)
