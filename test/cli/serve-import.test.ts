import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freshHome, type Home, licet } from '../support/licet-binary.ts'
import { type Serving, serve, testMasterKey } from '../support/served-environments.ts'
import { requestToken } from '../support/server.ts'
import { forEachStore, type Template } from '../support/stores.ts'

const catalog = (description: string, more = '') =>
  `products:\n  - productCode: PRO\n    name: Pro\n    description: ${description}\n${more}`
const tag = 'tags:\n  - scope: Product\n    name: Hot\n'

type Json = ReturnType<typeof JSON.parse>
const provision = '/api/v1/provision/admin'
const productsPath = `${provision}/products`

forEachStore(({ kind, createDatabase, takeTemplate }) => {
  let template: Template
  let clientId: string
  let clientSecret: string
  beforeAll(async () => {
    const databaseUrl = await createDatabase()
    const env = { LICET_DATABASE_URL: databaseUrl, LICET_MASTER_KEY: testMasterKey }
    await licet(['tenant', 'create', 'acme'], { env })
    const args = ['client', 'create', '--tenant', 'acme', '--name', 'tests', '--scope', 'admin.*:*', '--json']
    ;({ clientId, clientSecret } = (await licet(args, { env })).json())
    template = await takeTemplate(databaseUrl)
  })

  let home: Home
  let env: Record<string, string>
  let running: Serving[]
  beforeEach(async () => {
    home = freshHome()
    env = { LICET_DATABASE_URL: await createDatabase(template), LICET_MASTER_KEY: testMasterKey }
    running = []
    put(catalog('First'))
  })
  afterEach(async () => {
    for (const server of running) await server.stop()
  })

  function put(text: string) {
    mkdirSync(join(home.directory, 'catalog'), { recursive: true })
    writeFileSync(join(home.directory, 'catalog/all.yaml'), text)
  }
  /** Starts the server, asks, stops it; answers what it logged of the import. */
  async function start(ask: (server: Serving) => Promise<void> = async () => undefined, ...args: string[]) {
    const server = await serve(home, env, ['--import', 'catalog', ...args])
    running.push(server)
    expect(server.firstLine).toMatch(/^\{"event":"listening"/)
    await ask(server)
    server.signal('SIGTERM')
    const { stderr } = await server.ended
    const lines = stderr
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    return lines.filter(({ msg }) => /catalog/.test(msg))
  }
  async function ask(server: Serving, method: string, path: string, body?: object): Promise<Json> {
    const tenant = `${server.url}/t/acme`
    const token = await requestToken(tenant, { clientId, clientSecret }, ['admin.*:*'])
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    const answer = await fetch(`${tenant}${path}`, { method, headers, body: body && JSON.stringify(body) })
    expect(answer.ok).toBe(true)
    return answer.status === 204 ? undefined : answer.json()
  }
  const exported = (server: Serving) => ask(server, 'GET', `${provision}/catalog/export`)
  const description = async (server: Serving) => (await exported(server)).products[0].description
  const history = async (server: Serving) => (await ask(server, 'GET', `${provision}/catalog/imports`)).items
  const product = async (server: Serving) => (await ask(server, 'GET', productsPath)).items[0]
  const editByHand = async (server: Serving, body: object) =>
    ask(server, 'PATCH', `${productsPath}/${(await product(server)).id}`, body)

  describe('licet serve --import', { timeout: 120_000 }, () => {
    test('imports before it listens, once for each content, and says so in the log', async () => {
      const [first] = await start(async (server) => {
        expect(await description(server)).toBe('First')
        expect(await history(server)).toMatchObject([
          { importedBy: 'operator', source: expect.stringMatching(/^serve --import sha256:[0-9a-f]{64}$/) },
        ])
        expect((await ask(server, 'GET', `${provision}/catalog/drift`)).items).toEqual([])
      })
      expect(first).toMatchObject({
        level: 30,
        msg: 'the catalog was imported',
        tenant: 'acme',
        summary: { create: 1 },
      })
      const [second] = await start(async (server) => expect(await history(server)).toHaveLength(1))
      expect(second).toMatchObject({ level: 30, msg: 'the catalog was imported before', importId: first.importId })

      put(catalog('Second', tag))
      const [third] = await start(async (server) => expect(await description(server)).toBe('Second'))
      expect(third).toMatchObject({ msg: 'the catalog was imported', summary: { create: 1, update: 1 } })
      put(`# another comment\n${catalog('First')}`)
      const [fourth] = await start(async (server) => expect(await description(server)).toBe('Second'))
      expect(fourth).toMatchObject({ msg: 'the catalog was imported before', importId: first.importId })
    })

    test('leaves it out when it would overwrite what somebody edited since, serves all the same, and overwrites when told', async () => {
      await start((server) => editByHand(server, { description: 'By hand' }))
      put(catalog('Second'))
      const [warning] = await start(async (server) => expect(await description(server)).toBe('By hand'))
      expect(warning).toMatchObject({
        level: 40,
        msg: 'the catalog was left out: importing it would overwrite later edits (--import-overwrite does)',
        edited: [{ key: 'product:PRO', changedAt: expect.any(String), changedBy: `client:${clientId}` }],
      })
      const [overwritten] = await start(
        async (server) => expect(await description(server)).toBe('Second'),
        '--import-overwrite',
      )
      expect(overwritten).toMatchObject({ msg: 'the catalog was imported' })
    })

    test('into the tenant that is meant', async () => {
      await licet(['tenant', 'create', 'second'], { home, env })
      const [imported] = await start(undefined, '--default-tenant', 'second')
      expect(imported).toMatchObject({ tenant: 'second', summary: { create: 1 } })
    })

    test('several that start at once import once', async () => {
      const servers = await Promise.all([1, 2, 3].map(() => serve(home, env, ['--import', 'catalog'])))
      running.push(...servers)
      expect(await history(servers[0]!)).toHaveLength(1)
    })
  })

  // What keeps it from starting is found before any store is asked to keep something: one is enough.
  if (kind === 'postgres') return
  describe('it does not start', { timeout: 120_000 }, () => {
    const refused = async (...args: string[]) => {
      const ended = await licet(['serve', '--port', '0', '--import', 'catalog', ...args], { home, env })
      expect([ended.exitCode, ended.stdout]).toEqual([1, ''])
      return ended.stderr
    }

    test('on files that are unsound: each finding at its line', async () => {
      put(`${catalog('First')}    colour: red\n`)
      expect(await refused()).toMatch(/catalog\/all\.yaml:5:\d+.*colour/s)
    })

    test('on files that could not be imported: each error at its line', async () => {
      put(catalog('First', 'plans:\n  - suiteCode: NOWHERE\n    name: X\n    plans: []\n'))
      const stderr = await refused()
      expect(stderr).toMatch(/tenant acme would refuse catalog/)
      expect(stderr).toMatch(/catalog\/all\.yaml:6:\d+.*there is no suite:NOWHERE/s)
    })

    test('without files', async () => {
      rmSync(join(home.directory, 'catalog'), { recursive: true })
      expect(await refused()).toMatch(/catalog/)
    })

    test('when it is not clear which tenant is meant, or there is none of that name', async () => {
      await licet(['tenant', 'create', 'second'], { home, env })
      expect(await refused()).toMatch(/There are 2 tenants to import into: --default-tenant SLUG says which/)
      expect(await refused('--default-tenant', 'third')).toMatch(
        /There is no tenant "third" to import into: licet tenant create third/,
      )
    })

    test('--import-overwrite alone is wrong usage', async () => {
      const ended = await licet(['serve', '--import-overwrite'], { home, env })
      expect(ended.exitCode).toBe(64)
    })
  })
})
