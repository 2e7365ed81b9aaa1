import Database from 'better-sqlite3'
import pg from 'pg'
import { expect, test } from 'vitest'
import { forEachStore, type TestStore } from '../../support/stores.ts'

forEachStore((store) => {
  test('a fresh database is empty, writable and not shared with the next one', async () => {
    const first = await store.createDatabase()
    const second = await store.createDatabase()
    expect(first).not.toBe(second)
    expect(
      await runSql(store, first, 'create table t (n integer)', 'insert into t values (7)', 'select n from t'),
    ).toEqual([{ n: 7 }])
    await expect(runSql(store, second, 'select n from t')).rejects.toThrow()
  })
})

async function runSql(store: TestStore, url: string, ...statements: string[]) {
  let rows: unknown[] = []
  if (store.kind === 'sqlite') {
    const database = new Database(url.slice('sqlite:'.length))
    try {
      for (const statement of statements) {
        const prepared = database.prepare(statement)
        if (prepared.reader) rows = prepared.all()
        else prepared.run()
      }
    } finally {
      database.close()
    }
  } else {
    const client = new pg.Client(url)
    await client.connect()
    try {
      for (const statement of statements) rows = (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }
  return rows
}
