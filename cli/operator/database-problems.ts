import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemRefusal } from '../ending.ts'
import { Problem } from '../problems.ts'

/** Refusals of the server's own whose message is one line for an operator. */
const refusals = new Set(['DatabaseUnfit', 'MigrationFailed', 'MasterKeyRefused', 'TenantRefused', 'ClientRefused'])

/** Refusals of what would do in no database. */
const usageRefusals = new Set(['DatabaseUrlRefused', 'TenantUnfit', 'ClientUnfit'])

const sqlite: Record<string, string> = {
  SQLITE_NOTADB: 'is not a SQLite database',
  SQLITE_CANTOPEN: 'cannot be opened',
  SQLITE_READONLY: 'cannot be written to',
  SQLITE_BUSY: 'is being written to by another process, which does not let go',
  SQLITE_CORRUPT: 'is damaged',
  SQLITE_FULL: 'cannot grow: no space is left on the device',
  SQLITE_IOERR: 'or what lies beside it cannot be read or written: its disk fails, or is full',
  SQLITE_PERM: 'may not be opened by this user',
}

/** What the file system may be the reason of. */
const notLet = new Set(['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM'])

/** What keeps this process from a database file, or from making files beside it, as the file system tells it. */
function barrierTo(file: string): { why: string; hint?: string } | undefined {
  if (existsSync(file) && statSync(file).isDirectory()) return { why: ': it is a directory' }
  const hint = 'let this user write there, or name another place: --database URL or LICET_DATABASE_URL'
  for (const [path, where] of [
    [file, ''],
    [`${file}-wal`, ' by the -wal file beside it'],
    [`${file}-shm`, ' by the -shm file beside it'],
    [dirname(file), ' in its directory'],
  ] as const)
    try {
      if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    } catch (error) {
      return { why: `: ${systemRefusal(String((error as NodeJS.ErrnoException).code))}${where}`, hint }
    }
  return undefined
}

const postgres: Record<string, string> = {
  '28P01': 'does not accept this user with this password',
  '28000': 'does not accept this user',
  '3D000': 'has no database of that name',
  '53300': 'has no connection left',
  '57P03': 'is starting or going down',
  ECONNREFUSED: 'refused the connection: is it running, and the port right?',
  ENOTFOUND: 'has no address: is the name right?',
  ETIMEDOUT: 'does not answer',
  ECONNRESET: 'closed the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  EAI_AGAIN: 'has no address for now: is there a network?',
}

/** What PostgreSQL says of how it is reached, set up or kept, and not of our statements: told in its own words. */
const circumstances = /^(?:08|25|28|3D|3F|40|53|55|57|58)\w{3}$|^42501$/

/** What pg says without a code, or TLS with one of many. */
const sayings: [RegExp, string][] = [
  [/password must be a (?:non-empty )?string/, 'wants a password: LICET_DATABASE_URL or PGPASSWORD gives it'],
  [/does not support SSL|establishing an SSL connection/, 'offers no TLS, which sslmode demands'],
  [
    /self-signed certificate|unable to (?:verify|get)|certificate has expired|does not match certificate/,
    'has a certificate that is not trusted: sslrootcert=FILE in the URL names who signed it',
  ],
  [/^connect ENOENT/, 'has no socket there: is it running, and the directory right?'],
  [/^connect EACCES/, 'keeps this user from its socket'],
  [/^timeout expired|connection timeout|^timeout exceeded/, 'does not answer'],
  [/^Connection terminated/, 'closed the connection'],
]

/** Why a database could not be opened, migrated or unsealed, as a problem of one line; what is none of these stays as it is. */
export function databaseProblem(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || error instanceof Problem) return error
  const { name } = error.constructor
  if (usageRefusals.has(name)) return new Problem('cli.usage', error.message, { cause: error })
  if (refusals.has(name)) return new Problem('cli.failed', error.message, { cause: error })
  const code = codeOf(error)
  if (url.startsWith('sqlite:')) {
    const file = url.slice('sqlite:'.length)
    if (/directory does not exist/.test(error.message))
      return new Problem('cli.input', `The database ${file} cannot be made: its directory does not exist.`, {
        cause: error,
      })
    const kind = code.split('_').slice(0, 2).join('_')
    const meaning = sqlite[kind]
    if (meaning === undefined) return error
    const barred = notLet.has(kind) ? barrierTo(file) : undefined
    return new Problem('cli.input', `The database ${file} ${meaning}${barred?.why ?? ''}.`, {
      ...(barred?.hint && { hint: barred.hint }),
      cause: error,
    })
  }
  const meaning = postgres[code]
  const told = meaning ? `${meaning} (${code})` : saidBy(error, code)
  return told === undefined
    ? error
    : new Problem('cli.input', `PostgreSQL at ${hostOf(url)} ${told}.`, { cause: error })
}

function saidBy({ message }: Error, code: string): string | undefined {
  if (circumstances.test(code)) return `says: ${message} (${code})`
  const [, told] = sayings.find(([saying]) => saying.test(message)) ?? []
  return told && (code ? `${told} (${code})` : told)
}

function codeOf(error: Error): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  const code = (first as { code?: unknown }).code ?? (error.cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : ''
}

function hostOf(url: string): string {
  const { host, searchParams } = URL.canParse(url) ? new URL(url) : { host: '', searchParams: new URLSearchParams() }
  return host || searchParams.get('host') || 'that address'
}
