import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { licet } from '../support/licet-binary.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'licet-format-'))
})
const put = (name: string, text: string) => {
  mkdirSync(dirname(join(directory, name)), { recursive: true })
  writeFileSync(join(directory, name), text)
}
const text = (name: string) => readFileSync(join(directory, name), 'utf8')
const format = (...args: string[]) => licet(['catalog', 'format', ...args], { cwd: directory })

const odd = '# all of it\r\nproducts:\r\n- {name: "Sim", productCode: SIM}   # the old one\r\n'
const formatted = '# all of it\r\nproducts:\r\n  # the old one\r\n  - productCode: SIM\r\n    name: Sim\r\n'

describe('licet catalog format', () => {
  test('writes the files that are not in canonical form, each in its mode, and names them', async () => {
    put('catalog/odd.yaml', odd)
    put('catalog/fine.yaml', 'tags:\n  - scope: Product\n    name: Beta\n')
    chmodSync(join(directory, 'catalog/odd.yaml'), 0o640)
    const ended = await format('catalog')
    expect(ended.stdout).toBe('catalog/odd.yaml\nFormatted 1 file; 1 in canonical form already.\n')
    expect(ended.exitCode).toBe(0)
    expect(text('catalog/odd.yaml')).toBe(formatted)
    expect(statSync(join(directory, 'catalog/odd.yaml')).mode & 0o777).toBe(0o640)
    expect((await format('catalog', '--check')).exitCode).toBe(0)
  })

  test('with --check writes nothing, lists what would change and exits with 1', async () => {
    put('odd.yaml', odd)
    const ended = await format('--check', '--json')
    expect(ended.json()).toMatchObject({ changed: ['odd.yaml'], unchanged: 0, left: [] })
    expect(ended.exitCode).toBe(1)
    expect(text('odd.yaml')).toBe(odd)
  })

  test('leaves files that say nothing as they are', async () => {
    const files = { 'a.yaml': '---\n', 'b.yaml': '{ } # later\n', 'c.yaml': '# later\n', 'd.yaml': '', 'e.json': '{}' }
    for (const [name, content] of Object.entries(files)) put(name, content)
    for (const flags of [['--check'], []]) {
      const ended = await format(...flags, '--json')
      expect(ended.json()).toMatchObject({ changed: [], unchanged: 5, left: [] })
      expect(ended.exitCode).toBe(0)
    }
    expect(Object.keys(files).map(text)).toEqual(Object.values(files))
  })

  test('leaves a file that cannot be read as it is, names it, and formats the others', async () => {
    put('broken.yaml', 'products: [\n')
    put('odd.yaml', odd)
    const ended = await format()
    expect(ended.stderr).toMatch(/broken\.yaml is left as it is: 2:1 This is not YAML/)
    expect(ended.exitCode).toBe(1)
    expect([text('broken.yaml'), text('odd.yaml')]).toEqual(['products: [\n', formatted])
  })

  test.each(['productVersion: 1.10', 'name: 0x1F', 'description: 1e3'])(
    'leaves a file alone in which a text stands as a number that is written otherwise: %s',
    async (field) => {
      const written = `products:\n- {productCode: SIM, ${field}}\n`
      put('odd.yaml', written)
      const ended = await format()
      expect(ended.stderr).toMatch(/odd\.yaml is left as it is: 2:\d+ \S+ is in a field that keeps text/)
      expect([ended.exitCode, text('odd.yaml')]).toEqual([1, written])
    },
  )

  test('writes a number otherwise where a number is kept', async () => {
    put(
      'plans.yaml',
      'tags:\n- {scope: Product, name: Beta}\nmonitoredAssets:\n- {productCode: SIM, metricName: runs, usageTiers: [{startUsage: 1.10, endUsage: 1e3}]}\n',
    )
    expect((await format()).exitCode).toBe(0)
    expect(text('plans.yaml')).toContain('startUsage: 1.1\n        endUsage: 1000\n')
  })

  test('leaves what is no file of a catalog as it is, and names it', async () => {
    const [workflow, manifest] = ['on:  push\n', '{"name":"app"}']
    put('ci.yaml', workflow)
    put('package.json', manifest)
    put('odd.yaml', odd)
    const ended = await format()
    expect(ended.stderr).toMatch(/ci\.yaml is left as it is: It is no file of a catalog/)
    expect([ended.exitCode, text('ci.yaml'), text('package.json'), text('odd.yaml')]).toEqual([
      1,
      workflow,
      manifest,
      formatted,
    ])
  })

  test('what is no file is not written anew', async () => {
    const ended = await licet(['catalog', 'format', '/dev/stdin'], { cwd: directory, input: odd })
    expect(ended.stderr).toMatch(/^Error: \/dev\/stdin is no file [^\n]*\n {2}Try: what is on stdin is -$/m)
    expect([ended.exitCode, ended.stdout]).toEqual([1, ''])
  })

  test('turns stdin into stdout, JSON into JSON', async () => {
    const run = (input: string, ...more: string[]) => licet(['catalog', 'format', '-', ...more], { input })
    expect((await run(odd)).stdout).toBe(formatted)
    expect((await run('{"products":[{"name":"Sim","productCode":"SIM"}]}')).stdout).toBe(
      '{\n  "products": [\n    {\n      "productCode": "SIM",\n      "name": "Sim"\n    }\n  ]\n}\n',
    )
    const checked = await run(odd, '--check')
    expect([checked.stdout, checked.exitCode]).toEqual(['stdin would change.\n', 1])
    expect((await run(formatted, '--check')).exitCode).toBe(0)
    expect((await run('{products: [{productCode: A}]} # flow')).stdout).toBe('products:\n  - productCode: A\n# flow\n')
    expect((await run('products: [')).stderr).toContain('stdin cannot be formatted: 1:12')
  })
})
