import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshHome, type Home, licet } from '../support/licet-binary.ts'
import { json, type StandIn, standIn } from './tenant-stand-in.ts'

const home: Home = freshHome()
const run = (args: string[], more: { env?: Record<string, string>; cwd?: string; input?: string } = {}) =>
  licet(['catalog', ...args], { home, ...more })
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(home.directory, path)), { recursive: true })
  writeFileSync(join(home.directory, path), text)
}
const diff = ['diff', '--from', 'one', '--to', 'two']

beforeAll(() => {
  put('one/products.yaml', "products:\n  - productCode: A\n    name: 'Old'\ntags: []\n")
  put('two/all.yaml', 'products:\n  - productCode: A\n    name: New\n  - productCode: B\n    name: Two\n')
  put('wrong/a.yaml', 'products:\n  - productCode: A\n    nmae: x\n')
  put('refused/a.yaml', 'products:\n  - productCode: A\n    name: A\n    parentProductCode: NOPE\n')
})

describe('catalog diff --format markdown', () => {
  test('writes the comment to stdout and nothing else', async () => {
    const ended = await run([...diff, '--format', 'markdown', '--exit-code'])
    expect(ended.stdout).toBe(`<!-- licet:diff:one -->
**Importing \`two\` into \`one\` creates 1 item and updates 1 (1 field)**; 0 items are the same.

|  | create | update | only there |
| --- | ---: | ---: | ---: |
| products | 1 | 1 |  |

<details>
<summary>products: 1 to create, 1 to update</summary>

- update \`product:A\` · \`two/all.yaml:2\`
  - \`name\`: \`"Old" → "New"\` (line 3)
- create \`product:B\` · \`two/all.yaml:4\`

</details>
`)
    expect(ended.stderr).toBe('')
    expect(ended.exitCode).toBe(2)
  })

  test('has a form for nothing to do, and two for a catalog that cannot be imported', async () => {
    const none = await run(['diff', '--from', 'one', '--to', 'one', '--format', 'markdown'])
    expect(none.stdout).toBe(
      '<!-- licet:diff:one -->\n**Importing `one` into `one` changes nothing**: 1 item is the same.\n',
    )
    const unsound = await run(['diff', '--from', 'one', '--to', 'wrong', '--format', 'markdown'])
    expect(unsound.stdout).toMatch(/^<!-- licet:diff:one -->\n\*\*`wrong` and `one` cannot be compared\*\*: 1 error\./)
    expect(unsound.stdout).toMatch(/```text\nwrong\/a\.yaml:3:5 error: .*"nmae"[^\n]*\n {2}3 \| .*\n[^`]*```\n$/)
    expect(unsound.stderr).toMatch(/^Error: 1 error in wrong/)
    expect(unsound.exitCode).toBe(1)
    const refused = await run(['diff', '--from', 'one', '--to', 'refused', '--format', 'markdown'])
    expect(refused.stdout).toMatch(
      /^<!-- licet:diff:one -->\n\*\*`one` would refuse `refused`\*\*: 1 error\.\n\n```text\n/,
    )
    expect(refused.stdout).toContain('refused/a.yaml:4:24 error: ')
    expect(refused.exitCode).toBe(1)
  })

  test('of 10,000 changes is a comment that GitHub takes', async () => {
    const many = Array.from(
      { length: 10_000 },
      (_, index) => `  - { productCode: P${index}, name: "${'`|@x<b>'.repeat(9)}" }\n`,
    )
    put('many/a.yaml', `products:\n${many.join('')}`)
    const ended = await run(['diff', '--from', 'one', '--to', 'many', '--format', 'markdown'])
    expect(ended.stdout.length).toBeLessThanOrEqual(60_000)
    expect(ended.stdout).toMatch(/… and \d{4} more items not shown here\./)
    expect(ended.exitCode).toBe(0)
  })
})

