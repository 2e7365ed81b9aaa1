import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../../server/database/migrate.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { DatabaseUnfit, requireFitPostgres } from '../../../server/database/requirements.ts'
import { forEachStore } from '../../support/stores.ts'

async function run(url: string, ...statements: string[]) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** What migrating says, of a database that is opened and closed for it. */
async function migrated(url: string): Promise<string> {
  const database = openDatabase(url)
  try {
    return await migrate(database).then(
      () => 'migrated',
      (error: unknown) => {
        if (error instanceof DatabaseUnfit) return error.message
        throw error
      },
    )
  } finally {
    await database.close()
  }
}

const inSchema = (url: string, schema: string) => `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`

/** The process that serves each of two connections, at each time it is asked: one of its own, unless told. */
type Backends = (connection: 0 | 1, time: number) => number

/** A connection pool of a PostgreSQL that answers this of itself, and fails at the second of two that keep a statement. */
function reading(
  nature: object,
  failure?: string,
  backends: Backends = (connection) => connection,
): Parameters<typeof requireFitPostgres>[0] {
  let asked = 0
  let lent = 0
  const connect = (connection: 0 | 1) => ({
    async executeQuery() {
      if (failure && asked > 0) throw Object.assign(new Error('prepared statement'), { code: failure })
      return { rows: [{ backend: backends(connection, asked++), probe: 1 }] }
    },
  })
  return {
    executeQuery: async () => ({
      rows: [{ version: '17.2', number: 170_002, encoding: 'UTF8', schema: 's', ...nature }],
    }),
    connection: () => ({ execute: (work: (connection: object) => unknown) => work(connect(lent++ as 0 | 1)) }),
  } as never
}

test('a PostgreSQL that is too old is refused, and the oldest that will do is not', async () => {
  await expect(requireFitPostgres(reading({ version: '11.22', number: 110_022 }))).rejects.toThrow(
    'licet needs PostgreSQL 12 or newer; this is PostgreSQL 11.22.',
  )
  await expect(requireFitPostgres(reading({ version: '12.0', number: 120_000 }))).resolves.toBe('s')
})

test.each(['42P05', '26000'])('a pooler that gives connections away is refused (%s)', async (code) => {
  await expect(requireFitPostgres(reading({}, code))).rejects.toThrow(/pool_mode=session/)
  await expect(requireFitPostgres(reading({}, '57P01'))).rejects.toMatchObject({ code: '57P01' })
})

test.each<[string, Backends]>([
  ['the one it got back last', () => 7],
  ['the one it got back first, of two', (_connection, time) => time % 2],
  ['the one it got back first, of many', (_connection, time) => time],
  ['one that another client needed meanwhile', (connection, time) => (time > 3 ? 7 : connection)],
])('a pooler that keeps statements for each client, and gives out %s, is refused', async (_which, backends) => {
  await expect(requireFitPostgres(reading({}, undefined, backends))).rejects.toThrow(/pool_mode=session/)
})

forEachStore((store) => {
  test.runIf(store.kind === 'postgres')('a database that keeps bytes instead of text is refused', async () => {
    const url = new URL(await store.createDatabase())
    const name = `${url.pathname.slice(1)}_bytes`
    await run(
      url.href,
      `create database ${name} encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
    )
    onTestFinished(() => run(url.href, `drop database ${name} with (force)`))
    const bytes = Object.assign(new URL(url), { pathname: `/${name}` }).href
    expect(await migrated(bytes)).toMatch(
      /^licet needs a database whose encoding is UTF8; that of this one is SQL_ASCII/,
    )
  })

  test.runIf(store.kind === 'postgres')('two installations live in two schemas of one database', async () => {
    const url = await store.createDatabase()
    await run(url, 'create schema other')
    for (const schema of ['other', 'public', 'other']) expect(await migrated(inSchema(url, schema))).toBe('migrated')
    await run(inSchema(url, 'other'), 'insert into installation values ($$here$$, $$other$$)')
    const database = openDatabase(url)
    onTestFinished(() => database.close())
    expect(await database.read.selectFrom('installation').select('name').where('name', '=', 'here').execute()).toEqual(
      [],
    )
  })

  test.runIf(store.kind === 'postgres')('a search_path to nowhere is said', async () => {
    expect(await migrated(inSchema(await store.createDatabase(), 'nowhere'))).toMatch(/^No schema/)
  })

  test.runIf(store.kind === 'postgres')(
    'whoever waited for a row sees it as it was left, whatever the default is',
    async () => {
      const url = await store.createDatabase()
      await run(
        url,
        `alter database ${new URL(url).pathname.slice(1)} set default_transaction_isolation = 'serializable'`,
      )
      const database = openDatabase(url)
      onTestFinished(() => database.close())
      await migrate(database)
      await database.transact((tx) => tx.insertInto('installation').values({ name: 'count', value: '0' }).execute())
      const add = () =>
        database.transact(async (tx) => {
          const row = tx.selectFrom('installation').select('value').where('name', '=', 'count').forUpdate()
          const { value } = await row.executeTakeFirstOrThrow()
          await tx
            .updateTable('installation')
            .set({ value: `${Number(value) + 1}` })
            .where('name', '=', 'count')
            .execute()
        })
      await Promise.all(Array.from({ length: 8 }, add))
      const kept = database.read.selectFrom('installation').select('value').where('name', '=', 'count')
      expect(await kept.execute()).toEqual([{ value: '8' }])
    },
  )
})
