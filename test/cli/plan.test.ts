import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlanFile } from '../../cli/plan-files/plan-file.ts'
import { licet } from '../support/licet-binary.ts'
import { type Environments, serveEnvironments } from '../support/served-environments.ts'

const products = (price: number, seats: string) => `products:
  - productCode: CAD
    name: CAD
    tags: [Beta, Alpha]
    features:
      - featureCode: SEATS
        featureType: Numeric
        value: '${seats}'
  - productCode: CAM
    name: CAM
plans:
  - suiteCode: CAD
    name: Standard
    status: Published
    plans:
      - name: Pro
        currency: EUR
        monthlyPrice: ${price}
        lineItems:
          - featureValues:
              - featureCode: SEATS
                value: '${seats}'
      - name: Free
        monthlyPrice: 0
`
/** The same, written by somebody else. */
const rewritten = `plans:
  - name: Standard
    plans:
      - {name: Free, monthlyPrice: 0}
      - lineItems: [{featureValues: [{value: "5", featureCode: SEATS}]}]
        monthlyPrice: 59
        currency: EUR
        name: Pro
    status: Published
    suiteCode: CAD
products:
  - name: CAM
    productCode: CAM
  - tags: [Alpha, Beta]
    features: [{value: "5", featureType: Numeric, featureCode: SEATS}]
    name: CAD
    productCode: CAD
`

let here: Environments
const path = (name: string) => join(here.home.directory, name)
const read = (name: string) => readFileSync(path(name), 'utf8')
const readPlan = (name: string): PlanFile => JSON.parse(read(name))
const plan = (out: string, ...more: string[]) =>
  here.run(['catalog', 'plan', '--env', 'production', '--out', out, ...more])
const apply = (file: string, ...more: string[]) => here.run(['catalog', 'apply', file, '--yes', ...more])
const importText = async (text: string, env = 'production') => {
  here.put('given.yaml', text)
  const ended = await here.run(['catalog', 'import', 'given.yaml', '--env', env, '--yes'])
  expect(ended.stderr).not.toMatch(/Error/)
}
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...words], {
    cwd: here.home.directory,
  }).toString()

beforeAll(async () => {
  here = await serveEnvironments(['staging', 'production'])
  here.put('before.yaml', products(49, '3'))
  here.put('catalog/all.yaml', products(59, '5'))
  git('init', '-q')
  git('add', 'catalog')
  git('commit', '-q', '-m', 'catalog')
})
afterAll(() => here.server.stop())

/** Production as it is before each story. */
const reset = async () => importText(products(49, '3'))