describe('catalog diff --summary', () => {
  test('adds the markdown below what the summary of the step holds, beside any format', async () => {
    put('summary.md', '# Before\n')
    const env = { GITHUB_STEP_SUMMARY: join(home.directory, 'summary.md') }
    const ended = await run([...diff, '--summary', '--json'], { env })
    expect(ended.json().summary).toMatchObject({ create: 1, update: 1 })
    await run(['diff', '--from', 'one', '--to', 'refused', '--summary'], { env })
    expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(
      /^# Before\n\n<!-- licet:diff:one -->\n[\s\S]*<\/details>\n\n<!-- licet:diff:one -->\n\*\*`one` would refuse/,
    )
  })

  test.each([
    ['outside of a workflow', {}, /GITHUB_STEP_SUMMARY names, and that is not set/],
    ['of a directory', { GITHUB_STEP_SUMMARY: '/' }, /Cannot write the job summary \/: is a directory/],
    ['in no directory', { GITHUB_STEP_SUMMARY: '/no/such/file' }, /no such file or directory/],
  ])('%s says what is missing', async (_name, env, message) => {
    const ended = await run([...diff, '--summary'], { env })
    expect(ended.stderr).toMatch(message)
    expect(ended.exitCode).toBe(1)
  })

  test('does not make a summary larger than GitHub shows', async () => {
    const path = join(home.directory, 'full.md')
    writeFileSync(path, 'x'.repeat(1024 * 1024 - 10))
    const ended = await run([...diff, '--summary'], { env: { GITHUB_STEP_SUMMARY: path } })
    expect(ended.stderr).toMatch(/GitHub shows none over 1048576 \(1 MiB\)/)
    expect(readFileSync(path, 'utf8')).toHaveLength(1024 * 1024 - 10)
  })
})

describe('--format github', () => {
  test('annotates the lines that cause a change, one workflow command a line', async () => {
    const ended = await run([...diff, '--format', 'github'])
    expect(ended.stdout).toBe(
      '::notice file=two/all.yaml,line=3,endLine=3,col=11,endColumn=14,title=update product%3AA::name: "Old" → "New"\n' +
        '::notice file=two/all.yaml,line=4,endLine=4,col=5,endColumn=19,title=create product%3AB::Importing would create it in one\n',
    )
    expect(ended.stderr).toBe('1 to create, 1 to update (1 field), 0 unchanged.\n')
    const none = await run(['diff', '--from', 'one', '--to', 'one', '--format', 'github'])
    expect([none.stdout, none.exitCode]).toEqual(['', 0])
  })

  test('gives paths from the workspace, wherever it is run', async () => {
    const cwd = join(home.directory, 'two')
    const from = (env: Record<string, string>) =>
      run(['diff', '--from', '../one', '--to', '.', '--format', 'github'], { cwd, env }).then(
        ({ stdout }) => /^::notice (?:file=([^,]*),)?.*$/m.exec(stdout)?.[1],
      )
    expect(await from({ GITHUB_WORKSPACE: home.directory })).toBe('two/all.yaml')
    expect(await from({ GITHUB_WORKSPACE: dirname(home.directory) })).toMatch(/^licet-home-\w+\/two\/all\.yaml$/)
    expect(await from({ GITHUB_WORKSPACE: join(home.directory, 'one') })).toBeUndefined()
    mkdirSync(join(home.directory, '.git'), { recursive: true })
    expect(await from({})).toBe('two/all.yaml')
  })

  test('turns what is wrong with the files, and what would be refused, into errors', async () => {
    const unsound = await run(['diff', '--from', 'one', '--to', 'wrong', '--format', 'github'])
    expect(unsound.stdout).toMatch(
      /^::error file=wrong\/a\.yaml,line=3,endLine=3,col=5,endColumn=9,title=product%3AA::[^\n]*nmae[^\n]*\n$/,
    )
    expect(unsound.exitCode).toBe(1)
    const refused = await run(['diff', '--from', 'one', '--to', 'refused', '--format', 'github'])
    expect(refused.stdout).toMatch(
      /^::error file=refused\/a\.yaml,line=4,endLine=4,col=24,endColumn=28,title=product%3AA::[^\n]*\n$/,
    )
    expect(refused.stderr).toMatch(/^Error: An error: one would refuse refused\./)
    expect(refused.exitCode).toBe(1)
  })

  test('of validate keeps within what GitHub shows, and says how many more there are', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `  - { productCode: P${index}, odd${index}: 1 }\n`)
    put('odd/a.yaml', `products:\n${many.join('')}`)
    const ended = await run(['validate', 'odd', '--format', 'github'])
    const lines = ended.stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(10)
    expect(lines[0]).toMatch(/^::error file=odd\/a\.yaml,line=2,/)
    expect(lines[9]).toMatch(/^::error title=21 more errors::GitHub shows 10 errors of a step\./)
    expect(ended.stderr).toBe('odd: 30 errors (30 items in 1 file).\n')
    expect(ended.exitCode).toBe(1)
  })

  test('of validate from stdin has no file', async () => {
    const ended = await run(['validate', '-', '--format', 'github'], { input: 'more: 1\n' })
    expect(ended.stdout).toMatch(/^::error title=file\.unknown-section::stdin:1: There is no section/)
    expect(ended.stderr).toMatch(/^stdin: 1 error /)
  })
})

