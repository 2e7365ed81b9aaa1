import { keyOf } from '../../catalog-schema/keys.ts'
import type { Kind } from '../../catalog-schema/order.ts'
import type { Readable } from '../database/database.ts'
import { yes } from '../kit/flags.ts'
import { rooms } from './rooms.ts'

/** When a record went, and who took it away. */
export interface Deletion {
  at: number
  by: string
}

type Named = Record<string, string | number | null>

/** The tables whose records are named with a product or a suite, and the column that points there. */
const parents: Partial<Record<Kind, ['products' | 'suites', string]>> = {
  feature: ['products', 'product_id'],
  monitoredAsset: ['products', 'product_id'],
  planSet: ['suites', 'suite_id'],
}

/** The last deletion of each of these keys; keys that no deleted record had are left out. */
export async function findDeletions(
  readable: Readable,
  tenantId: string,
  keys: readonly { kind: Kind; key: string }[],
): Promise<ReadonlyMap<string, Deletion>> {
  const found = new Map<string, Deletion>()
  for (const kind of new Set(keys.map((named) => named.kind))) {
    const wanted = new Set(keys.filter((named) => named.kind === kind).map(({ key }) => key))
    for (const row of await deletedRows(readable, tenantId, kind)) {
      const key = keyOf(kind, itemNamed(row))
      if (wanted.has(key) && !found.has(key)) found.set(key, { at: Number(row.updated_at), by: String(row.updated_by) })
    }
  }
  return found
}

/** The newest first. */
async function deletedRows(readable: Readable, tenantId: string, kind: Kind): Promise<Named[]> {
  const { table } = rooms[kind]
  const deleted = readable
    .selectFrom(table as 'tags')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', yes)
    .orderBy('updated_at', 'desc')
  const rows = (await deleted.execute()) as unknown as Named[]
  const parent = parents[kind]
  if (!parent) return rows
  const [parentTable, column] = parent
  const named = await readable
    .selectFrom(parentTable as 'products')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .execute()
  const byId = new Map(named.map((row) => [row.id, row as unknown as Named]))
  return rows.map((row) => ({ ...byId.get(String(row[column])), ...row }))
}

const itemNamed = (row: Named) => ({
  ...row,
  productCode: row.product_code,
  productVersion: row.product_version,
  featureCode: row.feature_code,
  metricName: row.metric_name,
  suiteCode: row.code,
})
