import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { offsetOf, type PageRequest } from '../page.ts'

type Matching = SelectQueryBuilder<Tables, 'tags', object>

interface PageOf {
  /** The rows that match; it selects nothing yet. */
  matching: Matching
  /** Selects what is told of a row. */
  select: (matching: Matching) => Matching
  ordering: RawBuilder<unknown>
  page: PageRequest
  /** The column that no two rows share, whoever's they are, if there is one. */
  id?: string
  /** Whether rows are found by their ids before they are read, however near the page is. */
  isFoundFirst?: boolean
  /** What is counted, where that is less work than `matching`, and as many. */
  counted?: Matching
}

/** From so many rows on that are passed over, a page is found by the ids of its rows: whole rows are not sorted then. */
const deep = 1000

/**
 * A page of what a query finds, and how many rows that is. A page that is not full tells by itself how many there are: they
 * are counted only where it does not, for that may mean to go through all of them again.
 */
export async function readCountedPage<Row>(asked: PageOf): Promise<{ rows: Row[]; totalCount: number }> {
  const { matching, page, counted = matching } = asked
  const { pageSize } = page
  const offset = offsetOf(page)
  const rows = pageSize === 0 ? [] : ((await readRows(asked, offset)) as Row[])
  if (rows.length < pageSize && (rows.length > 0 || offset === 0)) return { rows, totalCount: offset + rows.length }
  const { count } = await counted.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { rows, totalCount: Number(count) }
}

/** Rows that were found are read by their ids alone: given a tenant as well, SQLite goes through all that the tenant has. */
async function readRows({ matching, id, select, ordering, page, isFoundFirst }: PageOf, offset: number) {
  const paged = (rows: Matching) => rows.orderBy(ordering).limit(page.pageSize).offset(offset).execute()
  if (id === undefined || !(isFoundFirst || offset >= deep)) return paged(select(matching))
  const found = (await paged(matching.select(sql.ref(id).as('found')))) as { found: string }[]
  if (found.length === 0) return []
  const ids = sql.join(found.map((row) => row.found))
  return select(matching.clearWhere())
    .where(sql<boolean>`${sql.ref(id)} in (${ids})`)
    .orderBy(ordering)
    .execute()
}
