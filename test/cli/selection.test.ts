import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Environments, serveEnvironments } from '../support/served-environments.ts'

const catalog = `products:
  - productCode: CAD
    name: CAD
    tags: [Beta]
  - productCode: OTHER
    name: Other
featureCatalog:
  - {productCode: CAD, featureCode: EXPORT, name: Export}
  - {productCode: CAD, featureCode: IMPORT, name: Import}
tags:
  - {scope: Product, name: Beta, color: '#ff0000'}
  - {scope: Product, name: Unused}
plans:
  - suiteCode: CAD
    name: Standard
    plans:
      - name: Pro
        lineItems: [{featureValues: [{featureCode: EXPORT, value: 'true'}]}]
`
const needed = [
  { key: 'tag:Product/Beta', neededBy: 'product:CAD' },
  { key: 'product:CAD', neededBy: 'plan-set:CAD/Standard' },
  { key: 'feature:CAD/EXPORT', neededBy: 'plan-set:CAD/Standard' },
]
const above = `Selected: only plan-set:*
  also needs tag:Product/Beta (named by product:CAD)
  also needs product:CAD (named by plan-set:CAD/Standard)
  also needs feature:CAD/EXPORT (named by plan-set:CAD/Standard)

`

let here: Environments
const only = ['--only', 'plan-set:*']
beforeAll(async () => {
  here = await serveEnvironments(['staging', 'production', 'empty'])
  here.put('catalog/all.yaml', catalog)
  here.put('legacy.yaml', 'tags:\n  - {scope: Product, name: Legacy}\nproducts:\n  - productCode: LEGACY\n')
  for (const [files, env] of [
    ['catalog', 'staging'],
    ['legacy.yaml', 'production'],
  ] as const)
    expect((await here.run(['catalog', 'import', files, '--env', env, '--yes'])).exitCode).toBe(0)
})
afterAll(() => here.server.stop())

