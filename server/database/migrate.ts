import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { createAmountFunctionSql } from '../kit/filter/amounts.ts'
import { createFoldFunctionSql } from '../kit/filter/folding.ts'
import type { Database } from './database.ts'
import { migrations } from './migrations/index.ts'
import { requireFitPostgres } from './requirements.ts'

/** The database could not be brought up to this version's tables; the message says why, in words for an operator. */
export class MigrationFailed extends Error {}

/**
 * Brings the tables up to this version, all in one transaction: done whole, or not at all. Of those of an earlier version `begun`
 * is told how many migrations they have and are to have, before that takes its time.
 */
export async function migrate(
  database: Database,
  begun: (has: number, wanted: number) => void = () => {},
): Promise<void> {
  const schema = database.kind === 'postgres' ? await requireFitPostgres(database.read) : undefined
  if (schema !== undefined) await createFunctions(database)
  await database.lendWriter(async () => {
    const names = Object.keys(migrations)
    const done = await doneMigrations(database, schema)
    if (done.length > 0 && done.length < names.length) begun(done.length, names.length)
    if (!isDeepStrictEqual(done, names)) await migrateToLatest(database, schema)
    if (database.kind === 'sqlite') await requireWritable(database)
  })
}

async function migrateToLatest({ schema: db }: Database, schema: string | undefined): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations as Record<string, Migration> },
    migrationTableName: migrationTable,
    migrationLockTableName: 'licet_migration_lock',
    // Else those of another installation, in another schema of the database, would be taken for ours.
    ...(schema !== undefined && { migrationTableSchema: schema }),
  })
  const { error } = await migrator.migrateToLatest()
  if (!error) return
  const message = error instanceof Error ? error.message : String(error)
  if (/corrupted migrations/.test(message))
    throw new MigrationFailed(
      'This database was made by a newer version of licet: start that version, or restore a backup.',
    )
  throw new MigrationFailed(`The database could not be migrated: ${message}`)
}

const migrationTable = 'licet_migration'

/** Most starts find nothing to do, and one statement says so; Kysely's migrator looks at every table of the database first. */
async function doneMigrations({ schema: db }: Database, schema: string | undefined): Promise<string[]> {
  const table = schema === undefined ? sql.id(migrationTable) : sql.id(schema, migrationTable)
  try {
    const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(db)
    return rows.map(({ name }) => name)
  } catch {
    // A new database has no such table yet; the migrator tells of anything else that is wrong.
    return []
  }
}

/** On a read-only file even a transaction that means to write begins; its first write fails, and better now than at a request. */
const requireWritable = async ({ schema }: Database): Promise<void> =>
  void (await schema.transaction().execute((tx) => sql`update installation set value = value where false`.execute(tx)))

/** Every start makes the functions of our filters anew: two processes that start together take turns. */
async function createFunctions(database: Database): Promise<void> {
  await database.transact(async (tx) => {
    await sql`select pg_advisory_xact_lock(7305)`.execute(tx)
    await sql.raw(createFoldFunctionSql()).execute(tx)
    await sql.raw(createAmountFunctionSql()).execute(tx)
  })
}
