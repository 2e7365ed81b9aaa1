import { sql } from 'kysely'
import type { Readable } from '../database/database.ts'
import { storeOf } from './records/store.ts'

/** Any number of values as one parameter of a query, which `among` takes apart: the query's text is the same for any number. */
export const listed = (read: Readable, values: readonly string[]): unknown =>
  storeOf(read) === 'postgres' ? values : JSON.stringify(values)

/** What stands right of `=`: whether a column has any of the values that `listed` made one parameter of. */
export const among = (read: Readable, values: unknown) =>
  storeOf(read) === 'postgres'
    ? sql<string>`any(${values}::text[])`
    : sql<string>`(select value from json_each(${values}))`
