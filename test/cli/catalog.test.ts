import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshHome, licet } from '../support/licet-binary.ts'
import { type Environments, serveEnvironments } from '../support/served-environments.ts'
import { json, problem, standIn } from './tenant-stand-in.ts'

let here: Environments
beforeAll(async () => {
  here = await serveEnvironments(['staging', 'production'])
  here.put('one/products.yaml', "products:\n  - productCode: A\n    name: 'Old'\ntags: []\n")
  here.put('empty/README.md', 'nothing')
  here.put('two/all.yaml', 'products:\n  - productCode: A\n    name: New\n  - productCode: B\n    name: Two\n')
})
afterAll(() => here.server.stop())

const diff = ['catalog', 'diff', '--from', 'one', '--to', 'two']

describe('two catalogs in files', () => {
  test('are compared without a server, field by field, with the places of the after side', async () => {
    const ended = await here.run(diff, { env: { LICET_URL: 'http://no.invalid/t/x' } })
    expect(ended.stdout.replace(/\d+\.\d\d s/, 'T s')).toBe(`one → two   2 items compared in T s

~ product:A    two/all.yaml:2
    name    "Old" → "New"
+ product:B    two/all.yaml:4

1 to create, 1 to update (1 field), 0 unchanged.
`)
    expect(ended.exitCode).toBe(0)
    expect(ended.stderr).toBe('')
  })

  test('exit with 2 for changes and --exit-code, with 0 for none', async () => {
    expect((await here.run([...diff, '--exit-code'])).exitCode).toBe(2)
    expect((await here.run(['catalog', 'diff', '--from', 'one', '--to', 'one', '--exit-code'])).exitCode).toBe(0)
  })

  test.each([[['--json']], [['--format', 'json']]])('answer %j with the report', async (more) => {
    const report = (await here.run([...diff, ...more, '--include', 'unchanged'])).json()
    expect(report).toMatchObject({
      formatVersion: '1.0',
      targetTenantId: null,
      environmentRevision: null,
      summary: { create: 1, update: 1, unchanged: 0, onlyHere: 0, errors: 0, warnings: 0 },
      items: [
        {
          kind: 'product',
          key: 'product:A',
          action: 'update',
          changes: [{ path: '/name', before: 'Old', after: 'New' }],
        },
        { kind: 'product', key: 'product:B', action: 'create' },
      ],
    })
  })

  test('can come from stdin', async () => {
    const ended = await here.run(['catalog', 'diff', '--from', 'one', '--to', '-'], {
      input: '{"products":[{"productCode":"A","name":"Piped"}]}',
    })
    expect(ended.stdout).toMatch(/^one → stdin[\s\S]*stdin:1\n {4}name {4}"Old" → "Piped"\n/)
  })

  test('say everything that is wrong with the files at once, and what the rules refuse, each at its line', async () => {
    here.put('wrong/a.yaml', 'products:\n  - productCode: A\n    nmae: x\n  - productCode: A\n    name: 1.10\n')
    const unsound = await here.run(['catalog', 'diff', '--from', 'one', '--to', 'wrong'])
    expect(unsound.stderr).toMatch(/wrong\/a\.yaml:3:5 error: .*"nmae"/)
    expect(unsound.stderr).toMatch(/wrong\/a\.yaml:5:11 error: .*1\.1; write '1\.10'\n +5 \| /)
    expect(unsound.stdout).toBe('')
    expect(unsound.exitCode).toBe(1)
    here.put('refused/a.yaml', 'products:\n  - productCode: A\n    name: A\n    parentProductCode: NOPE\n')
    const refused = await here.run(['catalog', 'diff', '--from', 'one', '--to', 'refused', '--json'])
    expect(refused.json().errors).toMatchObject([
      { code: 3004, key: 'product:A', path: '/parentProductCode', file: 'refused/a.yaml', line: 4, col: 24 },
    ])
    expect(refused.exitCode).toBe(1)
    expect((await here.run(['catalog', 'diff', '--from', 'one', '--to', 'refused'])).stderr).toMatch(
      /refused\/a\.yaml:4:24 error: .*NOPE/,
    )
  })

  test('show nothing that a terminal would act on', async () => {
    here.put('odd/a.yaml', 'products:\n  - productCode: A\n    name: "\\e[31mred\\u202e"\n')
    const ended = await here.run(['catalog', 'diff', '--from', 'one', '--to', 'odd'])
    expect(ended.stdout).toContain(String.raw`"Old" → "\u001b[31mred\u{202e}"`)
  })

  test.skipIf(process.platform !== 'linux')('a side may be what a command writes, by a pipe of the shell', async () => {
    const binary = join(import.meta.dirname, '../../bin/licet.js')
    const script = '"$0" "$1" catalog diff --from one --to <(cat one/*.yaml | sed s/Old/Piped/) --json'
    const ended = await execa('bash', ['-c', script, process.execPath, binary], {
      ...{ cwd: here.home.directory, extendEnv: false, env: here.home.variables },
    })
    expect(JSON.parse(ended.stdout).summary).toMatchObject({ update: 1 })
  })

  test('a reader that goes away early is a normal end', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => `  - productCode: P${i}\n    name: Product ${i}\n`)
    here.put('many/a.yaml', `products:\n${many.join('')}`)
    const binary = join(import.meta.dirname, '../../bin/licet.js')
    const child = spawn(process.execPath, [binary, 'catalog', 'diff', '--from', 'one', '--to', 'many'], {
      cwd: here.home.directory,
      env: here.home.variables,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (part) => {
      said += part
    })
    child.stdout.once('data', () => child.stdout.destroy())
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(said).toBe('')
  })

  test.each([
    ['a directory and --to', [...diff, 'one'], 64, /either a directory or --to/],
    ['--from and --env', ['catalog', 'diff', '--from', 'one', '--env', 'staging'], 64, /either --env or --from/],
    ['--from and -eNAME', ['catalog', 'diff', '--from', 'one', '-estaging'], 64, /either --env or --from/],
    ['a side that is nothing', ['catalog', 'diff', '--from', 'stagign', '--to', 'one'], 1, /stagign[\s\S]*staging/],
    ['an empty directory', ['catalog', 'diff', '--from', 'one', '--to', 'empty'], 1, /no catalog file in "empty"\./],
    ['nothing on stdin', ['catalog', 'import', '-', '--env', 'staging', '--yes'], 1, /There is nothing on stdin/],
    ['stdin on both sides', ['catalog', 'diff', '--from', '-', '--to', '-'], 64, /Only one side can come from stdin/],
    ['an unknown section', ['catalog', 'export', '-', '--env', 'staging', '--scope', 'prodcuts'], 64, /"prodcuts"/],
    [
      'one environment twice',
      ['catalog', 'promote', '--from', 'staging', '--to', 'staging'],
      64,
      /the same environment/,
    ],
  ])('%s is refused', async (_name, args, exitCode, message) => {
    const ended = await here.run(args)
    expect(ended.stderr).toMatch(message)
    expect(ended.exitCode).toBe(exitCode)
  })

  test('a word that is an environment and a directory is asked for in full', async () => {
    here.put('staging/a.yaml', 'products: []\n')
    const ended = await here.run(['catalog', 'diff', '--from', 'one', '--to', 'staging'])
    expect(ended.stderr).toMatch(/env:staging or \.\/staging/)
    expect(ended.exitCode).toBe(64)
    expect((await here.run(['catalog', 'diff', '--from', 'one', '--to', './staging'])).exitCode).toBe(0)
    expect((await here.run(['catalog', 'diff', '--from', 'one', '--to', 'env:staging'])).exitCode).toBe(0)
  })
})

