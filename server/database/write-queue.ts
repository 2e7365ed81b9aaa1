import type { Database as Sqlite } from 'better-sqlite3'

interface Shared {
  operation: () => unknown
  resolve: (value: unknown) => void
  reject: (reason: unknown) => void
}

type Outcome = { value: unknown } | { reason: unknown }

/**
 * The one line that all writes of a SQLite file stand in. Small synchronous operations that arrive in the same turn of
 * the event loop share a transaction, a savepoint each, and are answered after its commit (group commit: one fsync for
 * all); anything longer has the writer to itself for a while.
 */
export class WriteQueue {
  readonly #connection: Sqlite
  #tail: Promise<unknown> = Promise.resolve()
  #gathering: Shared[] = []

  constructor(connection: Sqlite) {
    this.#connection = connection
  }

  /** Runs `work` when every write before it is done; no other write starts until it settles. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(work)
    this.#tail = turn.catch(() => undefined)
    return turn
  }

  /** Runs a synchronous operation in a commit shared with others; rejected alone when it throws, with the others when the commit fails. */
  share<T>(operation: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#gathering.push({ operation, resolve: resolve as (value: unknown) => void, reject })
      if (this.#gathering.length === 1) setImmediate(() => void this.alone(async () => this.#commitGathered()))
    })
  }

  #commitGathered(): void {
    const batch = this.#gathering
    this.#gathering = []
    const outcomes: Outcome[] = []
    try {
      this.#connection.exec('begin immediate')
      for (const { operation } of batch) outcomes.push(this.#attempt(operation))
      this.#connection.exec('commit')
    } catch (reason) {
      if (this.#connection.inTransaction) this.#connection.exec('rollback')
      for (const { reject } of batch) reject(reason)
      return
    }
    batch.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index]!
      if ('reason' in outcome) reject(outcome.reason)
      else resolve(outcome.value)
    })
  }

  #attempt(operation: () => unknown): Outcome {
    this.#connection.exec('savepoint operation')
    try {
      const value = operation()
      this.#connection.exec('release operation')
      return { value }
    } catch (reason) {
      this.#connection.exec('rollback to operation; release operation')
      return { reason }
    }
  }
}
