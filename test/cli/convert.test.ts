import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { CatalogModel } from '../../catalog-schema/model.ts'
import { planImport } from '../../catalog-schema/plan.ts'
import { readCatalogSource } from '../../cli/catalog-files/directory.ts'
import { readSnapshot } from '../../cli/catalog-files/snapshot-reading.ts'
import { joinPriceLists } from '../../cli/tasks/convert/joining.ts'
import { layOutCatalog, writeCatalogFiles } from '../../cli/tasks/convert/writing.ts'
import { validateCatalog } from '../../cli/tasks/validate.ts'
import { ensureBuilt, freshHome, licet } from '../support/licet-binary.ts'
import { hasRealPriceLists, priceListsByService } from '../support/price-lists.ts'

const examples = join(import.meta.dirname, '../../examples/price-list')
const freshFolder = () => mkdtempSync(join(tmpdir(), 'licet-convert-'))
const convert = (args: string[], options = {}) =>
  licet(['catalog', 'convert', '--from', 'pricing2yaml', ...args], options)

beforeAll(ensureBuilt)

describe('licet catalog convert', () => {
  test('writes a catalog that validates, and lists what has no place with file and line', async () => {
    const out = join(freshFolder(), 'catalog')
    const ended = await convert([join(examples, '2025.yml'), '--out', out])
    expect(ended.exitCode).toBe(0)
    expect(ended.stdout).toContain('is now the product TIDEWATER_CHARTS')
    expect(ended.stdout).toMatch(/^Next: licet catalog validate /m)
    expect(ended.stderr).toMatch(/2025\.yml:\d+:\d+: features\.\*\.automationType has no place in a catalog/)
    expect(ended.stderr).toMatch(/2025\.yml:\d+:\d+: usageLimits\.\*\.linkedFeatures .* \(2 places/)
    const source = await readCatalogSource(out)
    expect(source.files.map(({ name }) => name)).toEqual([
      'add-ons/tidewater_charts_forecast_pack.yaml',
      'add-ons/tidewater_charts_instrument_link.yaml',
      'products/tidewater_charts.yaml',
      'suites/tidewater_charts.yaml',
    ])
    expect(validateCatalog(source).findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('says each warning in one JSON document, at its own line', async () => {
    const file = join(examples, '2025.yml')
    const ended = await convert([file, '--out', join(freshFolder(), 'catalog'), '--json'])
    const document = ended.json()
    expect(ended.stderr).toBe('')
    expect(Object.keys(document)).toEqual(['directory', 'files', 'products', 'warnings'])
    expect(document.products).toEqual([{ productCode: 'TIDEWATER_CHARTS', file }])
    const linked = document.warnings.filter(({ subject }: { subject: string }) => subject.endsWith('linkedFeatures'))
    expect(linked).toHaveLength(2)
    const lines = readFileSync(file, 'utf8').split('\n')
    for (const { line, col } of linked) expect(lines[line - 1]!.slice(col - 1)).toMatch(/^linkedFeatures:/)
  })

  test('plans stand in the order of the file, whatever their names are', async () => {
    const plans = "plans:\n  Free: {price: 0}\n  '500': {price: 2}\n  '100': {price: 1}\n"
    const joined = joinPriceLists([{ name: 'a.yml', bytes: Buffer.from(`saasName: Acme\ncurrency: EUR\n${plans}`) }])
    const [set] = joined.snapshot.plans as { plans: { name: string; sortOrder: number }[] }[]
    expect(set!.plans.map(({ name, sortOrder }) => `${name} ${sortOrder}`)).toEqual(['Free 0', '500 1', '100 2'])
  })

  test('what a price list has no more of at all is told by a diff', async () => {
    const folder = freshFolder()
    for (const [year, addOns] of Object.entries({ first: 'addOns: {extra: {}}\n', second: 'addOns:\n' }))
      await convert(['-', '--out', join(folder, year)], { input: `saasName: Acme\ncurrency: EUR\n${addOns}` })
    const ended = await licet(['catalog', 'diff', '--from', 'first', '--to', 'second', '--json'], { cwd: folder })
    expect(JSON.stringify(ended.json())).toContain('add-on:ACME_EXTRA')
  })

  test('a service’s file is the same whatever else is converted with it', async () => {
    const folder = freshFolder()
    const lists = { one: 'saasName: One\n', two: 'saasName: Two\naddOns: {extra: {}}\n' }
    for (const [name, text] of Object.entries(lists)) writeFileSync(join(folder, `${name}.yml`), text)
    const run = (...args: string[]) => convert([...args, '--out', 'out'], { cwd: folder })
    for (const files of [['one.yml'], ['two.yml'], ['one.yml', 'two.yml']])
      expect((await run(...files)).exitCode).toBe(0)
    expect(readFileSync(join(folder, 'out/products/one.yaml'), 'utf8')).toContain('addOns: []')
  })

  test('--verbose lists every place', async () => {
    const ended = await convert([join(examples, '2025.yml'), '--out', join(freshFolder(), 'c'), '--verbose'])
    expect(ended.stderr.match(/linkedFeatures/g)).toHaveLength(2)
  })

  test('reads stdin', async () => {
    const ended = await convert(['-', '--out', join(freshFolder(), 'c'), '--json'], {
      input: 'saasName: Piped\ncurrency: EUR\n',
    })
    expect(ended.json().products).toEqual([{ productCode: 'PIPED', file: 'stdin' }])
  })

  test.each([
    ['', '1 file', '0 warnings'],
    ['starts: now\n', '1 file', '1 warning'],
    ['starts: now\nends: never\nplans: {PRO: {}}\n', '2 files', '2 warnings'],
  ])('counts what it wrote and what it warns of (%j)', async (more, files, warnings) => {
    const out = join(freshFolder(), 'c')
    const ended = await convert(['-', '--out', out], { input: `saasName: Piped\n${more}` })
    expect(ended.stdout).toContain(`Wrote ${files} to ${out}; ${warnings}.\n`)
  })

  test('a file where the directory should be is told as that, and kept', async () => {
    const out = join(freshFolder(), 'gen.py')
    writeFileSync(out, 'print()\n')
    for (const force of [[], ['--force']]) {
      const ended = await convert([join(examples, '2025.yml'), '--out', out, ...force])
      expect(ended.exitCode).toBe(1)
      expect(ended.stderr).toContain('gen.py is a file, where a directory is wanted; nothing was written.')
      expect(ended.stderr).toContain('name a directory with --out')
    }
    expect(readFileSync(out, 'utf8')).toBe('print()\n')
  })

  test.each(['-', 'catalog.yaml', 'CATALOG.JSON'])('makes no directory that is named %s', async (out) => {
    const home = freshHome()
    const ended = await convert([join(examples, '2025.yml'), '--out', out], { home })
    expect(ended.exitCode).toBe(64)
    expect(ended.stderr).toContain(`--out takes a directory, not ${out}.`)
    expect(existsSync(join(home.directory, out))).toBe(false)
  })

  test.each([
    [['-', '-', '--out', 'catalog'], 'Only one price list can come from stdin.'],
    [['-', '--out', ' '], '--out is empty.'],
  ])('%j is a mistake of usage', async (args, message) => {
    const ended = await convert(args, { home: freshHome() })
    expect([ended.exitCode, ended.stderr]).toEqual([64, expect.stringContaining(message)])
  })

  test('replaces nothing without --force', async () => {
    const out = freshFolder()
    mkdirSync(join(out, 'products'))
    const standing = join(out, 'products', 'tidewater_charts.yaml')
    writeFileSync(standing, '# mine\n')
    const refused = await convert([join(examples, '2025.yml'), '--out', out])
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('--force')
    expect(readFileSync(standing, 'utf8')).toBe('# mine\n')
    expect(readdirSync(out)).toEqual(['products'])
    mkdirSync(join(out, 'add-ons'))
    writeFileSync(join(out, 'add-ons', 'old.yaml'), 'addOns:\n  - suiteCode: TIDEWATER_CHARTS\n    code: OLD\n')
    const forced = await convert([join(examples, '2025.yml'), '--out', out, '--force'])
    expect(forced.exitCode).toBe(0)
    expect(readFileSync(standing, 'utf8')).toContain('TIDEWATER_CHARTS')
    expect(forced.stderr).toMatch(/add-ons.old\.yaml:2:5: addOns\.\* add-on:OLD is still in the catalog/)
    expect(forced.stdout).toMatch(/Next: delete what is no longer sold \(1 item above\), then licet catalog validate /)
  })

  test('says of what was moved to another file by hand that it stands twice now', async () => {
    const out = freshFolder()
    const args = [join(examples, '2025.yml'), '--out', out, '--force']
    await convert(args)
    mkdirSync(join(out, 'mine'))
    renameSync(join(out, 'suites', 'tidewater_charts.yaml'), join(out, 'mine', 'plans.yaml'))
    const again = await convert(args)
    const stands = `plan-set:TIDEWATER_CHARTS/Plans is in ${join(out, 'suites', 'tidewater_charts.yaml')} too`
    expect(again.stderr).toContain(`${join(out, 'mine', 'plans.yaml')}:2:5: plans.* ${stands}`)
    expect(again.stdout).toMatch(/Next: take out what stands twice \(1 item above\), then licet catalog validate /)
  })

  test('names both places where two price lists make one add-on', async () => {
    const folder = freshFolder()
    const put = (name: string, addOn: string) => {
      const text = `saasName: ${name}\nplans:\n  PRO:\n    price: null\naddOns:\n  ${addOn}:\n    description: More.\n`
      writeFileSync(join(folder, `${name}.yml`), text)
      return join(folder, `${name}.yml`)
    }
    const [acme, acmePro] = [put('Acme', 'proX'), put('AcmePro', 'x')]
    const ended = await convert([acme, acmePro, '--out', join(folder, 'catalog')])
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr).toContain(`${acmePro}:6:3: add-on:ACME_PRO_X is made here and at ${acme}:6:3: rename one`)
  })

  test('run again, finishes what was cut off while its files were put in place', async () => {
    const out = join(freshFolder(), 'catalog')
    const args = [join(examples, '2025.yml'), '--out', out]
    await convert(args)
    const whole = await readCatalogSource(out)
    mkdirSync(join(out, '.licet-export'))
    renameSync(join(out, 'add-ons'), join(out, '.licet-export', 'add-ons'))
    const again = await convert(args)
    expect(again.stderr).not.toContain('--force')
    expect(again.exitCode).toBe(0)
    expect(await readCatalogSource(out)).toEqual(whole)
    expect(readdirSync(out).sort()).toEqual(['add-ons', 'products', 'suites'])
  })

  test('refuses two years of one service in one call, naming both files', async () => {
    const out = join(freshFolder(), 'c')
    const [first, second] = [join(examples, '2025.yml'), join(examples, '2026.yml')]
    const ended = await convert([first, second, '--out', out])
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr).toContain(first)
    expect(ended.stderr).toContain(`${second}:3:1`)
  })

  test('a service that was renamed keeps its code with --product-code', async () => {
    const out = join(freshFolder(), 'c')
    const ended = await convert([join(examples, '2026.yml'), '--out', out, '--product-code', 'CHARTS', '--json'])
    expect(ended.json().products[0].productCode).toBe('CHARTS')
    expect(readdirSync(join(out, 'suites'))).toEqual(['charts.yaml'])
  })

  test.each([
    ['a file that is missing', undefined, /Cannot read .*no such file/],
    ['no YAML', 'saasName: [', /list\.yml:\d+:\d+: This is not YAML/],
    ['a list', '- CARD\n', /list\.yml:1:1: A price list is a mapping with saasName/],
    ['one key twice', 'saasName: A\nplans:\n  PRO: {}\n  PRO: {}\n', /list\.yml:4:3: The key "PRO" occurs twice/],
    [
      'a value for nothing',
      'saasName: A\nplans:\n  PRO:\n    features:\n      sso:\n        value: true\n',
      /list\.yml:5:7: there is no feature "sso"/,
    ],
    [
      'a name that is too long',
      `saasName: ${'a'.repeat(201)}\n`,
      /list\.yml:1:1: the productCode made of it must be at most 200/,
    ],
    ['an empty file', '', /"saasName" is missing/],
  ])('%s is told by place, exits 1 and writes nothing', async (_what, text, message) => {
    const folder = freshFolder()
    const file = join(folder, 'list.yml')
    if (text !== undefined) writeFileSync(file, text)
    const ended = await convert([file, '--out', join(folder, 'c')])
    expect(ended.stderr).toMatch(message)
    expect(ended.exitCode).toBe(1)
    expect(readdirSync(folder)).not.toContain('c')
    const document = (await convert([file, '--out', join(folder, 'c'), '--json'])).json()
    expect(Object.keys(document)).toEqual(['error'])
  })

  test('of several price lists those with an error are counted', async () => {
    const folder = freshFolder()
    const lists = ['sound', 'one', 'other'].map((name) => join(folder, `${name}.yml`))
    for (const [index, service] of ['A', 'B', 'B'].entries()) writeFileSync(lists[index]!, `saasName: ${service}\n`)
    const ended = await convert([...lists, '--out', join(folder, 'c')])
    expect(ended.stderr).toMatch(
      /^Error: Nothing was written: an error in 1 of 3 price lists\.\n.*both make the product B/,
    )
  })

  test.each([
    ['no price list', [], /at least one price list/],
    ['one product code for two services', ['a.yml', 'b.yml', '--product-code', 'X'], /goes with one FILE/],
  ])('%s is wrong usage', async (_what, args, message) => {
    const ended = await convert([...args, '--out', 'c'])
    expect(ended.stderr).toMatch(message)
    expect(ended.exitCode).toBe(64)
  })
})

test('what is too long for a catalog is told once each, at the text it is made of', () => {
  const [feature, limit, plan, addOn] = ['f', 'l', 'p', 'a'].map((letter) => letter.repeat(250))
  const [one, other] = ['x', 'y'].map((letter) => letter.repeat(20_001))
  const list = `saasName: A
version: ${feature}
features:
  ${feature}: {valueType: TEXT}
  b:
    valueType: TEXT
    type: ${limit}
    description: ${one}
usageLimits:
  ${limit}: {valueType: NUMERIC, type: RENEWABLE, unit: x/month, defaultValue: 3}
  d:
    valueType: NUMERIC
    type: RENEWABLE
    unit: ${limit}/month
    description: ${one}
plans:
  ${plan}:
    description: ${other}
addOns:
  ${addOn}:
    availableFor: [${plan}]
    description: ${other}
    features:
      ${feature}: {value: some}
`
  const { errors } = joinPriceLists([{ name: 'a.yml', bytes: Buffer.from(list) }])
  const told = errors.map(({ line, message }) => `${line}: ${message.replace(/ made of it .*/, '')}`)
  expect(told.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))).toEqual([
    '2: the displayVersion',
    '4: the featureCode',
    '7: the moduleName',
    '8: the description',
    '10: the featureCode',
    '14: the units',
    '15: the description',
    '17: the name',
    '18: the description',
    '20: the code',
    '22: the description',
  ])
})

