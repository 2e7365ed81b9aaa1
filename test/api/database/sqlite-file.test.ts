import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import SqliteConnection from 'better-sqlite3'
import { test as everyTest, expect, onTestFinished } from 'vitest'
import { migrate } from '../../../server/database/migrate.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const test = everyTest.runIf(store.kind === 'sqlite')
  const fileOf = () => server.databaseUrl.slice('sqlite:'.length)
  const newCustomer = (name: string) => server.api('POST', '/api/v1/provision/admin/customers', { body: { name } })
  const statusOf = async (probe: string) => (await fetch(`${server.origin}/${probe}`)).status

  test('while another process writes, what does not write is answered, and what does waits', async () => {
    const other = new SqliteConnection(fileOf())
    other.exec('begin immediate')
    let written = 0
    const writes = ['One', 'Two'].map(async (name) => {
      const { status } = await newCustomer(name)
      written++
      return status
    })
    for (let asked = 0; asked < 20; asked++) {
      expect(await statusOf('healthz')).toBe(200)
      expect((await server.api('GET', '/api/v1/provision/admin/customers')).status).toBe(200)
    }
    expect(written).toBe(0)
    other.exec('commit')
    other.close()
    expect(await Promise.all(writes)).toEqual([200, 200])
  })

  test('whoever waits for that too long is told so, and all who do at once', async () => {
    const other = new SqliteConnection(fileOf())
    other.exec('begin immediate')
    const told: number[] = []
    const answers = await Promise.all(
      ['Three', 'Four', 'Five'].map(async (name) => {
        const answer = await newCustomer(name)
        told.push(performance.now())
        return answer
      }),
    )
    // One after another they would wait for seconds each.
    expect(Math.max(...told) - Math.min(...told)).toBeLessThan(2500)
    other.exec('commit')
    other.close()
    expect(answers.map(({ status, body }) => [status, body.codeName])).toEqual(
      answers.map(() => [503, 'server.unavailable']),
    )
    expect((await newCustomer('Three')).status).toBe(200)
  })

  test('the log that one large transaction has made large is cut down again', async () => {
    const other = new SqliteConnection(fileOf())
    other.pragma('wal_autocheckpoint = 0')
    other.exec(
      'begin; create table large (content); insert into large values (zeroblob(90000000)); drop table large; commit',
    )
    const logSize = () => statSync(`${fileOf()}-wal`).size
    expect(logSize()).toBeGreaterThan(90_000_000)
    // The first moves it into the file, the second begins it anew.
    for (const name of ['Six', 'Seven']) expect((await newCustomer(name)).status).toBe(200)
    other.close()
    expect(logSize()).toBeLessThanOrEqual(64 * 1024 * 1024)
  })

  test('a start on a new file waits for another process that writes to it', async () => {
    const url = await store.createDatabase()
    const other = spawn(process.execPath, ['-e', holding, url.slice('sqlite:'.length)], {
      cwd: import.meta.dirname,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(other.stdout, 'data')
    const begun = performance.now()
    const database = openDatabase(url)
    await migrate(database).finally(() => database.close())
    // The other held it for a second.
    expect(performance.now() - begun).toBeGreaterThan(500)
    await once(other, 'exit')
  })

  test('what cannot be read together as the file is away is read once it is back, and no other file is made', async () => {
    const url = await store.createDatabase()
    const database = openDatabase(url)
    onTestFinished(() => database.close())
    await migrate(database)
    const readTogether = () =>
      database.readAsOne(database.read, (read) => read.selectFrom('tenants').selectAll().execute())
    const file = url.slice('sqlite:'.length)
    await rename(file, `${file}.elsewhere`)
    const asked = await Promise.allSettled(Array.from({ length: 10 }, readTogether))
    expect(asked.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
    expect(existsSync(file)).toBe(false)
    await rename(`${file}.elsewhere`, file)
    expect(await Promise.all(Array.from({ length: 10 }, readTogether))).toEqual(Array(10).fill([]))
  })

  test('a server whose file was taken away is not ready', async () => {
    expect(await statusOf('readyz')).toBe(200)
    await rename(fileOf(), `${fileOf()}.elsewhere`)
    expect(await statusOf('readyz')).toBe(503)
    await rename(`${fileOf()}.elsewhere`, fileOf())
    expect(await statusOf('readyz')).toBe(200)
  })
})

/** Takes the write lock of a file, says so, and lets go after a second. */
const holding = `
const database = new (require('better-sqlite3'))(process.argv[1])
database.pragma('journal_mode = wal')
database.exec('begin immediate')
console.log('held')
setTimeout(() => database.close(), 1000)
`
