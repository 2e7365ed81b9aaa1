import type { Database, Purpose } from './database.ts'
import { readDatabaseUrl } from './database-url.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** Opens the database that a URL names; nothing is read or written yet but SQLite's file made when absent. */
export function openDatabase(url: string, purpose: Purpose = 'serving'): Database {
  const location = readDatabaseUrl(url)
  return location.kind === 'sqlite' ? openSqlite(location.file, purpose) : openPostgres(location.url, purpose)
}
