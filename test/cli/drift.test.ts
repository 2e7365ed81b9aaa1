import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { licet } from '../support/licet-binary.ts'
import { type Environments, serveEnvironments } from '../support/served-environments.ts'
import { json, standIn } from './tenant-stand-in.ts'

const catalog = (price: number, more = '') => `products:
  - productCode: PRO
    productVersion: '2'
    name: Pro
    description: As released
  - productCode: VIEW
    name: View
featureCatalog:
  - productCode: PRO
    productVersion: '2'
    featureCode: SEATS
    name: Seats
    featureType: Numeric
plans:
  - suiteCode: PRO@2
    name: Standard
    plans:
      - name: Team
        monthlyPrice: ${price}
        currency: EUR
${more}`
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)

let here: Environments
beforeAll(async () => {
  here = await serveEnvironments(['production', 'untouched'])
  here.put('licet.yaml', 'catalog: catalog\n')
  here.put('catalog/all.yaml', catalog(49))
})
afterAll(() => here.server.stop())

const drift = (...args: string[]) => here.run(['catalog', 'drift', ...args])
const api = (method: string, path: string, data?: object) => here.ask('production', method, path, data)
const idOf = async (path: string, name: string): Promise<string> =>
  (await api('GET', `${path}?pageSize=100`)).items.find((item: { name: string }) => item.name === name).id

test('before the first import it says that there is nothing to measure it from, and that is no failure', async () => {
  const ended = await drift('--env', 'untouched')
  expect([ended.exitCode, ended.stdout]).toEqual([
    0,
    `untouched (tenant untouched, revision 1)\n\nNothing has been imported into untouched yet, so there is nothing it could have drifted from.\n`,
  ])
  expect((await drift('--env', 'untouched', '--json')).json()).toMatchObject({ since: null, items: [] })
})

test('right after an import nothing has changed', async () => {
  await here.run(['catalog', 'import', '--env', 'production', '--yes'])
  const ended = await drift('--env', 'production')
  expect(ended.exitCode).toBe(0)
  expect(ended.stdout).toMatch(/\n\nNothing has changed since import [0-9a-f-]{36} \(tests, \d{4}-[^)]*Z\)\.\n$/)
})