describe('changing an environment', () => {
  test('where nobody can be asked --yes is named, and nothing is changed', async () => {
    const ended = await here.run(['catalog', 'import', 'one', '--env', 'staging'])
    expect(ended.stderr).toMatch(/Import into staging: 1 to create, 0 to update\?[\s\S]*Try: --yes/)
    expect(ended.exitCode).toBe(1)
    expect((await here.run(['catalog', 'diff', 'one', '--env', 'staging', '--exit-code'])).exitCode).toBe(2)
  })

  test('an import goes where it was told, and only at the revision that was expected', async () => {
    const args = ['catalog', 'import', 'two', '--env', 'production', '--yes']
    const refused = await here.run([...args, '--expected-revision', '999', '--json'])
    expect(refused.json().error).toMatchObject({ code: 3005, codeName: 'catalog.environment_changed' })
    expect(refused.exitCode).toBe(1)
    const ended = await here.run(args)
    expect(ended.stdout).toMatch(
      /2 to create[\s\S]*\nImported into production: import [0-9a-f-]{36}, revision \d+\.\n$/,
    )
    expect((await here.run(['catalog', 'diff', 'two', '--env', 'production', '--exit-code'])).exitCode).toBe(0)
  })

  test('what a rule refuses there is told at its line, and nothing is changed', async () => {
    here.put('refused/a.yaml', 'products:\n  - productCode: A\n    name: A\n    parentProductCode: NOPE\n')
    const ended = await here.run(['catalog', 'import', 'refused', '--env', 'staging', '--yes', '--json'])
    expect(ended.json().error).toMatchObject({
      code: 3004,
      errors: [{ file: 'refused/a.yaml', line: 4, col: 24, key: 'product:A' }],
    })
    expect(ended.exitCode).toBe(1)
  })

  test('an environment that moved between showing and importing is left alone, and what moved is named', async () => {
    const item = { kind: 'product', key: 'product:A', action: 'create', fingerprint: null }
    const moved = {
      ...item,
      action: 'update',
      changes: [{ path: '/name', before: 'x', after: 'New' }],
      fingerprint: 'f',
    }
    const report = (revision: string, items: object[]) => ({
      formatVersion: '1.0',
      comparedAt: '2026-01-01T00:00:00Z',
      sourceTenantId: null,
      targetTenantId: 't',
      environmentRevision: revision,
      summary: { create: 1, update: 0, unchanged: 0, onlyHere: 0, errors: 0, warnings: 0 },
      items,
      onlyHere: [],
      errors: [],
      warnings: [],
    })
    let compares = 0
    const server = await standIn({
      'POST /trpc/admin.catalog.compare': (_, out) => {
        compares++
        json(out, 200, { result: { data: compares === 1 ? report('7', [item]) : report('8', [moved]) } })
      },
      'POST /trpc/admin.catalog.import': (asked, out) => {
        expect(JSON.parse(asked.body)).toMatchObject({ expectedRevision: '7' })
        problem(out, 409, 3005, 'catalog.environment_changed', 'The environment is at revision 8.')
      },
    })
    const ended = await here.run(['catalog', 'import', 'two', '--yes'], { env: server.variables })
    await server.close()
    expect(ended.stderr).toMatch(/has changed since this was shown; nothing was imported/)
    expect(ended.stderr).toMatch(/product:A: changed meanwhile[\s\S]*Try: run the same command again/)
    expect(ended.exitCode).toBe(1)
  })

  test('a promotion is guarded by what was shown of each key, and names who moved one', async () => {
    const applied: unknown[] = []
    const snapshot = { formatVersion: '1.0', products: [{ productCode: 'A', name: 'A' }] }
    const items = [{ kind: 'product', key: 'product:A', action: 'update', changes: [], fingerprint: 'sha256:1' }]
    const summary = { create: 0, update: 1, unchanged: 0, onlyHere: 0, errors: 0, warnings: 0 }
    const target = await standIn({
      'POST /trpc/admin.catalog.compare': (_, out) =>
        json(out, 200, {
          result: { data: { environmentRevision: '1', summary, items, onlyHere: [], errors: [], warnings: [] } },
        }),
      'GET /trpc/admin.catalog.export': (_, out) => json(out, 200, { result: { data: snapshot } }),
      'POST /trpc/admin.catalog.apply': (asked, out) => {
        applied.push(JSON.parse(asked.body))
        const moved = [{ key: 'product:A', changedAt: '2026-01-02T03:04:05Z', changedBy: 'client:x' }]
        problem(out, 409, 3005, 'catalog.environment_changed', 'Moved.', { moved })
      },
    })
    const home = freshHome()
    for (const [name, url] of [
      ['a', target.url],
      ['b', `${target.url.replace('127.0.0.1', 'localhost')}`],
    ] as const) {
      const args = ['env', 'add', name, '--url', url, '--client-id', 'cli ent:1', '--client-secret-file', '-']
      await licet(args, { home, input: target.variables.LICET_CLIENT_SECRET ?? '' })
    }
    const ended = await licet(['catalog', 'promote', '--from', 'a', '--to', 'b', '--yes'], { home })
    await target.close()
    expect(applied).toEqual([{ snapshot, source: 'promoted from a', expected: { 'product:A': 'sha256:1' } }])
    expect(ended.stderr).toMatch(/product:A: changed 2026-01-02T03:04:05Z by client x/)
    expect(ended.exitCode).toBe(1)
  })

  test('a protected environment asks for its name, not for --yes', async () => {
    const { url } = here.server
    const client = await licet(
      ['client', 'create', '--tenant', 'production', '--name', 'p', '--scope', 'admin.*:*', '--json'],
      { home: here.home },
    )
    const { clientId, clientSecret } = client.json()
    const args = ['env', 'add', 'guarded', '--url', `${url}/t/production`, '--client-id', clientId, '--protected']
    await here.run([...args, '--client-secret-file', '-'], { input: clientSecret })
    const imported = ['catalog', 'import', 'one', '--env', 'guarded']
    expect((await here.run([...imported, '--yes'])).stderr).toMatch(/--confirm guarded/)
    expect((await here.run([...imported, '--confirm', 'production'])).exitCode).toBe(1)
    expect((await here.run([...imported, '--confirm', 'guarded'])).exitCode).toBe(0)
  })
})

