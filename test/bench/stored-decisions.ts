import Database from 'better-sqlite3'
import pg from 'pg'
import type { Served } from './served.ts'

/** Decisions under keys in no order, which is the worst for an index. */
const kept = (digest: string, counting: string) =>
  `insert into usage_decisions (lookup, tenant_id, asked, answer)
select substr(lookup, 1, 37) || substr(${digest}, 1, 36), tenant_id, asked, answer
from (select * from usage_decisions limit 1) as one cross join ${counting}`

/** Stores so many decisions more, each like one that the server has made, without the server. */
export async function storeDecisions({ databaseUrl }: Served, count: number): Promise<void> {
  if (databaseUrl.startsWith('sqlite:')) {
    const database = new Database(databaseUrl.slice('sqlite:'.length), { timeout: 60_000 })
    // Keys in no order want the whole index at hand.
    database.pragma('cache_size = -500000')
    const counting = `(with recursive counting (n) as (select 1 union all select n + 1 from counting where n < ${count}) select n from counting)`
    database.exec(kept('lower(hex(randomblob(64)))', counting))
    database.pragma('wal_checkpoint(truncate)')
    database.close()
    return
  }
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const digest = `encode(sha512((n || '/' || random())::bytea), 'hex')`
  await client.query(kept(digest, `generate_series(1, ${count}) as counting (n)`))
  // Nothing of the filling is to be going on while it is measured.
  for (const after of ['vacuum analyze usage_decisions', 'checkpoint']) await client.query(after)
  await client.end()
}