describe('when somebody has edited the environment by hand', () => {
  beforeAll(async () => {
    const sets = await api('GET', 'usage-plans/plan-sets')
    const { id, plans } = sets.items[0]
    plans[0].monthlyPrice = 99
    await api('PATCH', `usage-plans/plan-sets/${id}`, { plans })
    await api('PATCH', `products/${await idOf('products', 'Pro')}`, {
      description: 'By hand \u001b[31m',
      externalId: 'crm-1',
    })
    await api('DELETE', `products/${await idOf('products', 'View')}`)
    await api('POST', 'tags', { scope: 'Product', name: 'Hot' })
  })

  test('it says field by field what changed, who did it, when, and what the files say of it; exit code 2', async () => {
    here.put('catalog/all.yaml', catalog(49))
    const ended = await drift('--env', 'production')
    expect(ended.exitCode).toBe(2)
    expect(ended.stdout).toMatch(/^production \(tenant production, revision \d+\)\n\n/)
    const rows = ended.stdout
      .split('\n')
      .map((row) => row.replace(/\d{4}-\d\d-\d\dT[\d:]+Z/, 'WHEN').replace(/ {2,}/g, '  '))
    expect(rows.slice(2, -7)).toEqual([
      '+ tag:Product/Hot  tests, WHEN',
      '  the files leave it as it is',
      '~ product:PRO@2  tests, WHEN',
      '  description  "As released" → "By hand \\u001b[31m"  importing the files puts it back',
      '  externalId  none → "crm-1"  the files leave it as it is',
      '- product:VIEW  tests, WHEN',
      '  importing the files puts it back',
      '~ plan-set:PRO@2/Standard  tests, WHEN',
      '  plans/Team/monthlyPrice  49 → 99  importing the files puts it back',
    ])
    expect(ended.stdout).toMatch(
      /\n1 created, 2 updated \(3 fields\), 1 deleted since import [0-9a-f-]{36} \(tests, .*Z\)\.\n/,
    )
    expect(ended.stdout).toContain('\nKeep it:     licet catalog export catalog --env production\n')
    expect(ended.stdout).toContain(
      '\n  and then:  licet catalog import catalog --env production (changes nothing: drift is measured from there)\n',
    )
    expect(ended.stdout).toContain('\nPut it back: licet catalog import catalog --env production\n')
    expect(ended.stdout).not.toContain('\u001b')
  })

  test('called by its URL it has no name to advise', async () => {
    const known = JSON.parse(readFileSync(join(here.home.config, 'environments.json'), 'utf8')).environments
    const { url, clientId, clientSecret } = known.production
    const env = { LICET_URL: url, LICET_CLIENT_ID: clientId, LICET_CLIENT_SECRET: clientSecret }
    const { stdout } = await here.run(['catalog', 'drift'], { env })
    expect(stdout).toContain('\nKeep it:     licet catalog export catalog\n')
    expect(stdout).toContain('\nPut it back: licet catalog import catalog\n')
  })

  test('as JSON it is one document, with ids, names and a word on each field', async () => {
    const { exitCode, json } = await drift('--env', 'production', '--json')
    expect(exitCode).toBe(2)
    expect(json()).toMatchObject({
      environment: { name: 'production', tenant: 'production' },
      since: { importId: expect.any(String), importedAt: instant, importedByName: 'tests' },
      files: 'catalog',
      summary: { created: 1, updated: 2, deleted: 1 },
      items: [
        { key: 'tag:Product/Hot', action: 'create', files: 'silent', changedByName: 'tests' },
        {
          key: 'product:PRO@2',
          changes: [
            { path: '/description', files: 'restores' },
            { path: '/externalId', before: null, after: 'crm-1', files: 'silent' },
          ],
        },
        { key: 'product:VIEW', action: 'delete', files: 'restores' },
        { changes: [{ before: 49, after: 99, files: 'restores' }], changedBy: expect.stringMatching(/^client:/) },
      ],
    })
  })

  test.each([
    ['that say so already', 99, 'same'],
    ['that say something else', 59, 'differs'],
  ])('files %s', async (_what, price, files) => {
    here.put('catalog/all.yaml', catalog(price, 'tags:\n  - scope: Product\n    name: hot\n'))
    const { items } = (await drift('--env', 'production', '--json')).json()
    expect(items.at(-1).changes).toMatchObject([{ path: '/plans/Team/monthlyPrice', files }])
    expect(items[0]).toMatchObject({ key: 'tag:Product/Hot', files: 'same' })
  })

  test('what an export has put into the files need not be exported again; it takes nothing out of them', async () => {
    here.put('kept/all.yaml', catalog(49))
    await here.run(['catalog', 'export', 'kept', '--env', 'production', '--force'])
    const left = await drift('kept', '--env', 'production')
    expect([left.exitCode, left.stdout.split('\n').slice(-5)]).toEqual([
      2,
      [
        expect.stringContaining('1 deleted since import'),
        'Keep it deleted: take product:VIEW out of kept',
        '  and then:  licet catalog import kept --env production (changes nothing: drift is measured from there)',
        'Put it back: licet catalog import kept --env production',
        '',
      ],
    ])
    const view = / {2}- productCode: VIEW\n {4}name: View\n/
    const file = join(here.home.directory, 'kept/all.yaml')
    here.put('kept/all.yaml', readFileSync(file, 'utf8').replace(view, ''))
    const kept = await drift('kept', '--env', 'production')
    expect([kept.exitCode, kept.stdout.split('\n').slice(-3)]).toEqual([
      2,
      [
        expect.stringContaining('1 deleted since import'),
        'Keep it:     licet catalog import kept --env production (changes nothing: drift is measured from there)',
        '',
      ],
    ])
  })

  test('where no files are known it says nothing of them', async () => {
    const ended = await licet(['catalog', 'drift', '--env', 'production', '--json'], { home: here.home, cwd: '/' })
    const { files, items } = ended.json()
    expect(files).toBeNull()
    expect(JSON.stringify(items)).not.toContain('"files"')
  })

  test('files that are unsound are exit code 1, with their findings', async () => {
    here.put('broken/all.yaml', 'products:\n  - productCode: 7\n')
    const ended = await drift('broken', '--env', 'production', '--json')
    expect([ended.exitCode, ended.json().error.codeName]).toEqual([1, 'cli.catalog'])
  })

  test('for a scheduled job it is markdown in the job summary, and nothing in it is markup from outside', async () => {
    here.put('catalog/all.yaml', catalog(49))
    here.put('summary.md', '')
    const file = join(here.home.directory, 'summary.md')
    const ended = await here.run(['catalog', 'drift', '--env', 'production', '--summary'], {
      env: { GITHUB_STEP_SUMMARY: file },
    })
    expect(ended.exitCode).toBe(2)
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(
      /^<!-- licet:drift:production -->\n\*\*`production`\*\*: 1 created, 2 updated \(3 fields\), 1 deleted/,
    )
    expect(text).toMatch(/\n- updated `product:PRO@2` · `tests, \d{4}/)
    expect(text).toContain('\n  - `plans/Team/monthlyPrice`: `49 → 99`: importing the files puts it back\n')
    expect((await drift('--env', 'production', '--format', 'markdown')).stdout).toBe(text)
  })

  describe('and the files say so, too', () => {
    const keep = (...flags: string[]) => here.run(['catalog', 'import', 'kept', '--env', ...flags])
    const imports = async () => (await here.run(['catalog', 'history', '--env', 'production', '--json'])).json().total
    const protect = async (id: string, secret: string) => {
      const url = `${here.server.url}/t/production`
      const flags = ['--client-id', id, '--client-secret-file', '-', '--protected']
      expect((await here.run(['env', 'add', 'guarded', '--url', url, ...flags], { input: secret })).exitCode).toBe(0)
    }

    test('an import of them has nothing to do, and stays as it was where it cannot be recorded', async () => {
      const before = await imports()
      const reader = await api('POST', 'clients', { name: 'reader', scopes: ['admin.catalog:read'] })
      const url = `${here.server.url}/t/production`
      const env = { LICET_URL: url, LICET_CLIENT_ID: reader.clientId, LICET_CLIENT_SECRET: reader.clientSecret }
      const read = await here.run(['catalog', 'import', 'kept', '--yes'], { env })
      expect([read.exitCode, read.stdout]).toEqual([0, expect.stringMatching(/\nNothing to do: [^\n]*\n$/)])
      expect(read.stderr).toMatch(/Warning: It is not recorded that the files say what has drifted\./)
      const known = JSON.parse(readFileSync(join(here.home.config, 'environments.json'), 'utf8')).environments
      await protect(known.production.clientId, known.production.clientSecret)
      const unnamed = await keep('guarded', '--yes')
      expect([unnamed.exitCode, unnamed.stderr]).toEqual([0, expect.stringMatching(/Try: --confirm guarded\n$/)])
      const advised = (await drift('--env', 'guarded')).stdout
      expect(advised).toContain('Put it back: licet catalog import catalog --env guarded --confirm guarded\n')
      const other = await here.run(['catalog', 'import', 'kept', '--env', 'production', '--only', 'product:*', '--yes'])
      expect([other.exitCode, other.stdout]).toEqual([0, expect.stringMatching(/\nNothing to do: [^\n]*\n$/)])
      const json = await here.run(['catalog', 'import', 'kept', '--yes', '--json'], { env })
      expect([json.exitCode, json.json().importId]).toEqual([0, null])
      expect(json.stderr).not.toContain('recorded')
      expect(await imports()).toBe(before)
    })

    test('files that are silent of something that drifted leave it in sight', async () => {
      here.put('part/all.yaml', 'products:\n  - productCode: PRO\n    productVersion: "2"\n    name: Pro\n')
      const ended = await here.run(['catalog', 'import', 'part', '--env', 'production', '--yes', '--json'])
      expect([ended.exitCode, ended.json().importId]).toEqual([0, null])
      expect((await drift('--env', 'production')).exitCode).toBe(2)
    })

    test('an import of them is the last one: drift is measured from there, once', async () => {
      const ended = await keep('guarded', '--confirm', 'guarded')
      expect([ended.exitCode, ended.stdout]).toEqual([
        0,
        expect.stringMatching(/\nNothing to do: [^\n]*\nRecorded as import [0-9a-f-]{36}: the files say all/),
      ])
      expect((await drift('kept', '--env', 'production')).exitCode).toBe(0)
      const again = await keep('production', '--yes', '--json')
      expect([again.exitCode, again.json().importId]).toEqual([0, null])
    })

    test('as JSON it has the id of the import', async () => {
      await api('PATCH', `products/${await idOf('products', 'Pro')}`, { name: 'Professional' })
      await here.run(['catalog', 'export', 'kept', '--env', 'production', '--force'])
      const ended = await keep('production', '--yes', '--json')
      expect([ended.exitCode, ended.json()]).toMatchObject([
        0,
        { importId: expect.any(String), summary: { create: 0, update: 0 } },
      ])
      expect((await drift('kept', '--env', 'production')).exitCode).toBe(0)
    })
  })

  test('after the next import it is gone', async () => {
    await here.run(['catalog', 'import', '--env', 'production', '--yes'])
    expect((await drift('--env', 'production')).exitCode).toBe(0)
  })
})

test('a client that may not list clients sees ids', async () => {
  const tenant = await standIn({
    'GET /trpc/admin.catalog.drift': (_, response) =>
      json(response, 200, {
        result: {
          data: {
            since: { importId: 'i', importedAt: '2026-01-01T00:00:00.000Z', importedBy: 'client:c1', revision: '2' },
            environmentRevision: '3',
            summary: { created: 1, updated: 0, deleted: 0 },
            items: [
              {
                kind: 'tag',
                key: 'tag:Product/a\u202eb',
                action: 'create',
                changedAt: '2026-01-02T00:00:00.000Z',
                changedBy: 'client:c1',
              },
            ],
          },
        },
      }),
    'GET /api/v1/provision/admin/clients': (_, response) =>
      json(response, 403, { codeName: 'auth.insufficient_scope' }),
  })
  const ended = await licet(['catalog', 'drift'], { env: tenant.variables })
  await tenant.close()
  expect(ended.exitCode).toBe(2)
  expect(ended.stdout).toContain('+ tag:Product/a\\u{202e}b    client c1, 2026-01-02T00:00:00Z')
})
