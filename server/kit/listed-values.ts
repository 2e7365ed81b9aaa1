import { sql } from 'kysely'
import type { Readable } from '../database/database.ts'
import { storeOf } from './records/store.ts'

/** Any number of values as one parameter of a query, which `isAmong` takes apart: the query's text is the same for any number. */
export const listed = (read: Readable, values: readonly string[]): unknown =>
  storeOf(read) === 'postgres' ? values : JSON.stringify(values)

/** The values that `listed` made one parameter of, as a table with the column `value`. */
export const valuesOf = (read: Readable, values: unknown) =>
  storeOf(read) === 'postgres' ? sql`(select unnest(${values}::text[]) as value)` : sql`json_each(${values})`

/** Whether a column (`table.column` where two have it) has any of the values that `listed` made one parameter of. */
export const isAmong = (read: Readable, column: string, values: unknown) =>
  storeOf(read) === 'postgres'
    ? sql<boolean>`${sql.ref(column)} = any(${values}::text[])`
    : sql<boolean>`${sql.ref(column)} in (select value from json_each(${values}))`

/**
 * Whether rows that are found by their ids are the tenant's. Said as a plain equality, SQLite takes an index that begins
 * with the tenant and goes through all that the tenant has.
 */
export const isTenants = (read: Readable, tenantId: string) =>
  storeOf(read) === 'postgres' ? sql<boolean>`tenant_id = ${tenantId}` : sql<boolean>`+tenant_id = ${tenantId}`
