import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, type Home, licet } from '../support/licet-binary.ts'

const kinds = ['tag', 'product', 'feature', 'metric', 'suite', 'plan-set', 'add-on', 'offer']

function put(home: Home, path: string, text: string) {
  mkdirSync(join(home.directory, path, '..'), { recursive: true })
  writeFileSync(join(home.directory, path), text)
}
const get = (home: Home, path: string) => readFileSync(join(home.directory, path), 'utf8')

describe('licet catalog new', () => {
  test.each(kinds)(
    'prints a %s that is valid as it stands, and with every field that is a comment taken out of it',
    async (kind) => {
      const { exitCode, stdout } = await licet(['catalog', 'new', kind])
      expect(exitCode).toBe(0)
      expect(stdout.match(/^\s+# [A-Za-z]/gm)!.length).toBeGreaterThan(2)
      const lines = stdout.split('\n')
      const fields = lines.flatMap((line, at) =>
        /^ +# [a-z]\w*: \S/.test(line) && !/^ +# (true|false):/.test(line) ? [at] : [],
      )
      expect(fields.length).toBeGreaterThan(0)
      const opened = lines.map((line, at) => (fields.includes(at) ? line.replace('# ', '') : line)).join('\n')
      const [asItStands, taken] = await Promise.all(
        [stdout, opened].map(async (input) => (await licet(['catalog', 'validate', '-', '--json'], { input })).json()),
      )
      expect(asItStands).toMatchObject({ valid: true, items: 1, findings: [] })
      // What goes wrong of all at once: two ways of charging, a plan that is priced and weighted, names that nothing has.
      const expected = /not by both|has no relativeWeight|there is no (product|plan-set|metric):ACME-CAD/
      const messages: string[] = taken.findings.map(({ message }: { message: string }) => message)
      expect(messages.filter((message) => !expected.test(message))).toEqual([])
    },
  )

  test.each(['tag', 'product'])('a %s in a file of its own is in canonical form', async (kind) => {
    const home = freshHome()
    await licet(['catalog', 'new', kind, '--file', 'catalog/one.yaml'], { home })
    expect((await licet(['catalog', 'format', 'catalog', '--check'], { home })).exitCode).toBe(0)
  })

  test.each(kinds)('a %s is printed in canonical form', async (kind) => {
    const { stdout } = await licet(['catalog', 'new', kind])
    expect((await licet(['catalog', 'format', '-'], { input: stdout })).stdout).toBe(stdout)
  })

  test('writes into a file, item after item, and the catalog stays valid', async () => {
    const home = freshHome()
    for (const kind of ['product', ...kinds, 'feature', 'tag']) {
      const made = await licet(['catalog', 'new', kind, '--file', 'catalog/all.yaml'], { home })
      expect(made.stderr).toBe('')
      expect(made.exitCode, kind).toBe(0)
    }
    const checked = await licet(['catalog', 'validate', 'catalog', '--json'], { home })
    expect(checked.json()).toMatchObject({ valid: true, items: 11, findings: [] })
  })

  test('several at once are all kept, each under a name of its own', async () => {
    const home = freshHome()
    put(home, 'licet.yaml', 'catalog: catalog\n')
    const files = ['a', 'a', 'a', 'b', 'b', 'b']
    const made = await Promise.all(
      files.map((file) => licet(['catalog', 'new', 'tag', '--file', `catalog/${file}.yaml`, '--json'], { home })),
    )
    expect(made.map(({ exitCode }) => exitCode)).toEqual(files.map(() => 0))
    expect(new Set(made.map(({ json }) => json().key)).size).toBe(files.length)
    const checked = await licet(['catalog', 'validate', '--json'], { home })
    expect(checked.json()).toMatchObject({ valid: true, items: files.length, findings: [] })
    expect(readdirSync(join(home.directory, 'catalog')).sort()).toEqual(['a.yaml', 'b.yaml'])
  })

  test.each([
    ['a link to a file of the catalog', 'catalog/link.yaml', 'catalog/a.yaml'],
    ['a link to what only the link makes a file of the catalog', 'catalog/text.yaml', 'catalog/text'],
    ['a new file below a link to the catalog', 'cat/new/b.yaml', 'catalog/new/b.yaml'],
  ])('writes into %s', async (_name, file, written) => {
    const home = freshHome()
    put(home, 'licet.yaml', 'catalog: catalog\n')
    put(home, 'catalog/p.yaml', 'products:\n  - productCode: P\n    name: P\n')
    for (const [index, path] of ['catalog/a.yaml', 'catalog/text'].entries())
      put(home, path, `tags:\n  - scope: Product\n    name: Old${index}\n`)
    for (const [link, to] of Object.entries({
      cat: 'catalog',
      'catalog/link.yaml': 'a.yaml',
      'catalog/text.yaml': 'text',
    }))
      symlinkSync(to, join(home.directory, link))
    for (const item of [
      ['tag', 'Product/B'],
      ['feature', 'P/F'],
    ]) {
      const made = await licet(['catalog', 'new', ...item, '--file', file], { home })
      expect([made.exitCode, made.stderr]).toEqual([0, ''])
    }
    expect(get(home, written)).toMatch(/name: B\n[\s\S]*featureCode: F\n/)
    expect(readlinkSync(join(home.directory, 'catalog/link.yaml'))).toBe('a.yaml')
    const checked = await licet(['catalog', 'validate', '--json'], { home })
    expect(checked.json()).toMatchObject({ valid: true, items: 5, findings: [] })
  })

  test('licet.yaml may name the catalog by an absolute path', async () => {
    const home = freshHome()
    put(home, 'licet.yaml', `catalog: ${join(home.directory, 'elsewhere')}\n`)
    put(home, 'elsewhere/a.yaml', 'products:\n  - productCode: A\n    name: A\n')
    expect((await licet(['catalog', 'validate', '--json'], { home })).json()).toMatchObject({ valid: true, items: 1 })
  })

  test('names are keys, and what they name is looked for in the catalog', async () => {
    const home = freshHome()
    put(home, 'licet.yaml', 'catalog: catalog\n')
    const add = (...args: string[]) => licet(['catalog', 'new', ...args], { home })
    expect((await add('product', 'ACME-CAD@2.0', '--file', 'catalog/a.yaml')).exitCode).toBe(0)
    const feature = await add('feature', 'ACME-CAD@2.0/EXPORT%2FSTEP', '--file', 'catalog/f.yaml', '--json')
    expect(feature.json()).toMatchObject({ key: 'feature:ACME-CAD@2.0/EXPORT%2FSTEP', file: 'catalog/f.yaml' })
    expect((await add('plan-set', 'Standard', '--file', 'catalog/a.yaml', '--json')).json().key).toBe(
      'plan-set:ACME-CAD@2.0/Standard',
    )
    const again = await add('product', 'ACME-CAD@2.0', '--file', 'catalog/b.yaml')
    expect(again.stderr).toContain('has product:ACME-CAD@2.0 already')
    expect(again.stderr).toContain('Try: another name, or edit it in catalog/a.yaml\n')
    expect(again.exitCode).toBe(64)
    expect(existsSync(join(home.directory, 'catalog/b.yaml'))).toBe(false)
    const other = await add('feature', 'OTHER/X', '--file', 'catalog/b.yaml')
    expect(other.stderr).toContain('has no product:OTHER')
    expect(other.exitCode).toBe(64)
  })

  test('belongs to the catalog of its file, and not to another one beside it', async () => {
    const home = freshHome()
    for (const code of ['ACME', 'SLACK'])
      put(home, `cat-${code}/${code}.yaml`, `products:\n  - productCode: ${code}\n    name: ${code}\n`)
    const made = await licet(['catalog', 'new', 'suite', 'ALL', '--file', 'cat-SLACK/ai.yaml'], { home })
    expect(made.stdout).toBe('Wrote suite:ALL to cat-SLACK/ai.yaml. Next: licet catalog validate cat-SLACK\n')
    expect(get(home, 'cat-SLACK/ai.yaml')).toContain('- productCode: SLACK\n')
    expect((await licet(['catalog', 'validate', 'cat-SLACK'], { home })).exitCode).toBe(0)
    const deeper = await licet(['catalog', 'new', 'suite', 'MORE', '--file', 'cat-ACME/suites/more.yaml'], { home })
    expect(deeper.stdout).toBe('Wrote suite:MORE to cat-ACME/suites/more.yaml. Next: licet catalog validate cat-ACME\n')
    const fresh = await licet(['catalog', 'new', 'product', 'ACME', '--file', 'cat-NEW/acme.yaml'], { home })
    expect(fresh.stdout).toBe('Wrote product:ACME to cat-NEW/acme.yaml. Next: licet catalog validate cat-NEW\n')
  })

  test('refuses what cannot be put into a file, which keeps every byte', async () => {
    const home = freshHome()
    const cases = {
      'flow.yaml': '{ products: [{ productCode: A }] }\n',
      'broken.yaml': 'products:\n  - productCode: A\n   name: B\n',
    }
    for (const [file, text] of Object.entries(cases)) {
      put(home, `${file}.d/${file}`, text)
      const ended = await licet(['catalog', 'new', 'product', '--file', `${file}.d/${file}`], { home })
      expect(ended.exitCode, file).toBe(1)
      expect(get(home, `${file}.d/${file}`)).toBe(text)
    }
    expect((await licet(['catalog', 'new', 'product', '--file', 'a.json'], { home })).exitCode).toBe(64)
  })

  test.each<[name: string, bytes: Buffer, said: RegExp]>([
    [
      'is not UTF-8',
      Buffer.from('tags:\n  - scope: Product\n    name: "Caf\xe9"\n', 'latin1'),
      /a\.yaml:3:15 .*not UTF-8/,
    ],
    ['starts with a byte order mark', Buffer.from('\ufefftags: []\n'), /a\.yaml:1:1 .*byte order mark/],
  ])('a file that %s keeps every byte, and is told', async (_name, bytes, said) => {
    const home = freshHome()
    mkdirSync(join(home.directory, 'catalog'))
    writeFileSync(join(home.directory, 'catalog/a.yaml'), bytes)
    const ended = await licet(['catalog', 'new', 'tag', 'Product/X', '--file', 'catalog/a.yaml'], { home })
    expect(readFileSync(join(home.directory, 'catalog/a.yaml'))).toEqual(bytes)
    expect(ended.stderr).toMatch(said)
    expect(ended.exitCode).toBe(1)
  })

  test('unknown kinds, and names that are none, are said at once', async () => {
    const cases: [string[], RegExp][] = [
      [['prodct'], /There is no kind "prodct"[\s\S]*product/],
      [[], /Missing 1 required argument: KIND/],
      [['product', ''], /NAME is empty/],
      [['product', 'A\u001b[31m'], /not possible/],
      [['metric', 'UPPER'], /lowercase/],
      [['suite', 'A/B'], /%2F/],
      [['suite', '100%'], /%25/],
    ]
    for (const [args, message] of cases) {
      const { stderr, stdout, exitCode } = await licet(['catalog', 'new', ...args])
      expect(exitCode, String(args)).toBe(64)
      expect(stderr).toMatch(message)
      expect(stderr).not.toContain('\u001b')
      expect(stdout).toBe('')
    }
  })

  test('a name that YAML would take for something else comes back as it was given', async () => {
    const home = freshHome()
    const names = ['true', '012', '1.10', 'a: b', '- x', '#1', "it's", 'ab"c', 'null', '%25 &']
    put(home, 'none.json', '{}')
    for (const [index, name] of names.entries()) {
      const made = (await licet(['catalog', 'new', '--json', 'suite', '--', name], { home })).json()
      expect(made.key).toBe(`suite:${name}`)
      put(home, `made/${index}.yaml`, made.text)
    }
    const read = (await licet(['catalog', 'diff', 'made', '--from', 'none.json', '--json'], { home })).json()
    expect(read.items.map(({ key }: { key: string }) => key).sort()).toEqual(
      names.map((name) => `suite:${name}`).sort(),
    )
  })
})
