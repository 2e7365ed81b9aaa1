import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { licet } from '../support/licet-binary.ts'
import type { Environments } from '../support/served-environments.ts'
import { type Planned, planCatalogs, products, rewritten } from './planned-catalog.ts'

let planned: Planned
let here: Environments
const path = (name: string) => planned.path(name)
const read = (name: string) => planned.read(name)
const readPlan = (name: string) => planned.readPlan(name)
const plan = (out: string, ...more: string[]) => planned.plan(out, ...more)
const apply = (file: string, ...more: string[]) => planned.apply(file, ...more)
const importText = (text: string, env?: string) => planned.importText(text, env)
const reset = () => planned.reset()
const git = (...words: string[]) => planned.git(...words)

beforeAll(async () => {
  planned = await planCatalogs()
  here = planned.here
})
afterAll(() => here.server.stop())

describe('a plan', () => {
  test('says everything that a reviewer asks for, and nothing of this machine', async () => {
    await reset()
    const ended = await plan('plan.json', 'catalog', '--exit-code')
    expect(ended.exitCode).toBe(2)
    expect(ended.stdout).toMatch(/^production \(tenant production, revision \d+\) {3}/)
    expect(ended.stdout).toMatch(/~ plan-set:CAD\/Standard +catalog\/all\.yaml:12/)
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
      summary: { create: 0, update: 2, unchanged: 1 },
      files: { 'all.yaml': expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
      places: { 'product:CAD': { file: 'catalog/all.yaml', line: 2 } },
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
    expect(places['product:CAD']).toEqual({ file: 'other/one.yaml', line: 14 })
    expect(second.git).toMatchObject({ dirty: true })
  })

  test('says when the files are not as committed, and of which revision they are taken', async () => {
    await reset()
    here.put('catalog/new.yaml', 'products:\n  - productCode: NEW\n')
    await plan('dirty.json', 'catalog')
    expect(readPlan('dirty.json').git).toEqual({ revision: git('rev-parse', 'HEAD').trim(), dirty: true })
    here.put('.git/info/exclude', 'new.yaml\n')
    await plan('ignored.json', 'catalog')
    expect(readPlan('ignored.json').git).toEqual({ revision: git('rev-parse', 'HEAD').trim(), dirty: true })
    execFileSync('rm', [path('catalog/new.yaml'), path('.git/info/exclude')])
    await plan('of-revision.json', 'git:HEAD:catalog')
    expect(readPlan('of-revision.json').git).toEqual({ revision: git('rev-parse', 'HEAD').trim(), dirty: false })
    expect(readPlan('of-revision.json').places['product:CAD']).toEqual({ file: 'catalog/all.yaml', line: 2 })
    const piped = await here.run(['catalog', 'plan', '-', '--env', 'production', '--out', 'piped.json'], {
      input: products(59, '5'),
    })
    expect(piped.exitCode).toBe(0)
    expect(readPlan('piped.json')).toMatchObject({ git: null, files: { stdin: expect.any(String) } })
  })

  test('runs nothing that a directory of the clone, laid out as a repository itself, would have git run', async () => {
    await reset()
    here.put('trap/products.yaml', 'products:\n  - productCode: NEW\n')
    const inTrap = (...words: string[]) => git('--git-dir', path('trap'), '--work-tree', '.', ...words)
    git('init', '--quiet', '--bare', 'trap')
    inTrap('add', 'trap/products.yaml')
    inTrap('commit', '--quiet', '--message', 'a trap')
    const core = '[core]\nrepositoryformatversion = 0\nbare = false\nworktree = ..\n'
    here.put('trap/config', `${core}[filter "f"]\nclean = "touch ${path('ran')}; cat"\n`)
    here.put('trap/info/attributes', '*.yaml filter=f\n')
    // Of the same size: git looks into it.
    here.put('trap/products.yaml', 'products:\n  - productCode: OLD\n')
    expect((await plan('trap.json', 'trap')).exitCode).toBe(0)
    expect(existsSync(path('ran'))).toBe(false)
    expect(readPlan('trap.json').git).toBeNull()
  })

  test('overwrites a plan, and nothing else without --force', async () => {
    await reset()
    here.put('mine.json', '{"mine": true}')
    const refused = await plan('mine.json', 'catalog')
    expect(refused.stderr).toMatch(/mine\.json is there already and is no plan[\s\S]*--force/)
    expect(refused.exitCode).toBe(1)
    expect(read('mine.json')).toBe('{"mine": true}')
    expect((await plan('catalog', 'catalog')).stderr).toMatch(/catalog is there already and is no plan/)
    expect((await plan('catalog', 'catalog', '--force')).stderr).toMatch(/Cannot write catalog: is a directory/)
    expect((await plan('mine.json', 'catalog', '--force')).exitCode).toBe(0)
    expect((await plan('mine.json', 'catalog')).exitCode).toBe(0)
    const inside = await plan('catalog/plan.json', 'catalog')
    expect(inside.stderr).toMatch(/would be taken for a file of the catalog/)
    expect(inside.exitCode).toBe(1)
  })

  test.each([
    ['the catalog is named by a link', 'catalog/plan.json', 'cat'],
    ['the place is named by a link', 'cat/plan.json', 'catalog'],
    ['the file is a link', 'linked', 'catalog', '--force'],
  ])('is not written into the catalog where %s', async (_name, file, ...more) => {
    await reset()
    for (const [link, to] of Object.entries({ cat: 'catalog', linked: 'catalog/all.yaml' }))
      if (!existsSync(path(link))) symlinkSync(to, path(link))
    const inside = await plan(file, ...more)
    expect(inside.stderr).toMatch(/would be taken for a file of the catalog/)
    expect(inside.exitCode).toBe(1)
  })

  test('goes from a diff in the catalog itself to a name that is none of its files; one left there is told as a plan', async () => {
    await reset()
    const cwd = path('catalog')
    const shown = await licet(['catalog', 'diff', '.', '--env', 'production'], { home: here.home, cwd })
    const [, words] = /\nNext: licet (catalog plan .*)\n$/.exec(shown.stdout) ?? []
    const next = words!.split(' ')
    const refused = await licet(next.with(-1, 'plan.json'), { home: here.home, cwd })
    expect(refused.stderr).toMatch(/In "\.", plan\.json would be taken for a file of the catalog\./)
    const planned = await licet(next, { home: here.home, cwd })
    expect(planned.exitCode, planned.stderr).toBe(0)

    here.put('with-plan/plan.json', read('catalog/plan.licet'))
    rmSync(path('catalog/plan.licet'))
    const { findings } = (await here.run(['catalog', 'validate', 'with-plan', '--json'])).json()
    expect(findings).toMatchObject([{ codeName: 'file.plan-file', file: 'with-plan/plan.json', line: 2 }])
  })

  test('is named in the next command as a shell takes it', async () => {
    await reset()
    expect((await plan("the team's plan.json", 'catalog')).stdout).toMatch(
      /^Next: licet catalog apply 'the team'\\''s plan\.json'$/m,
    )
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
    ['without --out', ['catalog', 'plan', 'catalog', '--env', 'production'], /required flag --out/],
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
    expect(body(ended.stdout)).toEqual(body(made.stdout))
    expect(ended.stdout).toMatch(/^Selected: only plan-set:\*\n\nproduction /)
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
    expect(markdown.stdout).toMatch(/^<!-- licet:plan:production -->\n/)
    expect(markdown.stdout).toContain(readPlan('shown.json').digest)
    expect(markdown.stdout).toMatch(/monthlyPrice/)
    expect(markdown.stdout).toContain('catalog/all.yaml:12')
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
    // Of a catalog as large as a server takes, a plan is larger still.
    truncateSync(path('large.json'), 65 * 1024 * 1024)
    expect((await here.run(['catalog', 'plan', 'show', 'large.json'])).stderr).toMatch(/large\.json is not JSON/)
    truncateSync(path('large.json'), 257 * 1024 * 1024)
    expect((await here.run(['catalog', 'plan', 'show', 'large.json'])).stderr).toMatch(/large\.json is larger than/)
    expect((await here.run(['catalog', 'apply', 'nowhere.json', '--yes'])).stderr).toMatch(
      /nowhere\.json: no such file/,
    )
  })
})
