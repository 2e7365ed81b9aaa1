import { rename } from 'node:fs/promises'
import SqliteConnection from 'better-sqlite3'
import { test as everyTest, expect } from 'vitest'
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
    const answers = await Promise.all(['Three', 'Four', 'Five'].map(newCustomer))
    other.exec('commit')
    other.close()
    expect(answers.map(({ status, body }) => [status, body.codeName])).toEqual(
      answers.map(() => [503, 'server.unavailable']),
    )
    expect((await newCustomer('Three')).status).toBe(200)
  })

  test('a server whose file was taken away is not ready', async () => {
    expect(await statusOf('readyz')).toBe(200)
    await rename(fileOf(), `${fileOf()}.elsewhere`)
    expect(await statusOf('readyz')).toBe(503)
    await rename(`${fileOf()}.elsewhere`, fileOf())
    expect(await statusOf('readyz')).toBe(200)
  })
})
