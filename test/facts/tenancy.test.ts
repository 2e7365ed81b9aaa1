import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../server/database/database.ts'
import { migrate } from '../../server/database/migrate.ts'
import { openDatabase } from '../../server/database/open.ts'
import { forEachStore } from '../support/stores.ts'
import { expectCheckedIn } from './checked-in.ts'

/** The tables whose rows belong to no tenant, and why. */
const withoutTenant: Record<string, string> = {
  tenants: 'a row is a tenant; its id is the tenant_id of all others',
  installation: 'what the whole installation has once: the check of its master key',
  licet_migration: 'which migrations have run',
  licet_migration_lock: 'that one process migrates at a time',
}

const opened: Database[] = []
afterAll(async () => {
  for (const database of opened) await database.close()
})

forEachStore((store) => {
  test('every row belongs to a tenant: each table has a tenant_id that is never null', async () => {
    const columns = await columnsOf(await openMigrated(await store.createDatabase()))
    const tables = [...new Set(columns.map(({ table }) => table))]
    const owned = columns.filter(({ column, isNullable }) => column === 'tenant_id' && !isNullable)
    expect(
      tables.filter((table) => !owned.some((column) => column.table === table)).sort(),
      'a table without tenant_id is read by every tenant: give it one, or say in withoutTenant why it has none',
    ).toEqual(Object.keys(withoutTenant).sort())
  })

  test('the tables and their columns are the checked-in ones, the same on both stores', async () => {
    const columns = await columnsOf(await openMigrated(await store.createDatabase()))
    const ours = columns.filter(({ table }) => !table.startsWith('licet_'))
    const byTable = Map.groupBy(ours, ({ table }) => table)
    await expectCheckedIn(
      'tables',
      Object.fromEntries(
        [...byTable.keys()]
          .sort()
          .map((table) => [
            table,
            byTable.get(table)!.map(({ column, isNullable }) => (isNullable ? `${column}?` : column)),
          ]),
      ),
    )
  })
})

async function openMigrated(url: string): Promise<Database> {
  const database = openDatabase(url)
  opened.push(database)
  await migrate(database)
  return database
}

interface Column {
  table: string
  column: string
  isNullable: boolean
}

/** What the database itself says of its tables, in order of table and place. */
async function columnsOf({ kind, read }: Database): Promise<Column[]> {
  const asked =
    kind === 'sqlite'
      ? sql<{ table: string; column: string; nullable: number }>`
          select t.name as "table", c.name as "column", c."notnull" = 0 and c.pk = 0 as nullable
          from sqlite_master t, pragma_table_info(t.name) c
          where t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.cid`
      : sql<{ table: string; column: string; nullable: boolean }>`
          select table_name as "table", column_name as "column", is_nullable = 'YES' as nullable
          from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`
  const { rows } = await asked.execute(read)
  return rows.map(({ table, column, nullable }) => ({ table, column, isNullable: Boolean(nullable) }))
}
