import type { Database, Readable } from '../../database/database.ts'

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
