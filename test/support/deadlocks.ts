import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/** How many circles of waiting PostgreSQL has had to break; none on SQLite. Ends every other connection. */
export async function deadlocksOf(store: 'sqlite' | 'postgres', databaseUrl: string): Promise<number> {
  if (store === 'sqlite') return 0
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    // A backend tells what it has counted at the latest when it ends.
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await sleep(500)
    const { rows } = await client.query('select deadlocks from pg_stat_database where datname = current_database()')
    return Number(rows[0].deadlocks)
  } finally {
    await client.end()
  }
}
