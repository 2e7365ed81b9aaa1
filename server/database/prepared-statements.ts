import type { Database as Sqlite, Statement } from 'better-sqlite3'
import type { SqliteDatabase } from 'kysely'
import { RecentlyUsed } from '../kit/recently-used.ts'

const most = 300
/** Longer texts are bulk writes, each of its own length: not worth keeping. */
const longest = 4000

/** A connection that prepares each statement once: preparing costs more than most of our statements take to run. */
export function withPreparedStatements(connection: Sqlite): SqliteDatabase {
  const prepared = new RecentlyUsed<Statement>(most)
  return {
    close: () => void connection.close(),
    prepare(text) {
      const known = prepared.get(text)
      if (known) return known
      const statement = connection.prepare(text)
      if (text.length <= longest) prepared.set(text, statement)
      return statement
    },
  }
}
