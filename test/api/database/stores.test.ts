import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Migration, Migrator } from 'kysely/migration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { migrate } from '../../../server/database/migrate.ts'
import { migrations } from '../../../server/database/migrations/index.ts'
import { openDatabase } from '../../../server/database/open.ts'
import type { SqliteStore } from '../../../server/database/sqlite.ts'
import { compileOnce } from '../../../server/kit/compiled-query.ts'
import { isDatabaseAway } from '../../../server/kit/database-away.ts'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { forEachStore } from '../../support/stores.ts'

forEachStore((store) => {
  describe('a database', () => {
    let database: Database
    let url: string
    beforeAll(async () => {
      url = await store.createDatabase()
      database = openDatabase(url)
      await migrate(database)
    })
    afterAll(() => database.close())

    const tenant = (id: string) => ({ id, slug: `slug-${id}`, name: id, kind: 'Live' as const, created_at: 1 })
    const held = async () =>
      (await database.read.selectFrom('tenants').select('id').orderBy('id').execute()).map(({ id }) => id)
    const insert = (id: string, fail = false) =>
      database.transact(async (tx) => {
        await tx
          .insertInto('tenants')
          .values(tenant(id) as never)
          .execute()
        if (fail) throw new Error('mine')
        return id
      })

    test('commits what a transaction wrote when it returns, and nothing when it throws', async () => {
      expect(await insert('a')).toBe('a')
      await expect(insert('b', true)).rejects.toThrow('mine')
      expect(await held()).toEqual(['a'])
    })

    test('shows readers the committed state alone, and never has them wait', async () => {
      await database.transact(async (tx) => {
        await tx
          .insertInto('tenants')
          .values(tenant('c') as never)
          .execute()
        expect(await held()).toEqual(['a'])
      })
      expect(await held()).toEqual(['a', 'c'])
    })

    test('answers each of many small reads that are asked at once as if it had been asked alone', async () => {
      const born = compileOnce((read, { id, at }: { id: string; at: number }) =>
        read.selectFrom('tenants').select(['id', 'created_at']).where('id', '=', id).where('created_at', '<=', at),
      )
      await insert('here')
      const ask = (id: string, at: number) => born(database.read, { id, at })
      const asked = Array.from({ length: 300 }, (_, index) =>
        index % 3 === 0 ? ask('here', index) : index % 3 === 1 ? ask('here', 0) : ask(`nobody ${index}`, 1),
      )
      const found = [{ id: 'here', created_at: 1 }]
      expect(await Promise.all(asked)).toEqual(asked.map((_, index) => (index > 0 && index % 3 === 0 ? found : [])))
      expect(await ask('here', 1)).toEqual(found)
    })

    test('gives each of many that ask the same at once rows of its own', async () => {
      const here = compileOnce((read, { id }: { id: string }) =>
        read.selectFrom('tenants').select(['id', 'name']).where('id', '=', id),
      )
      const answers = await Promise.all(Array.from({ length: 60 }, () => here(database.read, { id: 'here' })))
      for (const rows of answers) {
        expect(rows).toEqual([{ id: 'here', name: 'here' }])
        rows[0]!.name = 'changed'
        rows.push({ id: 'other', name: 'other' })
      }
    })

    test.runIf(store.kind === 'postgres')('fails, of many reads, the one that cannot be read', async () => {
      const byName = compileOnce((read, { name }: { name: string }) =>
        read.selectFrom('tenants').select('id').where('name', '=', name),
      )
      const names = ['here', 'no\0such', 'nobody', 'here']
      const answers = await Promise.allSettled(names.map((name) => byName(database.read, { name })))
      expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'refused'))).toEqual([
        [{ id: 'here' }],
        'refused',
        [],
        [{ id: 'here' }],
      ])
    })

    test.runIf(store.kind === 'sqlite')('says that the disk is full, and goes on when it is not', async () => {
      const { writer } = database as SqliteStore
      const before = await held()
      const most = writer.pragma('max_page_count', { simple: true })
      writer.pragma(`max_page_count = ${writer.pragma('page_count', { simple: true })}`)
      const write = database.transact(async (tx) => {
        for (let index = 0; index < 10_000; index++)
          await tx
            .insertInto('tenants')
            .values({ ...tenant(`full ${index}`), name: 'x'.repeat(1000) } as never)
            .execute()
      })
      await expect(write).rejects.toSatisfy(isDatabaseAway)
      writer.pragma(`max_page_count = ${most}`)
      expect(await held()).toEqual(before)
      expect(await insert('after')).toBe('after')
    })

    test('takes fifty writes at once', async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => insert(`m${index}`, index % 2 === 1).catch(() => null)),
      )
      expect((await held()).filter((id) => id.startsWith('m'))).toHaveLength(25)
    })

    test('refuses what refers to nothing, and on PostgreSQL a catalog row that refers to what another tenant has', async () => {
      const stamps = { is_deleted: 0, created_at: 1, updated_at: 1, updated_by: 'me', revision_number: 1 }
      const tag = { id: 'tag', tenant_id: 'a', scope: 'Product', name: 'T', folded_name: 't', color: null, ...stamps }
      const assign = (tenant_id: string, tag_id: string) =>
        database.transact((tx) =>
          tx.insertInto('tag_assignments').values({ tenant_id, record_id: 'any', tag_id }).execute(),
        )
      await database.transact((tx) => tx.insertInto('tags').values(tag).execute())
      await assign('a', 'tag')
      await expect(assign('a', 'other')).rejects.toThrow(/foreign key/i)
      await expect(assign('nobody', 'tag')).rejects.toThrow(/foreign key/i)
      if (store.kind === 'postgres') await expect(assign('c', 'tag')).rejects.toThrow(/foreign key/i)
    })

    test('that is up to date stays as it is', async () => {
      await migrate(database)
      expect(await held()).toContain('a')
    })

    test('of an earlier version is said to be one before it is brought up to date, and no other', async () => {
      const earlier = openDatabase(await store.createDatabase())
      const names = Object.keys(migrations)
      const told: unknown[] = []
      const bringUp = () => migrate(earlier, (...counts) => told.push(counts))
      await new Migrator({
        db: earlier.schema,
        provider: { getMigrations: async () => migrations as Record<string, Migration> },
        migrationTableName: 'licet_migration',
        migrationLockTableName: 'licet_migration_lock',
      }).migrateTo(names.at(-2)!)
      await bringUp()
      await bringUp()
      await earlier.close()
      const fresh = openDatabase(await store.createDatabase())
      await migrate(fresh, (...counts) => told.push(counts))
      await fresh.close()
      expect(told).toEqual([[names.length - 1, names.length]])
    })

    test('of a newer version is refused in words, and left as it is', async () => {
      await database.transact((tx) =>
        tx
          .insertInto('licet_migration' as never)
          .values({ name: '9999-from-the-future', timestamp: new Date(0).toISOString() } as never)
          .execute(),
      )
      await expect(migrate(database)).rejects.toThrow(/newer version of licet/)
      expect(await held()).toContain('a')
    })
  })

  describe('a fresh database that processes start on', () => {
    process.env.LICET_MASTER_KEY ??= randomBytes(32).toString('base64')
    const start = serverProcesses()

    /** Whether the database is whole: its tables there and empty, and one that wants to write there may. */
    async function expectSound(url: string) {
      const database = openDatabase(url)
      await migrate(database)
      expect(await database.read.selectFrom('tenants').selectAll().execute()).toEqual([])
      expect(await database.read.selectFrom('catalog_imports').selectAll().execute()).toEqual([])
      await database.transact((tx) =>
        tx
          .insertInto('tags')
          .columns(['id'])
          .expression((eb) => eb.selectFrom('tags').select('id'))
          .execute(),
      )
      await database.close()
    }

    test('is made once by two that start together', async () => {
      const url = await store.createDatabase()
      const both = [start(url), start(url)]
      await Promise.all(both.map(originOf))
      for (const child of both) child.kill('SIGTERM')
      await Promise.all(both.map((child) => once(child, 'exit')))
      await expectSound(url)
    })

    test('is whole or empty when its making is cut off, and made by the next start', { timeout: 60_000 }, async () => {
      const url = await store.createDatabase()
      const whole = start(await store.createDatabase())
      const begun = performance.now()
      await originOf(whole)
      const millis = performance.now() - begun
      whole.kill('SIGKILL')
      for (const share of [0.6, 0.75, 0.85, 0.95]) {
        const child = start(url)
        await new Promise((resolve) => setTimeout(resolve, millis * share))
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await expectSound(url)
    })
  })
})

describe('what is no database', () => {
  test.each([
    ['a file of something else', Buffer.from('this is a text file, and no database at all. '.repeat(100))],
    ['a database cut off', undefined],
  ])('%s is refused, and left as it is', async (_what, bytes) => {
    const directory = await mkdtemp(join(tmpdir(), 'licet-broken-'))
    const file = join(directory, 'licet.db')
    if (bytes) await writeFile(file, bytes)
    else {
      const database = openDatabase(`sqlite:${file}`)
      await migrate(database)
      await database.close()
      await truncate(file, 8192)
    }
    const before = await readFile(file)
    const attempt = async () => {
      const database = openDatabase(`sqlite:${file}`)
      await migrate(database).finally(() => database.close())
    }
    await expect(attempt()).rejects.toThrow(/not a database|malformed/)
    expect(await readFile(file)).toEqual(before)
    await rm(directory, { recursive: true })
  })
})
