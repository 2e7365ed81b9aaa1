import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, inject } from 'vitest'

/** A kind of database under test. */
export type TestStore = {
  kind: 'sqlite' | 'postgres'
  /** The URL of a fresh, empty database of this kind; it is removed after the tests of its `forEachStore` block. */
  createDatabase: () => Promise<string>
}

/** Describes the same tests once for SQLite and once for PostgreSQL. */
export function forEachStore(defineTests: (store: TestStore) => void) {
  for (const [kind, create] of [
    ['sqlite', createSqliteDatabase],
    ['postgres', createPostgresDatabase],
  ] as const) {
    describe(kind, () => {
      const removals: (() => Promise<void>)[] = []
      afterAll(async () => {
        for (const remove of removals) await remove()
      })
      defineTests({
        kind,
        createDatabase: async () => {
          const { url, remove } = await create()
          removals.push(remove)
          return url
        },
      })
    })
  }
}

async function createSqliteDatabase() {
  const directory = await mkdtemp(join(tmpdir(), 'licet-sqlite-'))
  return {
    url: `sqlite:${join(directory, 'licet.db')}`,
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

async function createPostgresDatabase() {
  const adminUrl = await getAdminUrl()
  const name = `licet_${randomUUID().replaceAll('-', '')}`
  await runAsAdmin(adminUrl, `create database ${name} template template0`)
  return {
    url: Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href,
    remove: () => runAsAdmin(adminUrl, `drop database ${name} with (force)`),
  }
}

async function getAdminUrl() {
  const answer = await fetch(inject('postgresStarter'))
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

async function runAsAdmin(adminUrl: string, statement: string) {
  const client = new pg.Client(adminUrl)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
