import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshHome, type Home, licet } from '../support/licet-binary.ts'
import { json, problem, type StandIn, standIn, standInSecret, standInTenantId } from './tenant-stand-in.ts'

let server: StandIn
beforeAll(async () => {
  server = await standIn({ 'GET /api/v1/raw': (_, out) => json(out, 200, { fine: true }) })
})
afterAll(() => server.close())

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
const file = (home: Home) => join(home.config, 'environments.json')

async function add(home: Home, name: string, more: string[] = [], url = server.url) {
  const args = ['env', 'add', name, '--url', url, '--client-id', 'cli ent:1', '--client-secret-file', '-', ...more]
  return licet(args, { home, input: `${standInSecret}\n` })
}

describe('licet env', () => {
  test('keeps the secret in a file that only the user can read, and prints it nowhere', async () => {
    const home = freshHome()
    const outputs = [
      await add(home, 'staging', ['--json']),
      await licet(['env', 'list'], { home }),
      await licet(['env', 'list', '--json'], { home }),
      await licet(['env', 'check'], { home }),
      await licet(['env', 'check', '--json'], { home, env: { LICET_DEBUG: '1' } }),
    ]
    expect(mode(home.config)).toBe('700')
    expect(mode(file(home))).toBe('600')
    expect(readFileSync(file(home), 'utf8')).toContain(JSON.stringify(standInSecret))
    for (const { stdout, stderr, exitCode } of outputs) {
      expect(exitCode).toBe(0)
      expect(stdout + stderr).not.toContain('s3cr3t-canary')
    }
  })

  test('LICET_URL needs no settings of a user, nor a place for any', async () => {
    for (const variable of ['HOME', 'XDG_CONFIG_HOME']) {
      const ended = await licet(['env', 'check'], { env: { ...server.variables, [variable]: '/dev/null' } })
      expect([ended.exitCode, ended.stderr]).toEqual([0, expect.not.stringContaining('/dev/null')])
    }
  })

  test('a relative XDG_CONFIG_HOME is ignored', async () => {
    const home = freshHome()
    const args = ['env', 'add', 'staging', '--url', server.url, '--client-id', 'cli ent:1']
    const env = {
      XDG_CONFIG_HOME: 'here',
      XDG_CACHE_HOME: 'here',
      NODE_COMPILE_CACHE: '',
      LICET_CLIENT_SECRET: standInSecret,
    }
    expect((await licet(args, { home, env })).exitCode).toBe(0)
    expect([existsSync(file(home)), existsSync(join(home.directory, 'here'))]).toEqual([true, false])
    expect(existsSync(join(home.directory, '.cache/licet'))).toBe(true)
  })

  test('the secret comes from a file, the variable or a pipe too; nobody being there to ask, the flag is named', async () => {
    const home = freshHome()
    writeFileSync(join(home.directory, 'secret.txt'), `${standInSecret}\n`)
    const args = (name: string) => ['env', 'add', name, '--url', server.url, '--client-id', 'cli ent:1']
    chmodSync(join(home.directory, 'secret.txt'), 0o644)
    const added = await licet([...args('a'), '--client-secret-file', 'secret.txt', '--json'], { home })
    expect(added.json().warnings).toEqual([{ message: expect.stringMatching(/^secret\.txt.*chmod 600 secret\.txt$/) }])
    expect(added.exitCode).toBe(0)
    expect((await licet(args('b'), { home, env: { LICET_CLIENT_SECRET: standInSecret } })).exitCode).toBe(0)
    expect((await licet(args('c'), { home, input: `${standInSecret}\n` })).exitCode).toBe(0)
    for (const name of ['a', 'b', 'c']) expect((await licet(['env', 'check', name], { home })).exitCode).toBe(0)
    const ended = await licet(args('d'), { home })
    expect(ended.stderr).toMatch(/--client-secret-file/)
    expect(ended.exitCode).toBe(1)
  })

  test.skipIf(process.platform === 'win32')(
    'a secret may come late through a pipe, as one that a person unlocks',
    async () => {
      const home = freshHome()
      const binary = join(import.meta.dirname, '../../bin/licet.js')
      const script = '(sleep 2.5; echo "$SECRET") | "$0" "$1" env add late --url "$2" --client-id "cli ent:1"'
      const ended = await execa('sh', ['-c', script, process.execPath, binary, server.url], {
        ...{ cwd: home.directory, extendEnv: false, env: { ...home.variables, SECRET: standInSecret } },
      })
      expect(ended.exitCode).toBe(0)
      expect((await licet(['env', 'check', 'late'], { home })).exitCode).toBe(0)
    },
  )

  test('the first one added is in use; use, list and remove follow', async () => {
    const home = freshHome()
    await add(home, 'staging')
    await add(home, 'production', ['--protected', '--tenant-id', standInTenantId])
    expect((await licet(['env', 'list', '--json'], { home })).json()).toEqual([
      {
        name: 'production',
        url: server.url,
        clientId: 'cli ent:1',
        tenantId: standInTenantId,
        protected: true,
        hasSecret: true,
        source: 'user',
        current: false,
      },
      {
        name: 'staging',
        url: server.url,
        clientId: 'cli ent:1',
        tenantId: null,
        protected: false,
        hasSecret: true,
        source: 'user',
        current: true,
      },
    ])
    expect((await licet(['env', 'use', 'production'], { home })).exitCode).toBe(0)
    expect((await licet(['env', 'list'], { home })).stdout).toMatch(/^\* +production/m)
    expect((await licet(['env', 'remove', 'production', '--json'], { home })).json()).toEqual({
      removed: 'production',
      current: null,
    })
    const ended = await licet(['env', 'use', 'stagign'], { home })
    expect(ended.stderr).toMatch(/no environment "stagign"[\s\S]*Try: staging/)
    expect(ended.exitCode).toBe(1)
  })

  test('several at once are all kept', async () => {
    const home = freshHome()
    const names = ['a', 'b', 'c', 'd', 'e']
    const added = await Promise.all(names.map((name) => add(home, name)))
    expect(added.map(({ exitCode }) => exitCode)).toEqual(names.map(() => 0))
    expect(Object.keys(JSON.parse(readFileSync(file(home), 'utf8')).environments).sort()).toEqual(names)
    await Promise.all(['a', 'b', 'c'].map((name) => licet(['env', 'remove', name], { home })))
    expect(Object.keys(JSON.parse(readFileSync(file(home), 'utf8')).environments).sort()).toEqual(['d', 'e'])
    expect(existsSync(join(home.config, '.licet.lock'))).toBe(false)
  })

  test('nothing is overwritten without --force', async () => {
    const home = freshHome()
    await add(home, 'staging')
    const before = readFileSync(file(home), 'utf8')
    expect((await add(home, 'staging', [], 'https://other.example/t/x')).stderr).toMatch(/already[\s\S]*--force/)
    expect(readFileSync(file(home), 'utf8')).toBe(before)
    expect((await add(home, 'staging', ['--force'], 'https://other.example/t/x')).exitCode).toBe(0)
  })

  test.each([
    ['the file readable by the group', (home: Home) => chmodSync(file(home), 0o640), /chmod 600/],
    ['the file writable by others', (home: Home) => chmodSync(file(home), 0o602), /chmod 600/],
    ['the directory open', (home: Home) => chmodSync(home.config, 0o755), /chmod 700/],
  ])('is refused with %s', async (_name, loosen, message) => {
    const home = freshHome()
    await add(home, 'staging')
    loosen(home)
    for (const args of [
      ['env', 'list'],
      ['env', 'use', 'staging'],
      ['api', 'GET', '/x'],
    ]) {
      const ended = await licet(args, { home })
      expect(ended.stderr).toMatch(message)
      expect(ended.exitCode).toBe(1)
    }
  })

  test('a URL with credentials or without http is refused, a clear-text one is warned of', async () => {
    const home = freshHome()
    for (const url of [
      'https://user:pw@h.example/t/a',
      'ftp://h.example',
      'h.example/t/a',
      'https://h.example/t/a?x=1',
    ]) {
      const ended = await add(home, 'x', [], url)
      expect(ended.exitCode).toBe(64)
      expect(ended.stderr).not.toContain('pw')
    }
    const ended = await add(home, 'x', ['--json'], 'http://h.example/t/a/')
    expect(ended.json()).toMatchObject({
      url: 'http://h.example/t/a',
      warnings: [{ message: expect.stringMatching(/unencrypted/) }],
    })
  })

  test('check prints tenant and scopes, and stops at the wrong tenant before anything else is asked', async () => {
    const home = freshHome()
    await add(home, 'right', ['--tenant-id', standInTenantId])
    await add(home, 'wrong', ['--tenant-id', '018f0000-0000-7000-8000-00000000ffff'])
    const ended = await licet(['env', 'check', 'right', '--json'], { home })
    expect(ended.json()).toMatchObject({
      ready: true,
      tenantId: standInTenantId,
      scopes: ['admin.*:*', 'operational.*:*', 'webhooks.*:*'],
    })
    server.seen.length = 0
    const refused = await licet(['api', 'POST', '/api/v1/raw', '--env', 'wrong', '--data', '{}', '--json'], { home })
    expect(refused.json().error).toMatchObject({ codeName: 'cli.wrong_tenant' })
    expect(refused.exitCode).toBe(1)
    expect(server.seen).toEqual([])
  })

  test('check fails where the token names no tenant: that is no licet', async () => {
    const foreign = await standIn({
      'POST /auth/connect/token': (_, out) => json(out, 200, { access_token: 'abc' }),
    })
    const ended = await licet(['env', 'check', '--json'], { env: foreign.variables })
    await foreign.close()
    expect(ended.json().error).toMatchObject({
      codeName: 'cli.unreadable_answer',
      message: expect.stringMatching(/names no tenant/),
    })
    expect(ended.exitCode).toBe(1)
  })

  test('check says when the server is not ready', async () => {
    const draining = await standIn({
      'GET /readyz': (_, out) => problem(out, 503, 9003, 'server.unavailable', 'Draining.'),
    })
    const ended = await licet(['env', 'check'], { env: draining.variables })
    await draining.close()
    expect(ended.stderr).toMatch(/Draining/)
    expect(ended.exitCode).toBe(1)
  })
})

