import SqliteConnection, { type Database as Sqlite } from 'better-sqlite3'
import { foldText } from '../../catalog-schema/folding.ts'
import { amountFunction, amountKey } from '../kit/filter/amounts.ts'
import { foldFunction } from '../kit/filter/folding.ts'

const busyTimeoutMillis = 5000
/** So many pages (32 MB) are in the write-ahead log before they are moved into the file, which waits for the disk: what changes again and again is moved once. */
const pagesOfLog = 8000
/** What the log's file is cut down to (bytes) where one large transaction has made it larger: as it is written from its start again. */
const logSizeLimit = 64 * 1024 * 1024

/** Opens a connection to a SQLite file: WAL, synchronous=FULL. */
export function openConnection(file: string, { fileMustExist = false } = {}): Sqlite {
  const connection = new SqliteConnection(file, { timeout: busyTimeoutMillis, fileMustExist })
  try {
    setUp(connection)
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

function setUp(connection: Sqlite): void {
  connection.pragma('journal_mode = wal')
  connection.pragma('synchronous = full')
  connection.pragma(`wal_autocheckpoint = ${pagesOfLog}`)
  connection.pragma(`journal_size_limit = ${logSizeLimit}`)
  connection.pragma('foreign_keys = on')
  connection.function(foldFunction, { deterministic: true }, (text) =>
    typeof text === 'string' ? foldText(text) : text,
  )
  connection.function(amountFunction, { deterministic: true }, amountKey)
}

/** Opens one that only reads: where the file has gone, it makes none. */
export function openReader(file: string): Sqlite {
  const reader = openConnection(file, { fileMustExist: true })
  reader.pragma('query_only = on')
  return reader
}
