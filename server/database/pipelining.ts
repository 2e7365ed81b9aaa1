import type { Duplex } from 'node:stream'
import { CompiledQuery, type DatabaseConnection, type Driver, PostgresDialect, PostgresDriver } from 'kysely'
import type pg from 'pg'
import { allDone, runDirectly } from '../kit/compiled-query.ts'
import { Places } from '../kit/places.ts'
import type { Tx } from './database.ts'
import { answerMillis, isTooLate } from './silence.ts'

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
    return new PipeliningDriver(this.#pool)
  }
}

class PipeliningDriver extends PostgresDriver {
  readonly #places: Places
  #lent = 0
  #patience: NodeJS.Timeout | undefined
  constructor(pool: pg.Pool) {
    super({ pool })
    this.#places = new Places(pool.options.max)
  }

  /**
   * Waits for as long as others give theirs back, and for one that nobody has no longer than the first who cannot connect. By
   * the time limit of the pool itself, many who wait for each other would wait for the database; and so would what this
   * process was busy with meanwhile.
   */
  override async acquireConnection(...given: Acquiring): Promise<DatabaseConnection> {
    const turn = this.#places.take()
    if (this.#patience === undefined) this.#bePatient()
    await turn
    try {
      const connection = await this.#connect(given)
      this.#lent++
      return connection
    } catch (error) {
      if (this.#lent === 0) this.#places.turnAway(error)
      this.#giveBack()
      throw error
    }
  }

  async #connect(given: Acquiring): Promise<DatabaseConnection> {
    const begun = performance.now()
    try {
      return await super.acquireConnection(...given)
    } catch (error) {
      if (!isTooLate(begun)) throw error
      return super.acquireConnection(...given)
    }
  }

  /** Turns away who waits when nobody has given a connection back for as long as a database may be silent. */
  #bePatient(): void {
    clearTimeout(this.#patience)
    this.#patience = undefined
    if (this.#places.waiting === 0) return
    const begun = performance.now()
    this.#patience = setTimeout(() => {
      if (!isTooLate(begun)) this.#places.turnAway(new Error('timeout exceeded when trying to connect'))
      this.#bePatient()
    }, answerMillis).unref()
  }

  #giveBack(): void {
    this.#places.giveBack()
    this.#bePatient()
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#lent--
    await super.releaseConnection(connection as never).finally(() => this.#giveBack())
  }

  override destroy(): Promise<void> {
    this.#places.turnAway(new Error('Connection terminated: the database was closed'))
    return super.destroy()
  }

  /**
   * Whatever the server's default is, a statement sees what was committed before it: whoever waited for a lock finds what
   * the one before has written. What keeps it from beginning, such as a lost connection, its statements tell (`pipelining`).
   */
  override async beginTransaction(...[connection, settings]: Parameters<PostgresDriver['beginTransaction']>) {
    const { isolationLevel = 'read committed', ...more } = settings
    void super.beginTransaction(connection, { isolationLevel, ...more }).catch(() => undefined)
  }

  /** One that fails has lost its connection, which is discarded, and the transaction with it: what that failed of tells why. */
  override async rollbackTransaction(...given: Parameters<PostgresDriver['rollbackTransaction']>): Promise<void> {
    await super.rollbackTransaction(...given).catch(() => undefined)
  }
}

type Acquiring = Parameters<PostgresDriver['acquireConnection']>

/** The setting of pg by which a statement goes out before the one ahead of it is answered. */
export const pipelined = { pipeline: true } as pg.PoolConfig

type Send = (text: unknown, ...given: unknown[]) => Promise<unknown>

/**
 * How a pipelining connection sends statements. What is asked in one turn of the event loop goes out together: each send
 * costs both sides as much as a small statement does. Only what reads goes out along with a `begin`: without a transaction,
 * if there is none after all, a write would be committed by itself. The connection is given up then.
 */
export function pipelining(client: pg.PoolClient, send: Send): Send {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  let isHeld = false
  let begun: Promise<unknown> | undefined
  let isWriteWaiting = false
  const hold = () => {
    if (isHeld) return
    isHeld = true
    stream.cork()
    process.nextTick(() => {
      isHeld = false
      stream.uncork()
    })
  }
  const sendNow: Send = (...given) => {
    hold()
    return send(...given)
  }
  const begin: Send = (...given) => {
    const beginning = sendNow(...given)
    begun = beginning
    isWriteWaiting = false
    const settle = () => {
      begun = undefined
    }
    beginning.then(settle, () => {
      settle()
      void client.end()
    })
    return beginning
  }
  return (...given) => {
    const text = String(given[0])
    if (/^(?:begin|start transaction)/.test(text)) return begin(...given)
    if (begun === undefined || (!isWriteWaiting && /^select/i.test(text))) return sendNow(...given)
    isWriteWaiting = true
    return begun.then(() => sendNow(...given))
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
    await allDone(last)
    return answer
  } catch (error) {
    // PostgreSQL makes the commit after a failed statement a rollback, and only the statement tells why.
    await allDone(last)
    throw error
  }
}
