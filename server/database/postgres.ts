import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

const deadlockDetected = '40P01'

/** Opens a pool on a PostgreSQL database; `size` connections at most. */
export function openPostgres(url: string, size = 10): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5000,
    types: { getTypeParser },
  })
  pool.on('error', () => undefined)
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const database: Database = {
    kind: 'postgres',
    read: kysely,
    schema: kysely as unknown as Kysely<unknown>,
    async transact(work) {
      try {
        return await kysely.transaction().execute(work)
      } catch (error) {
        if ((error as { code?: unknown }).code !== deadlockDetected) throw error
        return kysely.transaction().execute(work)
      }
    },
    lendWriter: (work) => work(),
    async ping() {
      await pool.query('select 1')
    },
    close: () => kysely.destroy(),
  }
  return database
}

/** 64-bit integers and counts are read as numbers: instants in milliseconds and row counts stay far below 2^53. */
const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
