import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, inject } from 'vitest'

/** A kind of database under test. */
export type TestStore = {
  kind: 'sqlite' | 'postgres'
  /** The URL of a fresh database of this kind, empty or as a template is; it is removed after the tests of its block. */
  createDatabase: (from?: Template) => Promise<string>
  /** What a database holds that nobody is connected to; it lasts as long as the run. */
  takeTemplate: (url: string) => Promise<Template>
}

/** Makes databases that are alike. */
export type Template = { create: () => Promise<{ url: string; remove: () => Promise<void> }> }

type Kind = { empty: Template; takeTemplate: TestStore['takeTemplate'] }

const kinds: Record<TestStore['kind'], Kind> = {
  sqlite: {
    empty: { create: () => createSqliteDatabase() },
    async takeTemplate(url) {
      const content = await readFile(url.slice('sqlite:'.length))
      return { create: () => createSqliteDatabase(content) }
    },
  },
  postgres: {
    empty: { create: () => createPostgresDatabase('template0') },
    async takeTemplate(url) {
      const { url: copy } = await createPostgresDatabase(databaseOf(url))
      return { create: () => createPostgresDatabase(databaseOf(copy)) }
    },
  },
}

/** Describes the same tests once for SQLite and once for PostgreSQL. */
export function forEachStore(defineTests: (store: TestStore) => void) {
  for (const kind of ['sqlite', 'postgres'] as const) describe(kind, () => defineTests(testStore(kind)))
}

/** A kind of database for the tests of the block this is called in. */
export function testStore(kind: TestStore['kind']): TestStore {
  const removals: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const remove of removals) await remove()
  })
  const { empty, takeTemplate } = kinds[kind]
  return {
    kind,
    async createDatabase(from = empty) {
      const { url, remove } = await from.create()
      removals.push(remove)
      return url
    },
    takeTemplate,
  }
}

async function createSqliteDatabase(content?: Uint8Array) {
  const directory = await mkdtemp(join(tmpdir(), 'licet-sqlite-'))
  const file = join(directory, 'licet.db')
  if (content) await writeFile(file, content)
  return { url: `sqlite:${file}`, remove: () => rm(directory, { recursive: true, force: true }) }
}

async function createPostgresDatabase(template: string) {
  const adminUrl = await getAdminUrl()
  const name = `licet_${randomUUID().replaceAll('-', '')}`
  // Copied as files, which takes half as long as through the log.
  await runAsAdmin(adminUrl, `create database ${name} template ${template} strategy file_copy`)
  return {
    url: Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href,
    remove: () => runAsAdmin(adminUrl, `drop database ${name} with (force)`),
  }
}

const databaseOf = (url: string) => new URL(url).pathname.slice(1)

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
