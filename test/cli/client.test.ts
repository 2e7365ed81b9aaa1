import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { freshHome, licet } from '../support/licet-binary.ts'
import { testMasterKey } from '../support/served-environments.ts'
import { forEachStore } from '../support/stores.ts'

forEachStore(({ createDatabase }) => {
  let env: Record<string, string>
  beforeAll(async () => {
    env = { LICET_DATABASE_URL: await createDatabase(), LICET_MASTER_KEY: testMasterKey }
    await licet(['tenant', 'create', 'acme'], { env })
    await licet(['tenant', 'create', 'neighbour'], { env })
  })
  const create = (...scopes: string[]) =>
    licet(
      ['client', 'create', '--tenant', 'acme', '--name', 'ci', ...scopes.flatMap((s) => ['--scope', s]), '--json'],
      { env },
    )
  const list = async (tenant = 'acme') =>
    (await licet(['client', 'list', '--tenant', tenant, '--json'], { env })).json()

  test('a client is registered with its secret, which is shown this once', async () => {
    const made = (await create('admin.catalog:read', 'admin.catalog:write')).json()
    expect(Object.keys(made)).toEqual(['clientId', 'clientSecret', 'name', 'scopes'])
    expect(made).toMatchObject({ name: 'ci', scopes: ['admin.catalog:read', 'admin.catalog:write'] })
    const { clientSecret, ...rest } = made
    expect(await list()).toContainEqual(rest)
    expect(JSON.stringify(await list())).not.toContain(clientSecret)
    expect(await list('neighbour')).toEqual([])
  })

  test('a new secret is another one, of the same client', async () => {
    const made = (await create('admin.tags:*')).json()
    const args = ['client', 'rotate-secret', made.clientId, '--tenant', 'acme']
    const rotated = (await licet([...args, '--json'], { env })).json()
    expect(rotated).toEqual({ ...made, clientSecret: rotated.clientSecret })
    expect(rotated.clientSecret).not.toBe(made.clientSecret)
    expect((await licet(args, { env })).stdout).toMatch(
      /not shown again.\nNext: give it to whatever calls as this client/,
    )

    const home = freshHome()
    const words = ['env', 'add', 'desk', '--url', 'https://licenses.example.com/t/acme', '--client-id', made.clientId]
    words.push('--protected', '--client-secret-file', '-')
    const added = await licet(words, { home, input: made.clientSecret })
    expect(added.exitCode, added.stderr).toBe(0)
    const { stdout } = await licet(args, { env, home })
    const [, secret] = /client secret +(\S+)/.exec(stdout)!
    const [, next] = /^ {2}licet (env add desk --url .*)$/m.exec(stdout)!
    const replaced = await licet([...next!.split(' '), '--client-secret-file', '-'], { home, input: secret! })
    expect(replaced.exitCode, replaced.stderr).toBe(0)
    const { environments } = JSON.parse(readFileSync(join(home.config, 'environments.json'), 'utf8'))
    expect(environments.desk).toMatchObject({ clientId: made.clientId, clientSecret: secret, protected: true })
  })

  test("a client is deleted, and never by way of the neighbour's tenant", async () => {
    const { clientId } = (await create('admin.tags:read')).json()
    for (const deed of ['delete', 'rotate-secret']) {
      const refused = await licet(['client', deed, clientId, '--tenant', 'neighbour'], { env })
      expect(refused.stderr).toMatch(/has no client/)
      expect(refused.exitCode).toBe(1)
    }
    expect((await licet(['client', 'delete', clientId, '--tenant', 'acme', '--json'], { env })).json()).toEqual({
      deleted: clientId,
    })
    expect(await list()).not.toContainEqual(expect.objectContaining({ clientId }))
  })

  test.each([
    [
      'an unknown scope',
      ['--tenant', 'acme', '--name', 'x', '--scope', 'admin.prodcts:read'],
      64,
      /no scope "admin\.prodcts:read"\.\n {2}Try: admin\.products:read\n/,
    ],
    [
      'an unknown tenant',
      ['--tenant', 'acne', '--name', 'x', '--scope', 'admin.tags:read'],
      1,
      /no tenant "acne"[\s\S]*acme/,
    ],
    ['no scope at all', ['--tenant', 'acme', '--name', 'x'], 64, /scope/],
    ['no tenant at all', ['--name', 'x', '--scope', 'admin.tags:read'], 64, /tenant/],
  ])('%s is refused', async (_name, args, exitCode, message) => {
    const ended = await licet(['client', 'create', ...args], { env })
    expect(ended.stderr).toMatch(message)
    expect(ended.exitCode).toBe(exitCode)
  })
})
