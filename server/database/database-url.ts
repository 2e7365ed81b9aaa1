/** Where the data is: a SQLite file or a PostgreSQL server. */
export type DatabaseLocation = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string }

/** A database URL that cannot be read; the message says which forms can, and never repeats a password. */
export class DatabaseUrlRefused extends Error {}

/** Reads `sqlite:./licet.db` or `postgres://user@host/name`. */
export function readDatabaseUrl(url: string): DatabaseLocation {
  if (url.startsWith('sqlite:')) {
    const file = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')
    if (file === ':memory:')
      throw new DatabaseUrlRefused('licet keeps its data in a file, which several connections open: sqlite:FILE.')
    if (file !== '' && !file.includes('\0')) return { kind: 'sqlite', file }
  }
  if (cutPostgres.test(url))
    throw new DatabaseUrlRefused(
      'The database URL has an @ behind its host: in a user, password or name, / is written %2F, ? %3F, # %23 and @ %40.',
    )
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) {
    if (!isEncoded(url))
      throw new DatabaseUrlRefused(
        'The database URL has a % that begins no percent-encoded character: in a user, password or name, % is written %25.',
      )
    for (const mode of new URL(url).searchParams.getAll('sslmode'))
      if (!modes.includes(mode))
        throw new DatabaseUrlRefused(
          `The database URL has sslmode=${mode}, which there is not: it is one of ${modes.join(', ')}.`,
        )
    return { kind: 'postgres', url: verifying(url) }
  }
  throw new DatabaseUrlRefused(
    'The database URL must be sqlite:FILE (such as sqlite:./licet.db) or postgres://USER@HOST/NAME.',
  )
}

/**
 * An @ behind what is read as the host, but in the value of a parameter: a /, ? or # of the password has cut that short, and what
 * comes before would be looked up, and told, as the host.
 */
const cutPostgres = /^postgres(?:ql)?:\/\/[^/?#]*(?:[/#][^?]*|[/?#][^=]*)@/

/** pg takes any other for verify-full. */
const modes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full']

/** pg takes these modes for verify-full, and says so on every start; it is told at once. */
const verifying = (url: string) =>
  url.includes('uselibpqcompat=')
    ? url
    : url.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full')

function isEncoded(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}