describe('catalog validate --format sarif', () => {
  test.each([
    ['one', 0, 0],
    ['wrong', 1, 1],
  ])('of %s is one document with %i results and exit %i', async (directory, results, exitCode) => {
    const ended = await run(['validate', directory, '--format', 'sarif'])
    expect(ended.json()).toMatchObject({ version: '2.1.0', runs: [{ tool: { driver: { name: 'licet' } } }] })
    expect(ended.json().runs[0].results).toHaveLength(results)
    expect(ended.exitCode).toBe(exitCode)
    expect(ended.stdout).not.toContain(home.directory)
  })
})

describe('--json beside another format', () => {
  test.each([
    [['diff', '--from', 'one', '--to', 'two'], 'markdown'],
    [['diff', '--from', 'one', '--to', 'two'], 'github'],
    [['diff', '--from', 'one', '--to', 'two'], 'pretty'],
    [['validate', 'one'], 'sarif'],
    [['validate', 'one'], 'github'],
  ])('%j is wrong usage with %s, told in one document', async (args, format) => {
    const ended = await run([...args, '--json', '--format', format])
    expect(ended.json().error).toMatchObject({
      codeName: 'cli.usage',
      message: expect.stringContaining(`--format ${format}`),
    })
    expect(ended.exitCode).toBe(64)
    const byVariables = await run(args, { env: { LICET_JSON: '1', LICET_FORMAT: format } })
    expect(byVariables.exitCode).toBe(64)
  })

  test('is the same as --format json', async () => {
    const both = await run([...diff, '--json', '--format', 'json'])
    expect(both.json().summary).toMatchObject({ create: 1, update: 1 })
  })
})