describe('a plan', () => {
  test('says everything that a reviewer asks for, and nothing of this machine', async () => {
    await reset()
    const ended = await plan('plan.json', 'catalog', '--exit-code')
    expect(ended.exitCode).toBe(2)
    expect(ended.stdout).toMatch(/^production \(tenant production, revision \d+\) {3}/)
    expect(ended.stdout).toMatch(/~ plan-set CAD\/Standard +catalog\/all\.yaml:12/)
    expect(ended.stdout).toMatch(/plans\/Pro\/monthlyPrice +49 → 59\n/)
    expect(ended.stdout).toMatch(/Wrote plan\.json \(sha256:[0-9a-f]{12}\)\.\nNext: licet catalog apply plan\.json\n$/)
    const written = readPlan('plan.json')
    expect(Object.keys(written)).toEqual([
      'licetPlan',
      'digest',
      'target',
      'promotedFrom',
      'git',
      'selection',
      'summary',
      'items',
      'onlyHere',
      'warnings',
      'snapshotDigest',
      'snapshot',
      'files',
      'places',
    ])
    expect(written).toMatchObject({
      licetPlan: 1,
      target: { tenantId: here.tenantIds.production, environment: 'production' },
      git: { revision: git('rev-parse', 'HEAD').trim(), dirty: false },
      selection: null,
      summary: { create: 0, update: 2, unchanged: 3 },
      files: { 'all.yaml': expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
      places: { 'product:CAD': { file: 'all.yaml', line: 2 } },
    })
    expect(written.items.map(({ key, fingerprint }) => [key, fingerprint])).toEqual([
      ['product:CAD', expect.stringMatching(/^sha256:/)],
      ['plan-set:CAD/Standard', expect.stringMatching(/^sha256:/)],
    ])
    // What stays as it is is not in it.
    expect(written.snapshot.products).toHaveLength(1)
    expect(read('plan.json')).not.toContain(here.home.directory)
    expect(read('plan.json')).not.toMatch(/20\d\d-\d\d-\d\d|127\.0\.0\.1|revision":\s*"\d+"/)
  })

  test('has the same bytes whenever and wherever it is made, and whatever else happens in the environment', async () => {
    await reset()
    await plan('first.json', 'catalog')
    await importText('tags:\n  - scope: Product\n    name: unrelated\nproducts:\n  - productCode: OTHER\n')
    mkdirSync(path('elsewhere/deep'), { recursive: true })
    const args = ['catalog', 'plan', '../../catalog', '--env', 'production', '--out']
    const second = await licet([...args, '../../second.json'], { home: here.home, cwd: path('elsewhere/deep') })
    expect(second.exitCode).toBe(0)
    expect(read('second.json')).toBe(read('first.json'))
    const piped = await here.run([...args.slice(0, 2), 'catalog', ...args.slice(3), '-'])
    expect(piped.stdout).toBe(read('first.json'))
    expect(piped.stderr).toMatch(/plans\/Pro\/monthlyPrice +49 → 59/)
    const asJson = await here.run([...args.slice(0, 2), 'catalog', ...args.slice(3), '-', '--json'])
    expect(asJson.stdout).toBe(read('first.json'))
  })

  test('of files that say the same otherwise differs in nothing but where it comes from', async () => {
    await reset()
    await plan('first.json', 'catalog')
    here.put('other/one.yaml', rewritten)
    await plan('second.json', 'other')
    const [first, second] = [readPlan('first.json'), readPlan('second.json')]
    const { digest, git: _git, files, places, ...change } = second
    expect(first).toMatchObject(change)
    expect(second.snapshotDigest).toBe(first.snapshotDigest)
    expect(digest).not.toBe(first.digest)
    expect(Object.keys(files)).toEqual(['one.yaml'])
    expect(places['product:CAD']).toEqual({ file: 'one.yaml', line: 14 })
    expect(second.git).toMatchObject({ dirty: true })
  })

  test('says when the files are not as committed, and of which revision they are taken', async () => {
    await reset()
    here.put('catalog/new.yaml', 'products:\n  - productCode: NEW\n')
    await plan('dirty.json', 'catalog')
    expect(readPlan('dirty.json').git).toEqual({ revision: git('rev-parse', 'HEAD').trim(), dirty: true })
    execFileSync('rm', [path('catalog/new.yaml')])
    await plan('of-revision.json', 'git:HEAD:catalog')
    expect(readPlan('of-revision.json').git).toEqual({ revision: git('rev-parse', 'HEAD').trim(), dirty: false })
    const piped = await here.run(['catalog', 'plan', '-', '--env', 'production', '--out', 'piped.json'], {
      input: products(59, '5'),
    })
    expect(piped.exitCode).toBe(0)
    expect(readPlan('piped.json')).toMatchObject({ git: null, files: { stdin: expect.any(String) } })
  })

  test('overwrites a plan, and nothing else without --force', async () => {
    await reset()
    here.put('mine.json', '{"mine": true}')
    const refused = await plan('mine.json', 'catalog')
    expect(refused.stderr).toMatch(/mine\.json is there already and is no plan[\s\S]*--force/)
    expect(refused.exitCode).toBe(1)
    expect(read('mine.json')).toBe('{"mine": true}')
    expect((await plan('mine.json', 'catalog', '--force')).exitCode).toBe(0)
    expect((await plan('mine.json', 'catalog')).exitCode).toBe(0)
    const inside = await plan('catalog/plan.json', 'catalog')
    expect(inside.stderr).toMatch(/would be taken for a file of the catalog/)
    expect(inside.exitCode).toBe(1)
  })

  test('of a catalog that cannot be imported is not written', async () => {
    here.put('refused/a.yaml', 'products:\n  - productCode: A\n    parentProductCode: NOPE\n')
    const ended = await plan('refused.json', 'refused', '--json')
    expect(ended.json().error).toMatchObject({ code: 3004, errors: [{ file: 'refused/a.yaml', line: 3 }] })
    expect(() => read('refused.json')).toThrow(/ENOENT/)
  })

  test('of a promotion names the environment that it promotes', async () => {
    await reset()
    await importText(products(59, '5'), 'staging')
    const ended = await plan('promotion.json', '--from', 'staging')
    expect(ended.exitCode).toBe(0)
    expect(readPlan('promotion.json')).toMatchObject({
      promotedFrom: { environment: 'staging', tenantId: here.tenantIds.staging },
      git: null,
      files: {},
    })
    const applied = await apply('promotion.json', '--json')
    expect(applied.json()).toMatchObject({ alreadyApplied: false, summary: { update: 2 } })
  })

  test.each([
    ['without --out', ['catalog', 'plan', 'catalog', '--env', 'production'], /required flag out/],
    [
      'with a directory and --from',
      ['catalog', 'plan', 'catalog', '--from', 'staging', '--out', 'x'],
      /either a directory or --from/,
    ],
    [
      'from the environment itself',
      ['catalog', 'plan', '--from', 'staging', '--env', 'staging', '--out', 'x'],
      /the same environment/,
    ],
    ['with a pattern that is none', ['catalog', 'plan', '--only', 'x', '--env', 'staging', '--out', 'x'], /kind:glob/],
  ])('%s is wrong usage', async (_name, args, message) => {
    const ended = await here.run(args)
    expect(ended.stderr).toMatch(message)
    expect(ended.exitCode).toBe(64)
  })
})

describe('showing a plan', () => {
  const away = { LICET_URL: 'http://127.0.0.1:1/t/x', XDG_CONFIG_HOME: '/nowhere' }

  test('needs no server, no settings and no credentials, and is the picture of the diff', async () => {
    await reset()
    const made = await plan('shown.json', 'catalog', '--only', 'plan-set:*')
    const ended = await licet(['catalog', 'plan', 'show', path('shown.json')], { env: away })
    expect(ended.stderr).toBe('')
    expect(ended.exitCode).toBe(0)
    const body = (text: string) => text.split('\n').filter((line) => /^(?:[~+·]| {4}|\d)/.test(line))
    expect(body(ended.stdout)).toEqual(body(made.stdout.replaceAll('catalog/all.yaml', 'all.yaml')))
    expect(ended.stdout).toMatch(
      /^Selected: only plan-set:\*\n {2}also needs product:CAD \(named by plan-set:CAD\/Standard\)\n/,
    )
    expect(ended.stdout).toContain(
      `\nFrom: 1 file, git ${git('rev-parse', 'HEAD').trim()}\nPlan: ${readPlan('shown.json').digest}\n`,
    )
  })

  test('from stdin, as JSON and as markdown', async () => {
    await reset()
    await plan('shown.json', 'catalog')
    const shown = await licet(['catalog', 'plan', 'show', '-', '--json'], { input: read('shown.json') })
    expect(shown.stdout).toBe(read('shown.json'))
    const markdown = await licet(['catalog', 'plan', 'show', path('shown.json'), '--format', 'markdown'])
    expect(markdown.stdout).toMatch(/^<!-- licet:diff:production -->\n/)
    expect(markdown.stdout).toContain(readPlan('shown.json').digest)
    expect(markdown.stdout).toMatch(/monthlyPrice/)
  })
})

describe('a plan that is not as it was written', () => {
  test.each([
    [
      'a price that was changed',
      (text: string) => text.replace('"monthlyPrice": 59', '"monthlyPrice": 58'),
      'cli.plan_altered',
    ],
    ['half of it', (text: string) => text.slice(0, text.length / 2), 'cli.input'],
  ])('%s: nothing of it is shown or applied', async (_name, alter, codeName) => {
    await reset()
    await plan('sound.json', 'catalog')
    writeFileSync(path('bad.json'), alter(read('sound.json')))
    for (const args of [
      ['plan', 'show', 'bad.json'],
      ['apply', 'bad.json', '--yes', '--env', 'production'],
    ]) {
      const ended = await here.run(['catalog', ...args, '--json'])
      expect(ended.json().error).toMatchObject({ codeName })
      expect(ended.exitCode).toBe(1)
    }
    const unchanged = await here.run(['catalog', 'diff', 'before.yaml', '--env', 'production', '--exit-code'])
    expect(unchanged.exitCode).toBe(0)
  })

  test('line ends of another system, and a missing last one, are no alteration', async () => {
    await reset()
    await plan('sound.json', 'catalog')
    writeFileSync(path('windows.json'), read('sound.json').trimEnd().replaceAll('\n', '\r\n'))
    expect((await here.run(['catalog', 'plan', 'show', 'windows.json'])).exitCode).toBe(0)
  })

  test('one that is too large is not read to its end, one that is not there is named', async () => {
    writeFileSync(path('large.json'), '')
    truncateSync(path('large.json'), 65 * 1024 * 1024)
    expect((await here.run(['catalog', 'plan', 'show', 'large.json'])).stderr).toMatch(/large\.json is larger than/)
    expect((await here.run(['catalog', 'apply', 'nowhere.json', '--yes'])).stderr).toMatch(
      /nowhere\.json: no such file/,
    )
  })
})

describe('applying a plan', () => {
  test('does exactly what it shows, and says so when it is applied again', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    const first = await apply('apply.json')
    expect(first.stdout).toMatch(/plans\/Pro\/monthlyPrice +49 → 59\n/)
    expect(first.stdout).toMatch(/Applied to production: import [0-9a-f-]{36}, revision \d+\.\n$/)
    expect((await here.run(['catalog', 'diff', 'catalog', '--env', 'production', '--exit-code'])).exitCode).toBe(0)
    const imports = await here.run(['api', 'GET', '/api/v1/provision/admin/catalog/imports', '--env', 'production'])
    const { digest, git: revision } = readPlan('apply.json')
    expect(imports.stdout).toContain(`plan ${digest.slice(0, 19)}, git ${revision!.revision.slice(0, 12)}`)

    const again = await apply('apply.json')
    expect(again.stdout).toBe('Already applied: production is as the plan makes it; nothing was changed.\n')
    expect(again.exitCode).toBe(0)
    const document = (await apply('apply.json', '--json')).json()
    expect(Object.keys(document).slice(0, 4)).toEqual(['importId', 'alreadyApplied', 'digest', 'alreadyThere'])
    expect(document).toMatchObject({
      importId: null,
      alreadyApplied: true,
      digest,
      alreadyThere: ['product:CAD', 'plan-set:CAD/Standard'],
      summary: { create: 0, update: 0 },
    })
  })

  test('an unrelated edit does not matter, nor one of an item that the files have and the plan does not change', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    await importText('products:\n  - productCode: CAM\n    description: edited since\n  - productCode: THIRD\n')
    const ended = (await apply('apply.json', '--json')).json()
    expect(ended).toMatchObject({ alreadyApplied: false, summary: { create: 0, update: 2 }, onlyHere: [] })
  })

  test('a key that it changes and that moved is refused, named with who moved it and when', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    await importText(products(55, '3'))
    const ended = await apply('apply.json')
    expect(ended.stderr).toMatch(
      /production has moved since the plan was made: what the plan changes changed; nothing was applied/,
    )
    expect(ended.stderr).toMatch(/plan-set:CAD\/Standard: changed 20\d\d-\d\d-\d\dT\S+ by \S+/)
    expect(ended.stderr).toMatch(/Try: make the plan again/)
    expect(ended.exitCode).toBe(1)
    const document = (await apply('apply.json', '--json')).json()
    expect(document.error).toMatchObject({
      code: 3005,
      codeName: 'catalog.environment_changed',
      errors: [{ key: 'plan-set:CAD/Standard', changedAt: expect.any(String), changedBy: expect.any(String) }],
    })
    expect((await here.run(['catalog', 'diff', 'given.yaml', '--env', 'production', '--exit-code'])).exitCode).toBe(0)
  })

  test('what others did of it already is left, the rest is applied', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    await importText(
      products(49, '3').replace("        value: '3'\n  - productCode: CAM", "        value: '5'\n  - productCode: CAM"),
    )
    const ended = await apply('apply.json')
    expect(ended.stdout).toMatch(/1 of the plan's 2 items are there already\./)
    expect(ended.stdout).not.toMatch(/features\/SEATS/)
    expect(ended.exitCode).toBe(0)
    expect((await here.run(['catalog', 'diff', 'catalog', '--env', 'production', '--exit-code'])).exitCode).toBe(0)
  })

  test('two at a time: one applies it, the other says that it is applied', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    const both = await Promise.all([apply('apply.json', '--json'), apply('apply.json', '--json')])
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    expect(both.map((ended) => ended.json().alreadyApplied).sort()).toEqual([false, true])
  })

  test('another tenant than the plan is for is refused before anything is sent there', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    const ended = await apply('apply.json', '--env', 'staging', '--json')
    expect(ended.json().error).toMatchObject({ codeName: 'cli.wrong_tenant' })
    expect(ended.json().error.message).toContain(
      `The plan is for tenant ${here.tenantIds.production} ("production" where it was made), but staging is tenant ${here.tenantIds.staging}`,
    )
    expect(ended.exitCode).toBe(1)
  })

  test('one with nothing to do is written, and applying it says so', async () => {
    await reset()
    const made = await here.run([
      'catalog',
      'plan',
      'before.yaml',
      '--env',
      'production',
      '--out',
      'nothing.json',
      '--exit-code',
    ])
    expect(made.stdout).toMatch(/Nothing to do: [\s\S]*Wrote nothing\.json/)
    expect(made.exitCode).toBe(0)
    const ended = await apply('nothing.json')
    expect(ended.stdout).toBe('Nothing to do: the plan changes nothing.\n')
    expect((await apply('nothing.json', '--json')).json()).toMatchObject({
      importId: null,
      alreadyApplied: false,
      items: [],
    })
  })

  test('nobody can be asked: --yes is named', async () => {
    await reset()
    await plan('apply.json', 'catalog')
    const ended = await here.run(['catalog', 'apply', 'apply.json'])
    expect(ended.stderr).toMatch(/Apply the plan to production: 0 to create, 2 to update\?[\s\S]*Try: --yes/)
    expect(ended.exitCode).toBe(1)
  })
})