const which = hasRealPriceLists ? 'the real price lists' : 'an invented price list (../shared/pricings is absent)'

describe(`the directory made of ${which}`, () => {
  test.each(priceListsByService.flatMap(({ files }) => files))(
    '$name reads back as the catalog that it was, and validates',
    async (file) => {
      const out = freshFolder()
      const { snapshot } = joinPriceLists([file])
      await writeCatalogFiles(out, layOutCatalog(snapshot), false)
      const source = await readCatalogSource(out)
      expect(validateCatalog(source).findings.filter(({ severity }) => severity === 'error')).toEqual([])
      const catalog = new CatalogModel()
      for (const { kind, key, after } of planImport(catalog, snapshot).items) catalog.add(kind, after, key)
      const { items, onlyHere, errors } = planImport(catalog, readSnapshot(source).snapshot)
      expect(errors).toEqual([])
      expect(onlyHere).toEqual([])
      expect(items.filter(({ action }) => action !== 'unchanged')).toEqual([])
    },
  )

  test.each(priceListsByService)(
    'each year of $service, read from its directory, makes the same changes',
    async ({ files }) => {
      for (const [index, file] of files.entries()) {
        if (index === 0) continue
        const catalog = new CatalogModel()
        const before = joinPriceLists([files[index - 1]!], { productCode: 'SERVICE' }).snapshot
        for (const { kind, key, after } of planImport(catalog, before).items) catalog.add(kind, after, key)
        const { snapshot } = joinPriceLists([file], { productCode: 'SERVICE' })
        const out = freshFolder()
        await writeCatalogFiles(out, layOutCatalog(snapshot), false)
        const written = readSnapshot(await readCatalogSource(out)).snapshot
        expect(planImport(catalog, written).items).toEqual(planImport(catalog, snapshot).items)
      }
    },
  )
})
