import type { Readable } from '../../database/database.ts'
import type { ListQuery } from '../collection.ts'
import type { ReadContext } from '../context.ts'
import { type Page, toPage } from '../page.ts'
import { type ListSource, listRecords } from './store.ts'

/** How rows of a kind are answered: all of a page at once. */
export type ToWire<Row, Wire> = (readable: Readable, tenantId: string, rows: readonly Row[]) => Promise<Wire[]>

/** The page of records that a query asks for, as it is sent. */
export async function answerPage<Row, Wire>(
  { read, tenant }: ReadContext,
  query: ListQuery,
  source: ListSource<Row>,
  toWire: ToWire<Row, Wire>,
): Promise<Page<Wire>> {
  const { rows, totalCount, pageNumber, pageSize } = await listRecords(read, source, tenant.id, query)
  return toPage(await toWire(read, tenant.id, rows), totalCount, pageNumber, pageSize)
}
