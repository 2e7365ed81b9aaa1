import { CompiledQuery, type Kysely } from 'kysely'
import { recurs } from '../kit/compiled-query.ts'
import type { Tables } from './tables.ts'

/** A PostgreSQL that licet cannot do its work on; the message says why, in words for an operator. */
export class DatabaseUnfit extends Error {}

/** The first version that has all that our statements say. */
const oldest = 12

interface Nature {
  version: string
  number: number
  encoding: string
  schema: string | null
}

/**
 * Refuses a PostgreSQL on which statements would fail later, or worse: one that is too old, compares text byte by byte, or
 * stands behind a pooler that gives a connection to another client between two statements. Answers the schema of our
 * tables: where they are, or where they would be made.
 */
export async function requireFitPostgres(read: Kysely<Tables>): Promise<string> {
  const { version, number, encoding, schema } = await natureOf(read)
  if (number < oldest * 10_000)
    throw new DatabaseUnfit(`licet needs PostgreSQL ${oldest} or newer; this is PostgreSQL ${version}.`)
  if (encoding !== 'UTF8')
    throw new DatabaseUnfit(
      `licet needs a database whose encoding is UTF8; that of this one is ${encoding}: create database NAME encoding 'UTF8' template template0.`,
    )
  if (schema === null)
    throw new DatabaseUnfit('No schema that the search_path of this user names is there: create schema NAME.')
  await requireOwnConnections(read)
  return schema
}

async function natureOf(read: Kysely<Tables>): Promise<Nature> {
  const { rows } = await read.executeQuery<Nature>(
    CompiledQuery.raw(`select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
current_setting('server_encoding') as encoding, coalesce((select n.nspname from pg_class as c join pg_namespace as n
on n.oid = c.relnamespace where c.oid = to_regclass('licet_migration')), current_schema()) as schema`),
  )
  return rows[0]!
}

const probe = recurs('select pg_backend_pid() as backend, $1::int as probe')
/** How PostgreSQL says that a kept statement is not there, or is there already: another client's. */
const strangers = new Set(['26000', '42P05'])

const sharing = () =>
  new DatabaseUnfit(
    'The pooler before this PostgreSQL gives a connection to another client between statements or transactions; licet needs each for a session: pool_mode=session in pgbouncer, or no pooler.',
  )

/**
 * Two connections keep the same statement under the same name, each by itself, and each is served by a process of its own: where
 * they cannot, or are not, they share one. A pooler that keeps statements for each client (pgbouncer's max_prepared_statements)
 * is found by the processes alone; asked twice in a row, and by turns, as it gives out the connection it got back last or first.
 */
async function requireOwnConnections(read: Kysely<Tables>): Promise<void> {
  try {
    await read.connection().execute((one) =>
      read.connection().execute(async (other) => {
        const backends = new Map<unknown, number>()
        for (const connection of [one, one, other, other, one, other]) {
          const { rows } = await connection.executeQuery<{ backend: number }>(CompiledQuery.raw(probe, [1]))
          const { backend } = rows[0]!
          if ((backends.get(connection) ?? backend) !== backend) throw sharing()
          backends.set(connection, backend)
        }
        if (backends.get(one) === backends.get(other)) throw sharing()
      }),
    )
  } catch (error) {
    if (strangers.has(String((error as { code?: unknown }).code))) throw sharing()
    throw error
  }
}