test('no secret is in a plan or in what making and applying it prints', async () => {
  await reset()
  const { environments } = JSON.parse(readFileSync(join(here.home.config, 'environments.json'), 'utf8'))
  const secret: string = environments.production.clientSecret
  expect(secret.length).toBeGreaterThan(10)
  const outputs = [
    await plan('secret.json', 'catalog', '--json'),
    await plan('secret.json', 'catalog'),
    await here.run(['catalog', 'plan', 'show', 'secret.json']),
    await apply('secret.json', '--json'),
  ].flatMap(({ stdout, stderr }) => [stdout, stderr])
  for (const text of [...outputs, read('secret.json')]) {
    expect(text).not.toContain(secret)
    expect(text).not.toMatch(/eyJ[\w-]{10,}\./)
    expect(text).not.toContain(environments.production.clientId)
  }
  const env = {
    LICET_URL: `http://user:canary@127.0.0.1:1/t/x`,
    LICET_CLIENT_ID: 'c',
    LICET_CLIENT_SECRET: 'canary-secret',
  }
  const refused = await here.run(['catalog', 'plan', 'catalog', '--out', 'userinfo.json'], { env })
  expect(refused.exitCode).toBe(1)
  expect(refused.stdout + refused.stderr).not.toContain('canary')
})
