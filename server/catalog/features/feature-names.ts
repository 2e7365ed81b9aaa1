import type { Readable } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'

/** A feature catalog entry by its product and code, and its name. */
interface EntryName {
  id: string
  productId: string
  featureCode: string
  name: string
}

/** The tenant's feature catalog entries among these ids, however many, by id; none that was deleted. */
export async function featureNamesOf(
  read: Readable,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, EntryName>> {
  if (ids.length === 0) return new Map()
  const rows = await namesByIds(read, { tenantId, ids: listed(read, ids) })
  return new Map(rows.map((row) => [row.id, row]))
}

const namesByIds = compileOnce((read, { tenantId, ids }: { tenantId: string; ids: unknown }) =>
  read
    .selectFrom('features')
    .select(['id', 'product_id as productId', 'feature_code as featureCode', 'name'])
    .where(isTenants(read, tenantId))
    .where(isAmong(read, 'id', ids))
    .where('is_deleted', '=', no),
)
