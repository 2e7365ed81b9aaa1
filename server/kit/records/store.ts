import { type Expression, PostgresAdapter, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { Database, Readable, Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import type { ListQuery } from '../collection.ts'
import { compileOnce, leaveToCommit, recurs, runInOrder, type Statement } from '../compiled-query.ts'
import type { ColumnField, FilterField } from '../filter/fields.ts'
import { toOrdering } from '../filter/ordering.ts'
import { no } from '../flags.ts'
import { readListQuery } from '../list-query.ts'
import { Problem, recordNotFound } from '../problem.ts'
import { readCountedPage } from './counted-page.ts'
import type { RecordRow } from './record-row.ts'
import { rowsAsArrays } from './rows-as-arrays.ts'

/** The tables whose rows have what every record has. */
export type RecordTable = { [T in keyof Tables]: Tables[T] extends RecordRow ? T : never }[keyof Tables]

export interface Found<Row> {
  rows: Row[]
  totalCount: number
  pageNumber: number
  pageSize: number
}

/** What a list reads: a table's live rows, or a query over them that computes further columns, under the table's name. */
export interface ListSource<Row> {
  table: RecordTable
  fields: readonly FilterField[]
  /** Reads the tenant's rows with their computed columns. */
  rows?: (read: Readable, tenantId: string) => SelectQueryBuilder<Tables, never, Row>
  /** What a row must be to be listed at all. */
  only?: Expression<SqlBool>
}

/** A page of a tenant's live records, by creation unless a sortOrder says otherwise; throws the validation problem for a query that cannot be answered. */
export async function listRecords<Row>(
  read: Readable,
  source: ListSource<Row>,
  tenantId: string,
  query: ListQuery,
): Promise<Found<Row>> {
  const { idField, createdField } = orderBase(source.fields)
  const { page, condition, keys } = readListQuery(query, source.fields, idField, createdField.name)
  // Of some, a database would rather go through all in their order until a page is full, however few they are.
  const areSome = (source.rows ?? source.only ?? condition) !== undefined
  const ordering = toOrdering(keys, areSome ? createdField.column : undefined)
  const table = source.table as 'tags'
  const from = source.rows
    ? read.selectFrom((source.rows(read, tenantId) as never as SelectQueryBuilder<Tables, 'tags', Row>).as(table))
    : read.selectFrom(table)
  let matching = (from as unknown as SelectQueryBuilder<Tables, 'tags', object>)
    .where(`${table}.tenant_id`, '=', tenantId)
    .where(`${table}.is_deleted`, '=', no)
  if (source.only) matching = matching.where(source.only)
  if (condition) matching = matching.where(condition)
  const select = (rows: typeof matching) => rows.selectAll(table)
  const found = await readCountedPage<Row>({ matching, id: idField.column, select, ordering, page })
  return { ...found, ...page }
}

/** Lists go by creation, under whatever name the kind gives it, then by id. */
function orderBase(fields: readonly FilterField[]) {
  const column = (suffix: string) =>
    fields.find((field): field is ColumnField => 'column' in field && field.column.endsWith(suffix))!
  return { idField: column('.id'), createdField: column('.created_at') }
}

/** The tenant's live record under an id, or nothing. */
export async function findRecord<T extends RecordTable>(readable: Readable, table: T, tenantId: string, id: string) {
  const [row] = await recordById(table)(readable, { tenantId, id: id.toLowerCase() })
  return row as Tables[T] | undefined
}

const recordById = perTable((table) =>
  compileOnce((readable, { tenantId, id }: { tenantId: string; id: string }) =>
    readable
      .selectFrom(table as 'tags')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .where('is_deleted', '=', no),
  ),
)

/** Makes something for each table when it is first asked for. */
export function perTable<Made>(make: (table: RecordTable) => Made): (table: RecordTable) => Made {
  const made: { [T in RecordTable]?: Made } = {}
  return (table) => (made[table] ??= make(table))
}

/** The tenant's live record under an id; throws the not-found problem, whose words never say why. */
export async function getRecord<T extends RecordTable>(
  readable: Readable,
  table: T,
  tenantId: string,
  id: string,
  what = 'record',
): Promise<Tables[T]> {
  const row = await findRecord(readable, table, tenantId, id)
  if (!row) throw recordNotFound(what)
  return row
}

/** Every live row of a tenant in no order, or those under these ids in the order in which they were made. */
export async function readRecords<T extends RecordTable>(
  readable: Readable,
  table: T,
  tenantId: string,
  ids?: readonly string[],
): Promise<Tables[T][]> {
  if (ids?.length === 0) return []
  if (!ids) return (await allRecords(table)(readable, { tenantId })) as Tables[T][]
  const rows = await readable
    .selectFrom(table as 'tags')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where('id', 'in', ids)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows as Tables[T][]
}

const allRecords = perTable((table) =>
  compileOnce((readable, { tenantId }: { tenantId: string }) =>
    readable
      .selectFrom(table as 'tags')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('is_deleted', '=', no),
  ),
)

const mostRows = 1000
const mostVariables = 30_000

/** Writes whole rows, new or known by id, in few statements; every row has the same columns. */
export async function writeRecords<T extends keyof Tables>(
  tx: Tx,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> {
  await runStatements(tx, recordStatements(storeOf(tx), table, rows))
}

/** The few statements that write whole rows, new or known by id; every row has the same columns. */
export function recordStatements<T extends keyof Tables>(
  store: Database['kind'],
  table: T,
  rows: readonly Tables[T][],
): Statement[] {
  const changes = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id' && column !== 'tenant_id')
  const otherwise = `on conflict (id) do update set ${changes.map((column) => `${column} = excluded.${column}`).join(',')}
where ${table}.tenant_id = excluded.tenant_id`
  return insertStatements(store, table, rows, otherwise)
}

/** What a write changes of a row even where it finds it as it was. */
const alwaysWritten = ['updated_at', 'updated_by']

/**
 * The few statements that write a tenant's rows over those that were read of them, in the columns that differ in any; every
 * row has the same columns. The revision is the one after what stands there: others may have moved it since it was read.
 */
export function changeStatements<T extends RecordTable>(
  store: Database['kind'],
  table: T,
  changes: readonly { row: RecordRow; before: RecordRow }[],
): Statement[] {
  if (changes.length === 0) return []
  const at = (row: RecordRow, column: string) => (row as unknown as Record<string, unknown>)[column] ?? null
  const written = Object.keys(changes[0]!.row).filter(
    (column) =>
      column !== 'revision_number' &&
      (alwaysWritten.includes(column) || changes.some(({ row, before }) => at(row, column) !== at(before, column))),
  )
  const setting = written.map((column) => `${column} = written.${column},`).join('')
  const columns = ['id', 'tenant_id', ...written]
  const source = store === 'postgres' ? rowsAsArrays : values
  return inPortions(store, columns, changes).map((portion) => {
    const { text, parameters } = source(
      table,
      columns,
      portion.map(({ row }) => row),
    )
    const whole = `with written (${columns.join(',')}) as (${text})
update ${table} set ${setting} revision_number = ${table}.revision_number + 1 from written
where ${table}.id = written.id and ${table}.tenant_id = written.tenant_id`
    return { text: whole, parameters }
  })
}

/** The few statements that write new rows of the same columns. `otherwise` says what to do with a row that is there. */
export function insertStatements<T extends keyof Tables>(
  store: Database['kind'],
  table: T,
  rows: readonly Tables[T][],
  otherwise = '',
): Statement[] {
  const columns = Object.keys(rows[0] ?? {})
  const source = store === 'postgres' ? rowsAsArrays : values
  return inPortions(store, columns, rows).map((portion) => {
    const { text, parameters } = source(table, columns, portion)
    const whole = `insert into ${table} (${columns.join(',')}) ${text} ${otherwise}`
    return { text: store === 'postgres' ? recurs(whole) : whole, parameters }
  })
}

/** As many rows as one statement takes. */
function inPortions<Row>(store: Database['kind'], columns: readonly string[], rows: readonly Row[]): Row[][] {
  const atOnce = store === 'postgres' ? mostRows : Math.min(mostRows, Math.floor(mostVariables / columns.length))
  const portions: Row[][] = []
  for (let start = 0; start < rows.length; start += atOnce) portions.push(rows.slice(start, start + atOnce))
  return portions
}

/** Runs statements in their order; throws catalog.duplicate_key for a natural key that another record has. */
export const runStatements = (tx: Tx, statements: readonly Statement[]): Promise<void> =>
  runInOrder(tx, statements).catch(refuseDuplicate)

/** Runs the last statements of a transaction, which on PostgreSQL fail with its commit: what it locked is held for one round trip. */
export const runLastStatements = (tx: Tx, statements: readonly Statement[]): Promise<void> =>
  leaveToCommit(tx, runStatements(tx, statements))

/** Which store is read or written. */
export const storeOf = (readable: Readable): Database['kind'] =>
  readable.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'

function values(_table: string, columns: readonly string[], rows: readonly object[]): Statement {
  const row = `(${columns.map(() => '?').join(',')})`
  return {
    text: `values ${rows.map(() => row).join(',')}`,
    parameters: rows.flatMap((values) => columns.map((column) => (values as Record<string, unknown>)[column])),
  }
}

/** Whether it is the database's refusal of a key that another row has. */
export function isDuplicate(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE'
}

/** A natural key taken by another record, found by the database. */
function refuseDuplicate(error: unknown): never {
  if (!isDuplicate(error)) throw error
  throw new Problem('catalog.duplicate_key', 'Another record has this natural key already.')
}

/** Makes records invisible for ever; their natural keys are free again. */
export async function softDelete(
  tx: Tx,
  table: RecordTable,
  stamp: { tenantId: string; actor: string; now: number },
  ids: readonly string[],
): Promise<void> {
  for (let start = 0; start < ids.length; start += mostRows)
    await tx
      .updateTable(table as 'tags')
      .set((eb) => ({
        is_deleted: 1,
        updated_at: stamp.now,
        updated_by: stamp.actor,
        revision_number: eb('revision_number', '+', 1),
      }))
      .where('tenant_id', '=', stamp.tenantId)
      .where('id', 'in', ids.slice(start, start + mostRows))
      .execute()
}