describe('a diff with a server', () => {
  let server: StandIn
  const entitlements = 212
  beforeAll(async () => {
    const report = {
      formatVersion: '1.0',
      comparedAt: '2026-01-01T00:00:00Z',
      sourceTenantId: null,
      targetTenantId: 't',
      environmentRevision: '418',
      summary: { create: 1, update: 1, unchanged: 0, onlyHere: 0, errors: 0, warnings: 0 },
      items: [
        {
          kind: 'product',
          key: 'product:A',
          action: 'update',
          changes: [{ path: '/name', before: 'x', after: 'New' }],
          fingerprint: 'f',
          affects: { entitlements },
        },
        { kind: 'product', key: 'product:B', action: 'create', fingerprint: null, affects: { entitlements: 1 } },
      ],
      onlyHere: [],
      errors: [],
      warnings: [],
    }
    server = await standIn({
      'POST /trpc/admin.catalog.compare': (_, out) => json(out, 200, { result: { data: report } }),
    })
  })
  afterAll(() => server.close())
  const withServer = (...args: string[]) => run(['diff', 'two', ...args], { env: server.variables })

  test('says in every format how many live entitlements a change touches', async () => {
    const pretty = await withServer()
    expect(pretty.stdout).toMatch(/name {4}"x" → "New" {4}touches 212 live entitlements\n/)
    expect(pretty.stdout).toMatch(/\+ product:B .*two\/all\.yaml:4 {4}touches 1 live entitlement\n/)
    const markdown = (await withServer('--format', 'markdown')).stdout
    expect(markdown).toContain('creates 1 item, updates 1 (1 field) and touches up to 213 live entitlements**')
    expect(markdown).toContain('| products | 1 | 1 |  | 213 |')
    expect(markdown).toContain('- update `product:A` · `two/all.yaml:2` · touches 212 live entitlements\n')
    expect(markdown).toContain('- create `product:B` · `two/all.yaml:4` · touches 1 live entitlement\n')
    const github = (await withServer('--format', 'github')).stdout.split('\n')
    expect(github[0]).toMatch(
      /^::warning file=two\/all\.yaml,line=3,.*name: "x" → "New"; touches 212 live entitlements$/,
    )
    expect(github[1]).toMatch(/^::warning file=two\/all\.yaml,line=4,.*create it in .*; touches 1 live entitlement$/)
    expect((await withServer('--json')).json().items[0].affects).toEqual({ entitlements })
  })

  test('goes on with a plan', async () => {
    expect((await withServer()).stdout).toMatch(/\nNext: licet catalog plan two --out plan\.json\n$/)
  })

  test('marks the comment of an environment without a name by its URL', async () => {
    const { host, pathname } = new URL(server.variables.LICET_URL!)
    expect((await withServer('--format', 'markdown')).stdout).toContain(`<!-- licet:diff:${host}${pathname} -->`)
  })
})

describe('a snapshot file as a side', () => {
  const snapshot = {
    formatVersion: '1.0',
    exportedAt: '2026-01-01T00:00:00Z',
    sourceTenantId: '00000000-0000-0000-0000-000000000001',
    scope: ['products', 'featureCatalog'],
    counts: { products: 2, featureCatalog: 0 },
    products: [
      { productCode: 'A', name: 'Snapshot' },
      { productCode: 'C', name: 'Third', parentProductCode: 'ELSEWHERE' },
    ],
    featureCatalog: [],
    references: {
      'product:ELSEWHERE': {
        ...{ kind: 'product', naturalKey: { productCode: 'ELSEWHERE', productVersion: null } },
        ...{ presence: 'External', referencedBy: ['product:C'] },
      },
    },
    warnings: [{ key: 'product:C', code: 'external', message: 'is elsewhere' }],
  }

  test.each([
    ['snapshot.json', JSON.stringify(snapshot, null, 2)],
    ['snapshot.yaml', JSON.stringify(snapshot, null, 2)],
  ])('%s with references, counts and warnings is read on both sides', async (name, text) => {
    put(name, text)
    const after = await run(['diff', '--from', 'one', '--to', name, '--json'])
    expect(after.json()).toMatchObject({ errors: [], items: [{ key: 'product:A' }, { key: 'product:C' }] })
    put('unstated.json', JSON.stringify({ ...snapshot, references: {} }, null, 2))
    const unstated = await run(['diff', '--from', 'one', '--to', 'unstated.json', '--json'])
    expect(unstated.json()).toMatchObject({
      errors: [{ key: 'product:C', path: '/parentProductCode', file: 'unstated.json', line: 21 }],
    })
    const before = await run(['diff', '--from', name, '--to', 'one'])
    expect(before.stdout).toContain(`${name} → one `)
    expect(before.stdout).toContain('"Snapshot" → "Old"')
    expect(before.stdout).toContain(`· product:C`)
    expect((await run(['diff', '--from', name, '--to', name])).stdout).toMatch(/Nothing to do: 2 items are the same\./)
    expect((await run(['validate', name])).stdout).toMatch(/nothing wrong \(2 items in 1 file\)/)
  })
})