describe('a part of a catalog', () => {
  test('is compared with what it needs, which is shown above the difference and stands in the JSON', async () => {
    const ended = await here.run(['catalog', 'diff', 'catalog', '--env', 'production', ...only])
    expect(ended.stdout.startsWith(above)).toBe(true)
    expect(ended.stdout).toMatch(/\n4 to create, 0 to update \(0 fields\), 0 unchanged\.\n/)
    expect(ended.stdout).not.toMatch(/legacy/i)
    expect(ended.stdout).toMatch(
      /\nNext: licet catalog plan catalog --env production --only 'plan-set:\*' --out plan\.json\n$/,
    )
    const report = (await here.run(['catalog', 'diff', 'catalog', '--env', 'production', ...only, '--json'])).json()
    expect(report.selection).toEqual({ only: ['plan-set:*'], exclude: [], alsoNeeded: needed })
    expect(report.summary).toMatchObject({ create: 4, onlyHere: 0 })
    const markdown = await here.run([
      'catalog',
      'diff',
      'catalog',
      '--env',
      'production',
      ...only,
      '--format',
      'markdown',
    ])
    expect(markdown.stdout).toContain('also needs feature:CAD/EXPORT (named by plan-set:CAD/Standard)')
  })

  test('of files is compared without a server, too', async () => {
    const args = ['catalog', 'diff', '--from', 'legacy.yaml', '--to', 'catalog', ...only]
    const ended = await here.run(args, { env: { LICET_URL: 'http://no.invalid/t/x' } })
    expect(ended.stdout.startsWith(above)).toBe(true)
    expect(ended.exitCode).toBe(0)
  })

  test('is what the variables of the flags say, a pattern on each line', async () => {
    const env = { LICET_ONLY: 'plan-set:*\n\n  product:CAD\n', LICET_EXCLUDE: 'feature:*/IMPORT' }
    const { selection } = (await here.run(['catalog', 'diff', 'catalog', '--env', 'empty', '--json'], { env })).json()
    expect(selection).toMatchObject({ only: ['plan-set:*', 'product:CAD'], exclude: ['feature:*/IMPORT'] })
  })

  test('is what the examples of the help and the README choose of the catalog that the README begins with', async () => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
    here.put('readme.yaml', /```yaml\n(# catalog\/[\s\S]*?)```/.exec(readme)![1]!)
    here.put('nothing.yaml', '{}\n')
    const inReadme = /take patterns on keys \(`([^`]+)`/.exec(readme)![1]!
    const examples = [['--only', inReadme]]
    for (const command of ['diff', 'import', 'plan']) {
      const { stdout } = await here.run(['catalog', command, '--help'])
      const [line] = /^.*catalog .* --only '.*$/m.exec(stdout)!
      examples.push(
        [...line.matchAll(/(--(?:only|exclude)) '([^']+)'/g)].flatMap(([, flag, pattern]) => [flag!, pattern!]),
      )
    }
    for (const flags of examples) {
      const ended = await here.run(['catalog', 'diff', '--from', 'nothing.yaml', '--to', 'readme.yaml', ...flags])
      expect(ended.exitCode, ended.stderr).toBe(0)
    }
  })

  test('speaks of what only the environment has where a pattern means it', async () => {
    const args = ['catalog', 'diff', 'catalog', '--env', 'production', '--only', 'product:*']
    expect((await here.run(args)).stdout).toMatch(/^· product:LEGACY +only in production/m)
    expect((await here.run([...args.slice(0, -1), 'product:C*'])).stdout).not.toMatch(/LEGACY/)
  })

  test('is planned, and the plan records it and holds nothing else', async () => {
    const args = ['catalog', 'plan', 'catalog', '--env', 'production', ...only, '--exclude', 'feature:*/IMPORT']
    const ended = await here.run([...args, '--out', 'part.json', '--json'])
    const selection = { only: ['plan-set:*'], exclude: ['feature:*/IMPORT'], alsoNeeded: needed }
    expect(ended.json()).toMatchObject({ plan: 'part.json', selection, needs: [] })
    const plan = JSON.parse(readFileSync(join(here.home.directory, 'part.json'), 'utf8'))
    expect(plan.selection).toEqual(selection)
    expect(plan.items).toHaveLength(4)
    expect(Object.keys(plan.snapshot)).toEqual(['formatVersion', 'tags', 'products', 'featureCatalog', 'plans'])
    expect(plan.snapshot.featureCatalog).toHaveLength(1)
    const shown = await here.run(['catalog', 'plan', 'show', 'part.json'])
    expect(shown.stdout.startsWith(above.replace('plan-set:*', 'plan-set:*; without feature:*/IMPORT'))).toBe(true)
  })

  test('is promoted with what it needs, and nothing else of it arrives', async () => {
    const args = ['catalog', 'promote', '--from', 'staging', '--to', 'empty', ...only, '--yes']
    const ended = await here.run(args)
    expect(ended.stdout.startsWith(above)).toBe(true)
    expect(ended.stdout).toMatch(/4 to create[\s\S]*Promoted to empty/)
    const after = (await here.run(['catalog', 'export', '-', '--env', 'empty', '--json'])).json()
    expect(after.products.map((item: { productCode: string }) => item.productCode)).toEqual(['CAD'])
    expect(after.featureCatalog).toHaveLength(1)
    expect(after.tags).toMatchObject([{ name: 'Beta', color: '#ff0000' }])
    const again = await here.run([...args, '--json'])
    expect(again.json()).toMatchObject({ importId: null, selection: { alsoNeeded: [] }, summary: { unchanged: 1 } })
  })

  test('is imported without what is excluded', async () => {
    const args = [
      'catalog',
      'import',
      'catalog',
      '--env',
      'production',
      '--exclude',
      'tag:*',
      '--exclude',
      'product:OTHER',
    ]
    const ended = (await here.run([...args, '--yes', '--json'])).json()
    expect(ended.selection).toEqual({ only: [], exclude: ['product:OTHER', 'tag:*'], alsoNeeded: [] })
    const keys = ended.items.map((item: { key: string }) => item.key)
    expect(keys).toContain('product:CAD')
    expect(keys).not.toContain('product:OTHER')
    expect(ended.onlyHere).toEqual([{ kind: 'product', key: 'product:LEGACY' }])
    // Naming a tag creates it, bare.
    expect(keys).toContain('tag:Product/Beta')
  })

  test.each([
    [
      'a pattern that means nothing',
      ['--only', 'product:CAT'],
      /--only product:CAT is nothing in this catalog[\s\S]*Try: product:CAD/,
    ],
    [
      'a key in another letter case',
      ['--only', 'product:cad'],
      /--only product:cad is nothing in this catalog[\s\S]*Try: product:CAD\n/,
    ],
    ['an exclusion that means nothing', ['--exclude', 'add-on:*'], /--exclude add-on:\* is nothing in this catalog/],
    ['a kind that is none', ['--only', 'prodcut:A'], /--only takes kind:glob, not "prodcut:A"[\s\S]*Try: product:A/],
    [
      'an exclusion of what is needed',
      ['--only', 'plan-set:*', '--exclude', 'product:CAD'],
      /product:CAD is excluded, but plan-set:CAD\/Standard needs it/,
    ],
  ])('%s is wrong usage', async (_name, flags, message) => {
    const ended = await here.run(['catalog', 'diff', '--from', 'legacy.yaml', '--to', 'catalog', ...flags])
    expect(ended.stderr).toMatch(message)
    expect(ended.exitCode).toBe(64)
  })
})
