import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database, Purpose } from './database.ts'
import type { Tables } from './tables.ts'

const deadlockDetected = '40P01'

/** The most connections of each pool. */
const poolSizes: Record<Purpose, number> = { serving: 8, bulk: 2 }

/**
 * Opens a PostgreSQL database: one pool for what reads and one for what writes, so that writes which wait for one
 * another's locks leave the reads their connections.
 */
export function openPostgres(url: string, purpose: Purpose = 'serving'): Database {
  const size = poolSizes[purpose]
  const readers = openPool(url, size)
  const writers = openPool(url, size)
  const read = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: readers }) })
  const write = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: writers }) })
  return {
    kind: 'postgres',
    read,
    schema: write as unknown as Kysely<unknown>,
    async transact(work) {
      try {
        return await write.transaction().execute(work)
      } catch (error) {
        if ((error as { code?: unknown }).code !== deadlockDetected) throw error
        return write.transaction().execute(work)
      }
    },
    lendWriter: (work) => work(),
    settle: () => undefined,
    async ping() {
      await readers.query('select 1')
    },
    async close() {
      await read.destroy()
      await write.destroy()
    },
  }
}

function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max, connectionTimeoutMillis: 5000, types: { getTypeParser } })
  // A connection that is lost is replaced at its next use, which tells: while it is idle, and while it is lent out, too.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}

/** 64-bit integers and counts are read as numbers: instants in milliseconds and row counts stay far below 2^53. */
const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
