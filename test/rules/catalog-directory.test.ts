import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { maxFiles } from '../../cli/catalog-files/catalog-paths.ts'
import { compareCodePoints, readCatalogSource } from '../../cli/catalog-files/directory.ts'
import { frameOf, placeOf, readSnapshot } from '../../cli/catalog-files/snapshot-reading.ts'

let base: string
let root: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'licet-directory-'))
  root = join(base, 'catalog')
  mkdirSync(root)
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function put(path: string, text = 'tags: []\n') {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const names = async () => (await readCatalogSource(root)).files.map(({ name }) => name)
const refused = async () =>
  (await readCatalogSource(root)).refusals.map(({ file, rule, message }) => `${file} ${rule}: ${message}`)
const bytes = (text: string) => new TextEncoder().encode(text)
const merged = (files: Record<string, string>) =>
  readSnapshot({ files: Object.entries(files).map(([name, text]) => ({ name, bytes: bytes(text) })), refusals: [] })

describe('the files of a catalog directory', () => {
  test('are the .yaml, .yml and .json files of every folder, in code point order', async () => {
    for (const path of ['b.yaml', 'a/z.yml', 'a/b/c.json', 'B.YAML', 'é.yaml', '\u{10000}.yaml', '\uffee.yaml'])
      put(path)
    for (const path of [
      'README.md',
      'x.yaml.bak',
      '.hidden.yml/x.yaml',
      '.x.yaml',
      '.git/x.yaml',
      'node_modules/x.yaml',
    ])
      put(path)
    put('licet.yaml')
    put('a/licet.yaml')
    expect(await names()).toEqual([
      'B.YAML',
      'a/b/c.json',
      'a/licet.yaml',
      'a/z.yml',
      'b.yaml',
      'é.yaml',
      '\uffee.yaml',
      '\u{10000}.yaml',
    ])
  })

  test('are one when the path names a file', async () => {
    put('x.yaml')
    const source = await readCatalogSource(join(root, 'x.yaml'))
    expect(source.files.map(({ name }) => name)).toEqual(['x.yaml'])
  })

  test('a path where nothing is ends with cli.input', async () => {
    await expect(readCatalogSource(join(root, 'none'))).rejects.toMatchObject({ codeName: 'cli.input' })
  })

  test('a link out of the root is refused, file or folder, and never read', async () => {
    writeFileSync(join(base, 'secret.yaml'), 'tags: []\n')
    mkdirSync(join(base, 'catalog-beside'))
    writeFileSync(join(base, 'catalog-beside/x.yaml'), 'tags: []\n')
    symlinkSync('../secret.yaml', join(root, 'a.yaml'))
    symlinkSync(base, join(root, 'up'))
    symlinkSync('../catalog-beside', join(root, 'beside'))
    symlinkSync('/etc/hostname', join(root, 'README.md'))
    expect(await names()).toEqual([])
    expect(await refused()).toEqual([
      expect.stringContaining('a.yaml path: It is a link out of'),
      expect.stringContaining('beside path: It is a link out of'),
      expect.stringContaining('up path: It is a link out of'),
    ])
  })

  test('a link inside the root adds nothing twice, and a loop ends', async () => {
    put('real/x.yaml')
    symlinkSync('real', join(root, 'again'))
    symlinkSync('real/x.yaml', join(root, 'same.yaml'))
    symlinkSync('.', join(root, 'loop'))
    symlinkSync('b.yaml', join(root, 'a.yaml'))
    symlinkSync('a.yaml', join(root, 'b.yaml'))
    expect(await names()).toEqual(['real/x.yaml'])
    expect(await refused()).toEqual([
      expect.stringContaining('a.yaml path: It is a link that leads nowhere'),
      expect.stringContaining('b.yaml path: It is a link that leads nowhere'),
    ])
  })

  test('files mounted as a Kubernetes volume mounts them are read once', async () => {
    put('..2026_01_01/x.yaml')
    symlinkSync('..2026_01_01', join(root, '..data'))
    symlinkSync('..data/x.yaml', join(root, 'x.yaml'))
    expect(await names()).toEqual(['x.yaml'])
    expect(await refused()).toEqual([])
  })

  test('a link does not open a skipped folder', async () => {
    put('.git/x.yaml')
    symlinkSync('.git', join(root, 'git'))
    expect(await names()).toEqual([])
  })

  test('a pipe is refused without waiting for it, also as the one file and behind a link', async () => {
    execFileSync('mkfifo', [join(root, 'p.yaml')])
    symlinkSync('p.yaml', join(root, 'q.yaml'))
    expect((await refused()).sort()).toEqual([
      expect.stringContaining('p.yaml path: It is a device, pipe'),
      expect.stringContaining('q.yaml path: It is a device, pipe'),
    ])
    const source = await readCatalogSource(join(root, 'p.yaml'))
    expect(source.refusals[0]!.message).toContain('pipe')
  })

  test('a device is refused', async () => {
    const source = await readCatalogSource('/dev/null')
    expect([source.files, source.refusals[0]!.rule]).toEqual([[], 'path'])
  })

  test('a name with a control character is refused', async () => {
    put('a\nb.yaml')
    put('c\u001b[2J/x.yaml')
    expect(await names()).toEqual([])
    expect((await refused()).sort()).toEqual([
      expect.stringContaining('a\\nb.yaml path: Its name holds'),
      expect.stringContaining('c\\x1b[2J path: Its name holds'),
    ])
  })

  test('a file over 64 MiB is refused unread, and so is what goes beyond 64 MiB together', async () => {
    writeFileSync(join(root, 'a.yaml'), Buffer.alloc(64 * 1024 * 1024 + 1, 0x20))
    for (const name of ['b', 'c', 'd']) writeFileSync(join(root, `${name}.yaml`), Buffer.alloc(30 * 1024 * 1024, 0x20))
    const { files, refusals } = await readCatalogSource(root)
    expect(files.map(({ name }) => name)).toEqual(['b.yaml', 'c.yaml'])
    expect(refusals.map(({ file, rule }) => `${file} ${rule}`)).toEqual(['a.yaml too-large', 'd.yaml too-large'])
  })

  test(`more than ${maxFiles} files are refused`, async () => {
    for (let index = 0; index <= maxFiles; index++) writeFileSync(join(root, `${index}.yaml`), '')
    const { files, refusals } = await readCatalogSource(root)
    expect([files.length, refusals.map(({ rule }) => rule)]).toEqual([0, ['too-many']])
  })

  test('code points, not UTF-16 units, decide the order', () => {
    expect(compareCodePoints('\uffee', '\u{10000}')).toBeLessThan(0)
    expect(compareCodePoints('a', 'ab')).toBeLessThan(0)
    expect(compareCodePoints('ab', 'a')).toBeGreaterThan(0)
    expect(compareCodePoints('a', 'a')).toBe(0)
  })
})

describe('files together are one snapshot', () => {
  test('sections are joined in the order of the files, and each item leads back to its file', () => {
    const reading = merged({
      'a.yaml': "formatVersion: '1.0'\ntags:\n  - {scope: Product, name: A}\nproducts: []\n",
      'b.json': '{"tags": [{"scope": "Product",\n  "name": "B"}]}',
      'c.yaml': '# nothing\n',
    })
    expect(reading.refusals).toEqual([])
    expect(reading.snapshot).toEqual({
      formatVersion: '1.0',
      tags: [
        { scope: 'Product', name: 'A' },
        { scope: 'Product', name: 'B' },
      ],
      products: [],
    })
    expect([reading.files, reading.items]).toEqual([3, 2])
    const origin = reading.originOf('tags', 1)
    const place = placeOf(reading, origin, '/name', 'value')
    expect(place).toEqual({ file: 'b.json', line: 2, col: 11, endLine: 2, endCol: 14 })
    expect(frameOf(reading, place)).toBe('2 |   "name": "B"}]}\n  |           ^^^')
  })

  test('a whole snapshot file is read by its scope', () => {
    const reading = merged({
      'snapshot.json': JSON.stringify({
        $schema: 'x',
        formatVersion: '1.0',
        exportedAt: '2026-01-01T00:00:00Z',
        sourceTenantId: null,
        scope: ['tags'],
        counts: { tags: 1 },
        warnings: [],
        tags: [{ scope: 'Product', name: 'A' }],
        products: [{}],
        references: { 'product:X': { kind: 'product', naturalKey: {}, presence: 'External', referencedBy: [] } },
      }),
    })
    expect(reading.refusals).toEqual([])
    expect(Object.keys(reading.snapshot).sort()).toEqual(['formatVersion', 'references', 'tags'])
  })

  const table: [name: string, text: string, expected: string][] = [
    ['a section that is no list', 'products:\n  code: A\n', '2:3 not-a-list "products" must be a list'],
    ['an item that is a text', 'products:\n  - A\n', '2:5 not-an-item An item of "products"'],
    ['an item that is empty', 'products:\n  -\n', '2:3 not-an-item An item of "products"'],
    [
      'a misspelt section',
      'products: []\nprodcuts: []\n',
      '2:1 unknown-section There is no section "prodcuts". Did you mean "products"?',
    ],
    ['another format', "formatVersion: '2.0'\n", "1:16 format-version formatVersion must be the text '1.0'"],
    ['an unquoted format', 'formatVersion: 1.0\n', "quote it: '1.0'"],
    ['a syntax error', 'tags: [\n', '2:1 syntax'],
    ['a plan', '{"licetPlan": 1, "digest": "x", "items": []}', '1:2 plan-file This is a plan of licet'],
  ]
  test.each(table)('%s is refused at its place', (_name, text, expected) => {
    const { refusals } = merged({ 'x.yaml': text })
    expect(refusals.map(({ line, col, rule, message }) => `${line}:${col} ${rule} ${message}`)).toEqual([
      expect.stringContaining(expected),
    ])
  })

  test('a null section is absent', () => {
    expect(merged({ 'x.yaml': 'products:\n' }).snapshot).toEqual({ formatVersion: '1.0' })
  })

  test('a frame shows control characters and clips long lines around the place', () => {
    const long = `a: "${'x'.repeat(150)}\u202e${'y'.repeat(150)}"\n`
    const reading = merged({ 'x.yaml': long })
    const frame = frameOf(reading, { file: 'x.yaml', line: 1, col: 155, endCol: 156 })
    const [line, caret] = frame.split('\n') as [string, string]
    expect(line).toMatch(/^1 \| …x+\\u\{202e\}y+…$/)
    expect(line.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).toBe('\\u{202e}')
  })
})
