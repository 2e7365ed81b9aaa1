import pg from 'pg'
import { onTestFinished } from 'vitest'
import { migrate } from '../../server/database/migrate.ts'
import { openDatabase } from '../../server/database/open.ts'
import type { TestStore } from './stores.ts'

/** A migrated database on PostgreSQL as the product opens it, and a client beside it; both are closed when the test ends. */
export async function openMigrated({ createDatabase }: TestStore) {
  const databaseUrl = await createDatabase()
  const database = openDatabase(databaseUrl)
  const client = new pg.Client(databaseUrl)
  onTestFinished(async () => {
    await client.end()
    await database.close()
  })
  await migrate(database)
  await client.connect()
  return { database, client }
}