describe('what goes wrong on the way', () => {
  const away = { LICET_URL: 'http://127.0.0.1:1/t/x', LICET_CLIENT_ID: 'c', LICET_CLIENT_SECRET: 's' }

  test('a server that is away', async () => {
    const ended = await here.run(['catalog', 'diff', 'one', '--json'], { env: away })
    expect(ended.json().error).toMatchObject({ codeName: 'cli.unreachable' })
    expect(ended.exitCode).toBe(1)
  })

  test('a wrong secret', async () => {
    const env = { ...away, LICET_URL: `${here.server.url}/t/staging` }
    const ended = await here.run(['catalog', 'diff', 'one'], { env })
    expect(ended.stderr).toMatch(/does not accept client c/)
    expect(ended.exitCode).toBe(1)
  })

  test('a client that may only read compares, and is refused the import with the scope it lacks', async () => {
    const args = ['client', 'create', '--tenant', 'staging', '--name', 'ci', '--scope', 'admin.catalog:read', '--json']
    const { clientId, clientSecret } = (await licet(args, { home: here.home })).json()
    const env = {
      LICET_URL: `${here.server.url}/t/staging`,
      LICET_CLIENT_ID: clientId,
      LICET_CLIENT_SECRET: clientSecret,
    }
    expect((await here.run(['catalog', 'diff', 'two', '--exit-code'], { env })).exitCode).toBe(2)
    const refused = await here.run(['catalog', 'import', 'two', '--yes', '--json'], { env })
    expect(refused.json().error).toMatchObject({ code: 1103, codeName: 'auth.insufficient_scope', status: 403 })
    expect(refused.exitCode).toBe(1)
  })

  test('another tenant than the environment expects: nothing is sent there', async () => {
    const { clientId, clientSecret } = (
      await licet(['client', 'create', '--tenant', 'staging', '--name', 'w', '--scope', 'admin.*:*', '--json'], {
        home: here.home,
      })
    ).json()
    const id = here.tenantIds.production ?? ''
    const args = ['env', 'add', 'mixed', '--url', `${here.server.url}/t/staging`, '--client-id', clientId]
    await here.run([...args, '--tenant-id', id, '--client-secret-file', '-'], { input: clientSecret })
    const ended = await here.run(['catalog', 'import', 'two', '--env', 'mixed', '--yes', '--json'])
    expect(ended.json().error).toMatchObject({ codeName: 'cli.wrong_tenant' })
    expect(ended.exitCode).toBe(1)
  })
})
