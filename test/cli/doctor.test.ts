import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { freshHome, type Home, licet } from '../support/licet-binary.ts'
import { git } from '../support/workflow-runs.ts'
import { json, problem as refused, type StandIn, standIn, standInSecret, standInTenantId } from './tenant-stand-in.ts'

interface Check {
  name: string
  status: string
  detail: string
  next: string | null
}

const servers: StandIn[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function server(routes: Parameters<typeof standIn>[0] = {}): Promise<StandIn> {
  const started = await standIn(routes)
  servers.push(started)
  return started
}

async function add(home: Home, name: string, url: string, more: string[] = [], secret = standInSecret) {
  const args = ['env', 'add', name, '--url', url, '--client-id', 'cli ent:1', '--client-secret-file', '-', ...more]
  expect((await licet(args, { home, input: secret })).exitCode).toBe(0)
}

async function examine(home: Home, env: Record<string, string> = {}) {
  const ended = await licet(['doctor', '--json'], { home, env })
  const { ok, checks } = ended.json() as { ok: boolean; checks: Check[] }
  return { ...ended, ok, of: (name: string) => checks.find((check) => check.name === name), checks }
}

describe('licet doctor', () => {
  test('finds nothing wrong where everything is set up, and says nothing secret', async () => {
    const home = freshHome()
    const { url } = await server()
    await git(home.directory, 'init', '--quiet')
    await licet(['init', '--staging-url', url, '--production-url', url], { home })
    await add(home, 'staging', url, ['--tenant-id', standInTenantId])
    await add(home, 'production', url, ['--tenant-id', standInTenantId, '--protected'])
    const found = await examine(home)
    expect(found.checks.filter(({ status }) => status === 'problem')).toEqual([])
    expect([found.ok, found.exitCode]).toEqual([true, 0])
    for (const name of ['Node', 'project file', 'catalog', 'editor schema', 'git', 'workflow', 'own settings'])
      expect(found.of(name)?.status, name).toBe('ok')
    for (const look of ['reachable', 'credentials', 'tenant', 'scopes', 'clock', 'protected'])
      expect(found.of(`production: ${look}`)?.status, look).toBe('ok')
    const shown = await licet(['doctor'], { home })
    expect(shown.stdout).toMatch(/^ok +production: credentials /m)
    expect(shown.stdout).toMatch(/Nothing is wrong\.\n$/)
    for (const text of [found.stdout, found.stderr, shown.stdout, shown.stderr])
      expect(text).not.toContain('s3cr3t-canary')
  })

  test('a place without a project, such as one of npm alone, is missing much and has no problem', async () => {
    const home = freshHome()
    writeFileSync(join(home.directory, 'package.json'), '{"name": "app", "version": "1.0.0"}')
    const found = await examine(home)
    expect(found.exitCode).toBe(0)
    for (const name of ['project file', 'catalog', 'git', 'workflow', 'own settings', 'environments', 'completion']) {
      expect(found.of(name)?.status, name).toBe('missing')
      expect(found.of(name)?.next, name).toMatch(/\S/)
    }
    expect(found.of('workflow')?.next).toBe('git init')
  })

  test('each thing that is wrong is said with what to do', async () => {
    const home = freshHome()
    const far = await server({
      'GET /readyz': (_, out) => json(out, 200, {}, { date: new Date(Date.now() - 3_600_000).toUTCString() }),
    })
    const poor = await server({
      'POST /auth/connect/token': (_, out) => json(out, 200, { access_token: 'a.b.c', scope: 'operational.x:read' }),
    })
    const failing = await server({
      'POST /auth/connect/token': (_, out) => refused(out, 500, 9000, 'server.internal', 'An error.'),
    })
    await add(home, 'failing', failing.url)
    await add(home, 'far', far.url)
    await add(home, 'poor', poor.url)
    await add(home, 'wrong-secret', (await server()).url, [], 'not it')
    await add(home, 'wrong-tenant', (await server()).url, ['--tenant-id', '018f0000-0000-7000-8000-00000000000f'])
    await add(home, 'away', 'http://127.0.0.1:9/t/x')
    mkdirSync(join(home.directory, 'catalog'))
    writeFileSync(join(home.directory, 'licet.yaml'), 'catalog: catalog\n')
    writeFileSync(join(home.directory, 'catalog/a.yaml'), 'products:\n  - name: nameless\n')
    const found = await examine(home)
    expect([found.ok, found.exitCode]).toEqual([false, 1])
    const wrong = found.checks.filter(({ status }) => status === 'problem')
    expect(wrong.map(({ name }) => name).sort()).toEqual([
      'away: reachable',
      'catalog',
      'failing: credentials',
      'far: clock',
      'poor: scopes',
      'wrong-secret: credentials',
      'wrong-tenant: credentials',
    ])
    for (const { name, next } of wrong) expect(next, name).toMatch(/\S/)
    expect(found.of('failing: credentials')?.detail).toBe('An error. (correlation id corr-1)')
    expect(found.of('far: clock')?.detail).toMatch(/^3(599|600|601) s apart/)
    expect(found.of('wrong-tenant: credentials')?.detail).toMatch(/expects tenant .*0f, but .*01/)
    expect(found.stdout + found.stderr).not.toContain('s3cr3t-canary')
  })

  test('settings that others can read are a problem, and the rest is looked at all the same', async () => {
    const home = freshHome()
    await add(home, 'staging', (await server()).url)
    chmodSync(join(home.config, 'environments.json'), 0o644)
    const found = await examine(home)
    expect(found.of('own settings')).toMatchObject({ status: 'problem', next: expect.stringContaining('chmod 600') })
    expect(found.of('Node')?.status).toBe('ok')
  })

  test('servers that never answer are waited for at once, however many they are', async () => {
    const home = freshHome()
    let waiting = 0
    let most = 0
    const silent = await server({
      'GET /readyz': (_, out) => {
        most = Math.max(most, ++waiting)
        out.on('close', () => waiting--)
      },
    })
    const mute = await server({ 'POST /auth/connect/token': () => {} })
    for (const name of ['a', 'b', 'c']) await add(home, name, silent.url)
    await add(home, 'd', mute.url)
    const found = await examine(home)
    expect(most).toBe(3)
    expect(found.of('a: reachable')?.status).toBe('problem')
    expect(found.of('d: credentials')?.status).toBe('problem')
  }, 40_000)

  test('what a server or file says is shown without what a terminal would act on', async () => {
    const home = freshHome()
    const { url } = await server({
      'POST /auth/connect/token': (_, out) =>
        json(out, 400, { title: 'no \u001b[31m', status: 400, code: 1, codeName: 'x' }),
    })
    await add(home, 'staging', url)
    const { stdout } = await licet(['doctor'], { home })
    expect(stdout).toContain('no \\x1b[31m')
    expect(stdout).not.toContain('\u001b')
  })

  test('LICET_URL is looked at as an environment', async () => {
    const { variables } = await server()
    const found = await examine(freshHome(), variables)
    expect(found.of('LICET_URL: credentials')?.status).toBe('ok')
  })
})
