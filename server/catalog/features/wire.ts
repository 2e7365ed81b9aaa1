import { type Feature, featureFields } from '../../../catalog-schema/feature.ts'
import type { Readable } from '../../database/database.ts'
import { stampedTailOf } from '../../kit/records/answers.ts'
import { fromColumns, storedFields } from '../../kit/records/columns.ts'
import { getRecord } from '../../kit/records/store.ts'
import { tagsOf } from '../records/tagging.ts'
import type { CatalogTables } from '../tables.ts'

type Row = CatalogTables['features']

const storage = storedFields(featureFields)

/** Feature catalog entries as they are answered. */
export async function toWire(readable: Readable, tenantId: string, rows: readonly Row[]) {
  const ids = rows.map(({ id }) => id)
  const tags = await tagsOf(readable, tenantId, ids)
  return rows.map((row) => ({
    id: row.id,
    productId: row.product_id,
    ...(fromColumns(storage, row, { tags: tags.get(row.id) ?? [] }) as Omit<Feature, 'productCode' | 'productVersion'>),
    ...stampedTailOf(row),
  }))
}

/** One entry as it is answered; throws the not-found problem. */
export async function answerFeature(readable: Readable, tenantId: string, id: string) {
  const row = await getRecord(readable, 'features', tenantId, id, 'feature catalog entry')
  return (await toWire(readable, tenantId, [row]))[0]!
}
