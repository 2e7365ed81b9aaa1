import { Problem } from './problem.ts'

const codes =
  /^(?:E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|08\w{3}|28\w{3}|3D000|53\w{3}|55000|55P03|57014|57P0\d|58\w{3}|25006|25P0[34]|40(?:001|P01)|SQLITE_(?:BUSY|FULL|IOERR|CANTOPEN|READONLY|LOCKED)(?:_\w+)?)$/
const messages =
  /^connect ENOENT |^timeout exceeded when trying to connect|^Connection terminated|^Client has encountered a connection error|^Client was closed and is not queryable/

/**
 * Whether an error says that the database is away, full, read-only or too busy, so that trying again later may help: an
 * error of the network, a class of SQLSTATE (connection, resources, shutdown, disk), that of a database which is renamed, closed
 * to connections or lets nobody in while somebody works on it, or where a timeout of the server's or a hand ended the
 * statement or its transaction, or PostgreSQL did so that others go on (a deadlock, of a transaction one after each of its
 * tries; a standby that catches up), or a result code of SQLite.
 */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return codes.test(String(code ?? '')) || messages.test(String(message ?? ''))
}

/** The code of the error that a SQLite file is no longer the one that was opened. */
export const fileGone = 'SQLITE_FILE_GONE'

/** What is said of an error by its code: the first that fits. */
const details: [code: RegExp, detail: string][] = [
  // The commit is in the log, and counts if the log is read again before the next one takes its place.
  [
    /^SQLITE_IOERR_(?:DIR_)?FSYNC$/,
    "The database's disk fails, and whether anything was changed will show once that is mended: look then, or ask again under the same Idempotency-Key.",
  ],
  [
    /^(?:SQLITE_(?:FULL|IOERR(?:_\w+)?)|53100|58030)$/,
    "The database's disk is full or fails, and nothing was changed; try again once that is mended.",
  ],
  [
    new RegExp(`^${fileGone}$`),
    "The database's file was deleted or replaced, and what is written now is lost when the server stops: stop it, and put the file back.",
  ],
]

/** What is answered then; with what failed it says whether that is the disk, or the file. */
export function databaseAway(error?: unknown): Problem {
  const code = String((error as { code?: unknown } | undefined)?.code ?? '')
  const detail = details.find(([known]) => known.test(code))?.[1] ?? 'The database is away; try again shortly.'
  return new Problem('server.unavailable', detail, { headers: { 'retry-after': '2' } })
}
