import type { Duplex } from 'node:stream'
import { CompiledQuery, type DatabaseConnection, type Driver, PostgresDialect, PostgresDriver } from 'kysely'
import type pg from 'pg'
import { runDirectly } from '../kit/compiled-query.ts'
import type { Tx } from './database.ts'

/**
 * PostgreSQL whose transactions begin with their first statement instead of waiting for an answer of their own. The
 * connections of its pool are to be pipelining ones (`pipelined`).
 */
export class PipeliningDialect extends PostgresDialect {
  readonly #pool: pg.Pool
  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }
  override createDriver(): Driver {
    return new PipeliningDriver({ pool: this.#pool })
  }
}

class PipeliningDriver extends PostgresDriver {
  /** What keeps it from beginning, such as a lost connection, the first statement tells. */
  override async beginTransaction(...given: Parameters<PostgresDriver['beginTransaction']>): Promise<void> {
    void super.beginTransaction(...given).catch(() => undefined)
  }
}

/** The setting of pg by which a statement goes out before the one ahead of it is answered. */
export const pipelined = { pipeline: true } as pg.PoolConfig

/**
 * Has what is asked of a pipelining connection in one turn of the event loop go out together: each send costs both
 * sides as much as a small statement does. What is answered must be called before each statement.
 */
export function sendTogether(client: pg.PoolClient): () => void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  let isHeld = false
  return () => {
    if (isHeld) return
    isHeld = true
    stream.cork()
    process.nextTick(() => {
      isHeld = false
      stream.uncork()
    })
  }
}

/**
 * Does a transaction's work with its compiled statements pipelined: those that do not wait for each other share a round trip,
 * and its last ones (kit/compiled-query.ts `leaveToCommit`) that of the commit.
 */
export async function pipeline<T>(
  begin: (work: (tx: Tx) => Promise<T>) => Promise<T>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const last: Promise<unknown>[] = []
  let isOver = false
  try {
    const answer = await begin(async (tx) => {
      // Kysely would run a transaction's statements one after another, whoever asks.
      const connection = await tx.getExecutor().provideConnection<DatabaseConnection>(async (lent) => lent)
      const run = async (text: string, parameters: readonly unknown[]) => {
        if (isOver) throw new Error('the transaction is over')
        return (await connection.executeQuery(CompiledQuery.raw(text, [...parameters]))).rows
      }
      runDirectly(tx, run, last)
      try {
        return await work(tx)
      } finally {
        isOver = true
      }
    })
    await Promise.all(last)
    return answer
  } catch (error) {
    // PostgreSQL makes the commit after a failed statement a rollback, and only the statement tells why.
    await Promise.all(last)
    throw error
  }
}
