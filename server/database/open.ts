import type { Database } from './database.ts'
import { readDatabaseUrl } from './database-url.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** Opens the database that a URL names; nothing is read or written yet but SQLite's file made when absent. */
export function openDatabase(url: string, poolSize?: number): Database {
  const location = readDatabaseUrl(url)
  return location.kind === 'sqlite' ? openSqlite(location.file) : openPostgres(location.url, poolSize)
}
