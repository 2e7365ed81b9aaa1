import { sql } from 'kysely'
import type { Database, Readable, Tx } from '../../database/database.ts'
import { storeOf } from '../../kit/records/store.ts'

/** What is kept of the installation under a name. */
export async function findInstalled(readable: Readable, name: string): Promise<string | undefined> {
  const found = await readable.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return found?.value
}

/** Keeps a value of the installation; of two processes that do so together, the first one's stands. */
export const installOnce = (database: Database, name: string, value: string) =>
  database.transact((tx) =>
    tx
      .insertInto('installation')
      .values({ name, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )

/** Has every other process that sets the installation up wait until this transaction ends, as SQLite's write lock does. */
export async function lockInstallation(tx: Tx): Promise<void> {
  if (storeOf(tx) === 'postgres') await sql`select pg_advisory_xact_lock(7306)`.execute(tx)
}
