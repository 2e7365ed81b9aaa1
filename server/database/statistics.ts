import { sql } from 'kysely'
import type { Database } from './database.ts'

/** PostgreSQL's own thresholds; a table with more rows than this is left to it, for to look at one takes time. */
const youngRows = 100_000

/**
 * Has PostgreSQL look at young tables of ours that have changed by a tenth since it looked last. By itself it looks once a
 * minute, and until then plans for a table that was just filled as if it were empty: a session is found by going through all of
 * the tenant's, and the connections keep that plan. A user that may not have it look leaves it be.
 */
export async function renewStatistics({ kind, read }: Database): Promise<void> {
  if (kind !== 'postgres') return
  const { rows } = await sql<{ name: string }>`select s.relname as name
from pg_stat_user_tables as s join pg_class as c on c.oid = s.relid
where s.schemaname = current_schema() and s.n_live_tup < ${youngRows} and s.n_mod_since_analyze > 50 + s.n_live_tup / 10
and c.relowner = (select relowner from pg_class where oid = to_regclass('licet_migration'))
and pg_has_role(c.relowner, 'usage')`.execute(read)
  for (const { name } of rows) await sql`analyze (skip_locked) ${sql.id(name)}`.execute(read)
}
