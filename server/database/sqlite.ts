import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import type { Database as Sqlite } from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  SqliteQueryCompiler,
} from 'kysely'
import { hearHere } from '../kit/announcement.ts'
import { fileGone } from '../kit/database-away.ts'
import { letLookApart } from '../kit/looking-apart.ts'
import type { Database, Purpose } from './database.ts'
import { withPreparedStatements } from './prepared-statements.ts'
import { openReadingHere } from './reading-here.ts'
import { openReadingThreads } from './reading-threads.ts'
import { openConnection, openReader } from './sqlite-connection.ts'
import type { Tables } from './tables.ts'
import { WriteQueue } from './write-queue.ts'
import { WriteTurns } from './write-turns.ts'

/** A file of more pages (16 MB) is large: to go through a table of it may take longer than other requests should wait. */
const largePages = 4000

/** SQLite whose transactions take the write lock when they begin, so that two processes never deadlock on an upgrade. */
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #writer: Sqlite
  readonly #config: SqliteDialectConfig
  readonly #turns: WriteTurns
  constructor(writer: Sqlite, turns: WriteTurns) {
    const config = { database: withPreparedStatements(writer) }
    super(config)
    this.#writer = writer
    this.#config = config
    this.#turns = turns
  }
  override createDriver(): Driver {
    return new ImmediateDriver(this.#config, this.#writer, this.#turns)
  }
  override createAdapter() {
    return new TransactionalDdlAdapter()
  }
  override createQueryCompiler() {
    return new CompilerWithoutRowLocks()
  }
}

/** Whose transaction writes has the whole file: SQLite has no locks of rows, and no words for them. */
class CompilerWithoutRowLocks extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode) {
    if (!rowLocks.has(node.modifier)) super.visitSelectModifier(node)
  }
}

const rowLocks: ReadonlySet<unknown> = new Set(['ForUpdate', 'ForNoKeyUpdate', 'ForShare', 'ForKeyShare', 'SkipLocked'])

class ImmediateDriver extends SqliteDriver {
  readonly #writer: Sqlite
  readonly #turns: WriteTurns
  constructor(config: SqliteDialectConfig, writer: Sqlite, turns: WriteTurns) {
    super(config)
    this.#writer = writer
    this.#turns = turns
  }

  override beginTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#turns.take(() => connection.executeQuery(CompiledQuery.raw('begin immediate')))
  }

  /** After an error of the disk SQLite has rolled back by itself: another rollback would fail, and hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#writer.inTransaction) await super.rollbackTransaction(connection)
  }
}

/** SQLite rolls back DDL like anything else: a migration cut off half-way leaves nothing. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

export interface SqliteStore extends Database {
  /** The connection that writes. */
  readonly writer: Sqlite
}

/** Opens a SQLite file (made when absent): WAL, synchronous=FULL, one connection that writes and one that reads. */
export function openSqlite(file: string, purpose: Purpose): SqliteStore {
  makePrivateFile(file)
  const writer = openConnection(file)
  const identity = identityOf(file)
  // What a savepoint might have to take back is kept in memory, not in a file of its own for each transaction.
  writer.pragma('temp_store = memory')
  if (purpose === 'bulk') writer.pragma('wal_autocheckpoint = 0')
  const reader = openReader(file)
  const turns = new WriteTurns()
  const writeKysely = new Kysely<Tables>({ dialect: new ImmediateSqliteDialect(writer, turns) })
  const here = openReadingHere(file, reader)
  // Asked of the writer, which in a transaction has the number at hand: the reader would lock the file for it.
  const pageCount = writer.prepare('pragma page_count').pluck()
  const isLarge = () => purpose === 'serving' && (pageCount.get() as number) > largePages
  const threads = openReadingThreads(file)
  const writes = new WriteQueue()
  let isServing = false
  const transact: SqliteStore['transact'] = (work) => {
    const askedAt = performance.now()
    return writes.alone(() => {
      // Migrations write without a transaction, too, and wait for another process in SQLite: nobody is served yet.
      if (!isServing) writer.pragma('busy_timeout = 0')
      isServing = true
      turns.begin(askedAt)
      return writeKysely.transaction().execute((tx) => {
        if (isLarge()) letLookApart(tx, threads.read)
        return work(tx)
      })
    })
  }
  return {
    kind: 'sqlite',
    read: here.read,
    readAsOne: (from, work) => (from === threads.read ? threads : here).readAsOne(work),
    get readLong() {
      return isLarge() ? threads.read : here.read
    },
    writer,
    schema: writeKysely as unknown as Kysely<unknown>,
    transact,
    transactAtRunTime: transact,
    lendWriter: (work) => writes.alone(work),
    heed(heard) {
      // Announced by a transaction that is still under way: the line of writes goes on when it is committed.
      const stop = hearHere(() => void writes.alone(async () => undefined).then(heard))
      return async () => stop()
    },
    settle() {
      try {
        writer.pragma('wal_checkpoint(passive)')
      } catch {
        // What was written is durable in the log; the next checkpoint tries again.
      }
    },
    async ping() {
      reader.prepare('select 1').get()
      if (identityOf(file) !== identity)
        throw Object.assign(new Error(`the database ${file} was deleted or replaced`), { code: fileGone })
    },
    async close() {
      await writes.alone(async () => undefined)
      await threads.close()
      await here.close()
      await writeKysely.destroy()
      // Kysely closes no connection that it never used; the writer goes last and takes the write-ahead log with it.
      reader.close()
      writer.close()
    },
  }
}

/** Which file it is, whatever its name; undefined where there is none. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}

/**
 * A new database file is its owner's alone, and so is what SQLite puts beside it; one that is there keeps its mode. One that may
 * not be written to is not even opened: SQLite would leave files of its mode beside it, in the way of the next start.
 */
function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch {
    // It is there, or cannot be made: opening it tells which.
  }
  try {
    accessSync(file, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      throw Object.assign(new Error('the file may not be written to'), { code: 'SQLITE_READONLY' })
  }
}
