import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../../server/database/migrate.ts'
import { openDatabase } from '../../../server/database/open.ts'
import type { Tables } from '../../../server/database/tables.ts'
import { lookApart } from '../../../server/kit/looking-apart.ts'
import { enlarge, statementsHere } from '../../support/large-file.ts'
import { startTestServer } from '../../support/server.ts'
import { forEachStore } from '../../support/stores.ts'

forEachStore((store) => {
  async function openMigrated() {
    const url = await store.createDatabase()
    const database = openDatabase(url)
    onTestFinished(() => database.close())
    await migrate(database)
    return { url, database }
  }

  test('what is small, or PostgreSQL, is read where everything is read', async () => {
    const { database } = await openMigrated()
    expect(database.readLong).toBe(database.read)
    await database.transact(async (tx) => expect(lookApart(tx)).toBe(tx))
  })

  if (store.kind === 'postgres') return

  const countFar = (read: Kysely<Tables>) =>
    sql<{ n: number }>`with recursive c (n) as (select 1 union all select n + 1 from c where n < 300000)
select max(n) as n from c`.execute(read)

  async function openLarge() {
    const { url, database } = await openMigrated()
    enlarge(url)
    return database
  }

  test('a large file is read on another thread: this one goes on meanwhile', async () => {
    const database = await openLarge()
    const { readLong } = database
    expect(readLong).not.toBe(database.read)
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    count()
    const answers = await Promise.all([countFar(readLong), countFar(readLong), countFar(readLong)])
    isOver = true
    expect(answers.map(({ rows }) => rows)).toEqual(Array(3).fill([{ n: 300_000 }]))
    expect(turns).toBeGreaterThan(3)
  })

  test('it reads what was committed a moment before, and tells why it cannot', async () => {
    const database = await openLarge()
    for (let round = 0; round < 20; round++) {
      const row = { name: `round ${round}`, value: 'Ünïcode' }
      await database.transact((tx) => tx.insertInto('installation').values(row).execute())
      const found = database.readLong.selectFrom('installation').selectAll().where('name', '=', row.name)
      expect(await found.where(sql<boolean>`licet_fold(value) = 'ünïcode'`).execute()).toEqual([row])
    }
    await expect(sql`select nosuch`.execute(database.readLong)).rejects.toMatchObject({
      message: 'no such column: nosuch',
      code: 'SQLITE_ERROR',
    })
    await expect(sql`delete from installation`.execute(database.readLong)).rejects.toThrow()
    expect((await sql`select 1 as one`.execute(database.readLong)).rows).toEqual([{ one: 1 }])
  })

  test.each([
    ['on another thread', openLarge, 'readLong'],
    ['on this thread', async () => (await openMigrated()).database, 'read'],
  ] as const)(
    'what belongs together is read as of one moment, and the next as of a later one, %s',
    async (_, open, from) => {
      const database = await open()
      const nameAll = async (read: Kysely<Tables>) =>
        (await read.selectFrom('installation').select('name').where('name', 'like', 'moment%').execute()).length
      const add = (name: string) =>
        database.transact((tx) => tx.insertInto('installation').values({ name, value: '' }).execute())
      for (let round = 0; round < 3; round++) {
        const [first, second, beside] = await database.readAsOne(database[from], async (read) => {
          const before = await nameAll(read)
          await add(`moment ${round}`)
          return [before, await nameAll(read), await nameAll(database[from])]
        })
        expect([first, second, beside]).toEqual([round, round, round + 1])
      }
      const failing = database.readAsOne(database[from], (read) => sql`select nosuch`.execute(read))
      await expect(failing).rejects.toThrow('no such column')
      expect(await database.readAsOne(database[from], nameAll)).toBe(3)
      const many = Array.from({ length: 40 }, () => database.readAsOne(database[from], nameAll))
      expect(await Promise.all(many)).toEqual(Array(40).fill(3))
    },
  )

  test('a moment on another thread is read of no more when it is over', async () => {
    const database = await openLarge()
    const late = await database.readAsOne(database.readLong, async (read) => () => countFar(read))
    await expect(late()).rejects.toThrow('is over')
  })

  test('a transaction that looks apart finds what was committed before it began', async () => {
    const database = await openLarge()
    await database.transact(async (tx) => {
      await tx.insertInto('installation').values({ name: 'mine', value: '' }).execute()
      const names = await lookApart(tx).selectFrom('installation').select('name').execute()
      expect(names.map(({ name }) => name)).toContain('padding')
      expect(names.map(({ name }) => name)).not.toContain('mine')
    })
  })

  test('lists of a large file are read there, over REST and tRPC, and answered as ever', async () => {
    const server = await startTestServer(store)
    onTestFinished(() => server.close())
    const list = '/api/v1/provision/admin/tags?filter=name@=*sm&sortOrder=-name'
    for (const name of ['Small', 'Smart', 'Other'])
      await server.api('POST', '/api/v1/provision/admin/tags', { body: { scope: 'Product', name } })
    const before = await server.api('GET', list)
    expect(before.body.items.map(({ name }: { name: string }) => name)).toEqual(['Smart', 'Small'])
    enlarge(server.databaseUrl)
    const here = statementsHere()
    const input = encodeURIComponent(JSON.stringify({ filter: 'name@=*sm', sortOrder: '-name' }))
    expect((await server.api('GET', list)).body).toEqual(before.body)
    expect((await server.api('GET', `/trpc/admin.tags.list?input=${input}`)).body.result.data).toEqual(before.body)
    expect((await server.api('GET', `${list.replace('name@', 'nothing@')}`)).status).toBe(400)
    expect(here.filter((text) => text.includes('from "tags"'))).toEqual([])
  })
})
