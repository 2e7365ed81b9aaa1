import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshHome, type Home, licet } from '../support/licet-binary.ts'
import { type Serving, serve, testMasterKey } from '../support/served-environments.ts'
import { forEachStore } from '../support/stores.ts'

const catalog = (description: string, more = '') =>
  `products:\n  - productCode: PRO\n    name: Pro\n    description: ${description}\n${more}`
const tag = 'tags:\n  - scope: Product\n    name: Hot\n'

forEachStore(({ createDatabase }) => {
  let home: Home
  let env: Record<string, string>
  let running: Serving[]
  beforeEach(async () => {
    home = freshHome()
    env = { LICET_DATABASE_URL: await createDatabase(), LICET_MASTER_KEY: testMasterKey }
    running = []
    await licet(['tenant', 'create', 'acme'], { home, env })
    const args = ['client', 'create', '--tenant', 'acme', '--name', 'tests', '--scope', 'admin.*:*', '--json']
    const { clientId, clientSecret } = (await licet(args, { home, env })).json()
    Object.assign(env, { LICET_CLIENT_ID: clientId, LICET_CLIENT_SECRET: clientSecret })
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
  const run = async (server: Serving, ...args: string[]) => {
    const ended = await licet([...args, '--json'], { home, env: { ...env, LICET_URL: `${server.url}/t/acme` } })
    return ended.json()
  }
  const description = async (server: Serving) => (await run(server, 'catalog', 'export', '-')).products[0].description
  const history = async (server: Serving) => (await run(server, 'catalog', 'history')).imports
  async function editByHand(server: Serving, body: object) {
    const path = '/api/v1/provision/admin/products'
    const { items } = await run(server, 'api', 'GET', path)
    await run(server, 'api', 'PATCH', `${path}/${items[0].id}`, '--data', JSON.stringify(body))
  }

  describe('licet serve --import', { timeout: 120_000 }, () => {
    test('imports before it listens, once for each content, and says so in the log', async () => {
      const [first] = await start(async (server) => {
        expect(await description(server)).toBe('First')
        expect(await history(server)).toMatchObject([
          { importedBy: 'operator', source: expect.stringMatching(/^serve --import sha256:[0-9a-f]{64}$/) },
        ])
        expect((await run(server, 'catalog', 'drift')).items).toEqual([])
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

    test('leaves all of it out when it would overwrite what somebody edited since, naming the keys, and serves all the same', async () => {
      await start((server) => editByHand(server, { description: 'By hand' }))
      put(catalog('Second', tag))
      const [warning] = await start(async (server) => {
        expect(await description(server)).toBe('By hand')
        expect(await history(server)).toHaveLength(1)
      })
      expect(warning).toMatchObject({
        level: 40,
        msg: 'the catalog was left out: importing it would overwrite later edits (--import-overwrite does)',
        edited: [{ key: 'product:PRO', changedAt: expect.any(String), changedBy: `client:${env.LICET_CLIENT_ID}` }],
      })
      const [overwritten] = await start(
        async (server) => expect(await description(server)).toBe('Second'),
        '--import-overwrite',
      )
      expect(overwritten).toMatchObject({ msg: 'the catalog was imported' })
    })

    test('with --import-overwrite the files win at every start, and a start that finds nothing to do records nothing', async () => {
      await start((server) => editByHand(server, { description: 'By hand' }))
      await start(async (server) => expect(await description(server)).toBe('First'), '--import-overwrite')
      await start(async (server) => {
        expect(await description(server)).toBe('First')
        expect(await history(server)).toHaveLength(2)
      }, '--import-overwrite')
    })

    test('an edit stays an edit when something else was imported since', async () => {
      await start(async (server) => {
        await editByHand(server, { description: 'By hand' })
        writeFileSync(join(home.directory, 'other.yaml'), 'suites:\n  - code: OTHER\n')
        await run(server, 'catalog', 'import', 'other.yaml', '--yes')
      })
      put(catalog('Second'))
      const [warning] = await start(async (server) => expect(await description(server)).toBe('By hand'))
      expect(warning).toMatchObject({ level: 40, edited: [{ key: 'product:PRO' }] })
    })

    test('what somebody deleted is not made again', async () => {
      await start(async (server) => {
        const path = '/api/v1/provision/admin/products'
        const { items } = await run(server, 'api', 'GET', path)
        await licet(['api', 'DELETE', `${path}/${items[0].id}`], {
          home,
          env: { ...env, LICET_URL: `${server.url}/t/acme` },
        })
      })
      put(catalog('Second'))
      const [warning] = await start(async (server) =>
        expect((await run(server, 'catalog', 'export', '-')).products).toEqual([]),
      )
      expect(warning).toMatchObject({
        level: 40,
        edited: [{ key: 'product:PRO', changedBy: `client:${env.LICET_CLIENT_ID}` }],
      })
    })

    test('an edit of something that the files do not change does not matter', async () => {
      await start((server) => editByHand(server, { externalId: 'crm-1' }))
      put(catalog('First', tag))
      const [imported] = await start(async (server) => {
        const { products } = await run(server, 'catalog', 'export', '-')
        expect(products[0].externalId).toBe('crm-1')
      })
      expect(imported).toMatchObject({ level: 30, summary: { create: 1, update: 0 } })
    })

    test('several that start at once import once', async () => {
      const servers = await Promise.all([1, 2, 3].map(() => serve(home, env, ['--import', 'catalog'])))
      running.push(...servers)
      expect(await history(servers[0]!)).toHaveLength(1)
    })
  })

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
      const [imported] = await start(undefined, '--default-tenant', 'second')
      expect(imported).toMatchObject({ tenant: 'second', summary: { create: 1 } })
    })

    test('--import-overwrite alone is wrong usage', async () => {
      const ended = await licet(['serve', '--import-overwrite'], { home, env })
      expect(ended.exitCode).toBe(64)
    })
  })
})