describe('where the environment comes from', () => {
  function project(home: Home, yaml: string): string {
    const directory = join(home.directory, 'project', 'deep', 'er')
    mkdirSync(directory, { recursive: true })
    mkdirSync(join(home.directory, 'project', '.git'))
    writeFileSync(join(home.directory, 'project', 'licet.yaml'), yaml)
    return directory
  }
  const raw = ['api', 'GET', '/api/v1/raw']

  test('LICET_URL with its credentials needs no file', async () => {
    const home = freshHome()
    expect((await licet(raw, { home, env: server.variables })).exitCode).toBe(0)
    expect(existsSync(home.config)).toBe(false)
  })

  test('a list, which cannot hold a warning, has it on stderr', async () => {
    const ended = await licet(['env', 'list', '--json'], { env: server.variables })
    expect(ended.json()).toEqual([])
    expect(ended.stderr).toMatch(/^Warning: LICET_URL is set/)
  })

  test('without any, the ways to choose one are named', async () => {
    const ended = await licet(raw)
    expect(ended.stderr).toMatch(/No environment is chosen[\s\S]*--env NAME/)
    expect(ended.exitCode).toBe(1)
  })

  test('the project file is found upward to the git root, and the variables bring the credentials', async () => {
    const home = freshHome()
    const cwd = project(
      home,
      `environment: ci\nenvironments:\n  ci:\n    url: ${server.url}\n    clientId: 'cli ent:1'\n`,
    )
    const { LICET_CLIENT_SECRET } = server.variables
    expect((await licet(raw, { home, cwd, env: { LICET_CLIENT_SECRET: LICET_CLIENT_SECRET! } })).exitCode).toBe(0)
    const above = join(home.directory, 'licet.yaml')
    writeFileSync(above, 'environment: above')
    mkdirSync(join(home.directory, 'other', '.git'), { recursive: true })
    expect((await licet(raw, { home, cwd: join(home.directory, 'other') })).stderr).toMatch(/No environment is chosen/)
  })

  test.each([
    [
      'a secret',
      `environments:\n  ci:\n    url: http://h/t/a\n    clientSecret: canary-xyz\n`,
      /credentials never belong/,
    ],
    ['an unknown key', `catalogs: x\n`, /unknown key "catalogs"; did you mean "catalog"\?/],
    ['broken YAML', `environment: [\n`, /licet\.yaml:2:1 is not YAML/],
    ['a list of environments', `environments: []\n`, /environments must be a mapping/],
    ['an environment without a URL', `environments:\n  ci: {}\n`, /no url/],
  ])('a project file with %s is refused', async (_name, yaml, message) => {
    const home = freshHome()
    const ended = await licet(raw, { home, cwd: project(home, yaml) })
    expect(ended.stderr).toMatch(message)
    expect(ended.stderr).not.toContain('canary-xyz')
    expect(ended.exitCode).toBe(1)
  })

  test.each(['', '# environment: ci\n\n'])('a project file that says nothing (%j) is one', async (yaml) => {
    const home = freshHome()
    const ended = await licet(raw, { home, cwd: project(home, yaml), env: server.variables })
    expect(ended.exitCode, ended.stderr).toBe(0)
  })

  test('a project file cannot lead a stored secret to another server', async () => {
    const home = freshHome()
    await add(home, 'staging')
    const other = await standIn({})
    const cwd = project(home, `environments:\n  staging:\n    url: ${other.url}\n`)
    const ended = await licet([...raw, '--env', 'staging'], { home, cwd })
    await other.close()
    expect(ended.stderr).toMatch(/your own settings say[\s\S]*Try: change the url[^\n]*env remove staging/)
    expect(other.tokenRequests).toEqual([])
    expect(ended.exitCode).toBe(1)
  })

  test('a named environment goes before LICET_URL, and its credentials stay its own', async () => {
    const home = freshHome()
    await add(home, 'staging')
    const other = await standIn({})
    const env = { LICET_URL: other.url, LICET_CLIENT_ID: 'x', LICET_CLIENT_SECRET: 'y' }
    expect((await licet([...raw, '--env', 'staging'], { home, env })).exitCode).toBe(0)
    expect(other.tokenRequests).toEqual([])
    await licet(raw, { home, env })
    expect(other.tokenRequests).toHaveLength(1)
    await other.close()
  })
})
