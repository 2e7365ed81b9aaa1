import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** A transaction that may write; every write function takes one, so none can step outside it. */
export type Tx = Transaction<Tables>
/** Anything that can be read from: the committed state, or a transaction's own view. */
export type Readable = Kysely<Tables> | Tx

/** What a store is opened for: many small requests at a time, or one long piece of work after another. */
export type Purpose = 'serving' | 'bulk'

/**
 * The store, SQLite or PostgreSQL. An acknowledged write is durable (SQLite: WAL with synchronous=FULL; PostgreSQL:
 * synchronous_commit=on where it is off).
 */
export interface Database {
  readonly kind: 'sqlite' | 'postgres'
  /** The committed state; never waits for a writer. */
  readonly read: Kysely<Tables>
  /**
   * The same for what may go through very many rows, such as a list, each statement of a moment of its own. SQLite reads on
   * the thread that asks, and no other request is answered meanwhile: a large file is read on threads of their own.
   */
  readonly readLong: Kysely<Tables>
  /** Reads what belongs together as of one moment, though others write between two statements. */
  readAsOne<T>(from: Kysely<Tables>, work: (read: Kysely<Tables>) => Promise<T>): Promise<T>
  /** Runs a back-office write in a transaction of its own: committed when it returns, rolled back when it throws. */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same for what applications ask at run time: on PostgreSQL over connections of its own, as the back office's may all
   * wait for a large import.
   */
  transactAtRunTime<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * SQLite has one writer: while `work` runs, this thread starts no write, so that another thread may. Everywhere
   * else it just runs.
   */
  lendWriter<T>(work: () => Promise<T>): Promise<T>
  /**
   * Tidies up after a large write, in this thread, while others read and write: SQLite moves its write-ahead log into the
   * file, which a store opened for bulk never does while it has the writer. Everywhere else it does nothing.
   */
  settle(): void
  /**
   * Calls `heard` soon after something was announced (kit/outbox.ts) and committed, in whatever process; now and then for
   * nothing, and not while the database is away: who waits looks by itself as well. Ends with what it answers.
   */
  heed(heard: () => void): () => Promise<void>
  /** For migrations alone: a connection that may change tables. */
  readonly schema: Kysely<unknown>
  /** Whether the database answers. */
  ping(): Promise<void>
  close(): Promise<void>
}
