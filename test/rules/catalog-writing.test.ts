import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { load, YAML11_SCHEMA } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { briefItem, canonicalItem } from '../../catalog-schema/canonical.ts'
import { type Kind, kinds, sectionOf } from '../../catalog-schema/order.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { readCatalogSource } from '../../cli/catalog-files/directory.ts'
import { fileNameFor } from '../../cli/catalog-files/file-names.ts'
import { locateItems } from '../../cli/catalog-files/located-items.ts'
import { renderFile } from '../../cli/catalog-files/rendering.ts'
import { readSnapshot } from '../../cli/catalog-files/snapshot-reading.ts'
import { validateCatalog } from '../../cli/tasks/validate.ts'
import { freshCatalogDirectory, itemsByKey, schema, smallCatalog, snapshotOf } from '../support/written-catalog.ts'

const here = freshCatalogDirectory()
const { write, text, files, held } = here
const small = smallCatalog

describe('the default layout', () => {
  test('has a file per product, suite, add-on and offer, and one of tags', async () => {
    const report = await write(small)
    expect(files()).toEqual([
      'add-ons/pack.yaml',
      'offers/cad-team@1.yaml',
      'products/cad@2.0.yaml',
      'products/sim.yaml',
      'suites/cad@2.0.yaml',
      'suites/design.yaml',
      'tags.yaml',
    ])
    expect(report).toEqual({ written: files(), unchanged: [], onlyInFiles: [], membersDropped: [] })
    expect(
      validateCatalog(await readCatalogSource(here.root)).findings.filter(({ severity }) => severity === 'error'),
    ).toEqual([])
  })

  test('leaves out nulls, empty lists and defaults, and quotes what could be misread', async () => {
    await write(small)
    expect(text('products/cad@2.0.yaml')).toBe(`# yaml-language-server: $schema=${schema}
products:
  - productCode: CAD
    productVersion: '2.0'
    name: CAD
    description: |
      one
      two
    features:
      - featureCode: X
        value: '1.10'

featureCatalog:
  - productCode: CAD
    productVersion: '2.0'
    featureCode: X
    name: X
    featureType: Text

monitoredAssets:
  - productCode: CAD
    productVersion: '2.0'
    metricName: x
    name: x
`)
  })

  test('keeps every field when asked to', async () => {
    await write(small, { full: true })
    expect(text('tags.yaml')).toContain('color: null')
    expect(await held()).toEqual(itemsByKey(located(small)))
  })

  test('names the schema by a path from each file', () => {
    const line = (name: string) => renderFile(name, {}, 'schema/catalog.json').split('\n')[0]
    expect(line('tags.yaml')).toBe('# yaml-language-server: $schema=schema/catalog.json')
    expect(line('a/b/c.yaml')).toBe('# yaml-language-server: $schema=../../schema/catalog.json')
  })
})

const located = (snapshot: Snapshot) =>
  kinds.flatMap((kind) =>
    (snapshot[sectionOf[kind]] ?? []).map((item) => ({ kind, key: keyIn(snapshot, kind, item), item })),
  )
const keyIn = (snapshot: Snapshot, kind: Kind, item: object) =>
  locateItems({
    ...readSnapshot({ files: [], refusals: [] }),
    snapshot: { formatVersion: '1.0', products: snapshot.products, [sectionOf[kind]]: [item] },
    originOf: () => ({ file: '', pointer: '' }),
  }).find((found) => found.item === item)!.key

const awkward = fc.constantFrom(
  'no',
  'Yes',
  'on',
  '1.10',
  '012',
  '1e400',
  '.nan',
  '~',
  'null',
  '<<',
  '2024-01-01',
  '1_000',
  '1:30',
  '0x1F',
  '=',
  '- a',
  'a: b',
  'a #b',
  "it's",
  '"q"',
  ' x',
  'x ',
  'a\n',
  '\n',
  'a\n\n',
  '  a\n b\n',
  'a\tb',
  '\u0085',
  '\u2028',
  '\u001b[2J',
  '\ufeff',
  '🎉',
  'é',
  '@x',
  '`',
  '%',
  '!t',
  '&a',
  '*a',
  '|',
  '>',
  '?',
  '{',
  '[',
  '---',
  '...',
  '#',
  '',
)
const anyText = fc.oneof(
  awkward,
  fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => !value.includes('\0')),
)
const name = anyText.map((value) => value || 'x')
const code = fc.oneof(
  name,
  fc.constantFrom(
    '../../etc/cron.d/x',
    '..',
    '.',
    '/',
    '\\',
    'a/b',
    'a\\b',
    'CON',
    'con.x',
    'nul',
    'LPT1',
    'COM9.yaml',
    'a:b',
    'CAD',
    'cad',
    'Cad',
    'x'.repeat(200),
    `${'x'.repeat(199)}y`,
    'licet',
    'node_modules',
    '.git',
    'tags',
    'a\nb',
    '~',
    '-rf',
    'ß',
    'SS',
    'ss',
  ),
)
const version = fc.option(fc.constantFrom('1', '1.10', '2.0'), { nil: null })
const unique = (kind: Kind, items: fc.Arbitrary<object>) =>
  fc.array(items, { maxLength: 6 }).map((list) => {
    const byKey = new Map(list.map((item) => [keyIn(snapshotOf({}), kind, item).toLowerCase(), item]))
    return [...byKey.values()] as Record<string, unknown>[]
  })
const snapshots: fc.Arbitrary<Snapshot> = fc
  .record({
    tags: unique('tag', fc.record({ scope: fc.constantFrom('Product', 'Entitlement'), name: name })),
    products: unique(
      'product',
      fc.record({
        productCode: code,
        productVersion: version,
        name,
        description: anyText,
        status: fc.constantFrom('Draft', 'Published'),
        features: fc.uniqueArray(fc.record({ featureCode: name, value: anyText }), {
          maxLength: 3,
          selector: ({ featureCode }) => featureCode,
        }),
      }),
    ),
    featureCatalog: unique(
      'feature',
      fc.record({
        productCode: code,
        productVersion: version,
        featureCode: code,
        name,
        valueScore: fc.option(fc.double({ noNaN: true, min: 0, max: 1e9 }), { nil: null }),
      }),
    ),
    monitoredAssets: unique(
      'monitoredAsset',
      fc.record({ productCode: code, productVersion: version, metricName: code, name }),
    ),
    suites: unique('suite', fc.record({ code, name })),
    plans: unique('planSet', fc.record({ suiteCode: code, name: code })),
    addOns: unique('addOn', fc.record({ suiteCode: code, code, name })),
    entitlementOffers: unique('entitlementOffer', fc.record({ name: code, version, description: anyText })),
  })
  .map((sections) => snapshotOf(sections))

describe('writing and reading back', () => {
  test('gives the same catalog, whatever its codes and texts, and writes nothing outside the root', async () => {
    await fc.assert(
      fc.asyncProperty(snapshots, fc.boolean(), async (snapshot, full) => {
        rmSync(here.base, { recursive: true, force: true })
        mkdirSync(here.base)
        await write(snapshot, { full })
        if (!existsSync(here.root)) return
        expect(readdirSync(here.base)).toEqual(['catalog'])
        expect(await held()).toEqual(itemsByKey(located(snapshot)))
        const names = files()
        for (const path of names)
          expect(path).toMatch(/^(?:(?:products|suites|add-ons|offers)\/)?[a-z0-9_][a-z0-9._@+~-]{0,99}\.yaml$/)
        expect(new Set(names.map((path) => path.toLowerCase())).size).toBe(names.length)
        const before = names.map((path) => statSync(join(here.root, path), { bigint: true }).mtimeNs)
        const again = await write(snapshot, { full })
        expect(again.written).toEqual([])
        expect(files().map((path) => statSync(join(here.root, path), { bigint: true }).mtimeNs)).toEqual(before)
      }),
      { numRuns: 25 },
    )
  })

  test('gives bytes that do not depend on the order of the items', async () => {
    await write(small)
    const first = files().map(text)
    rmSync(here.root, { recursive: true })
    await write(
      Object.fromEntries(
        Object.entries(small).map(([key, value]) => [key, Array.isArray(value) ? value.toReversed() : value]),
      ) as Snapshot,
    )
    expect(files().map(text)).toEqual(first)
  })

  test('is read alike by YAML 1.1 and 1.2 readers', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.lorem({ maxCount: 1 }), fc.array(anyText), { noNullPrototype: true }), (value) => {
        const rendered = renderFile('x.yaml', { tags: [value] }, schema)
        expect(parse(rendered)).toEqual({ tags: [value] })
        expect(load(rendered, { schema: YAML11_SCHEMA })).toEqual({ tags: [value] })
      }),
    )
  })

  test('a value that no file can hold is refused before anything is written', async () => {
    const snapshot = snapshotOf({
      products: [
        { productCode: 'A', propertyValues: JSON.parse('{"__proto__":{"value":"1"}}') },
        { productCode: 'B', description: 'x\0' },
      ],
    })
    await expect(write(snapshot)).rejects.toMatchObject({ codeName: 'cli.output' })
    expect(existsSync(here.root)).toBe(false)
  })
})

test.each([
  ['ACME-CAD', 'acme-cad'],
  ['../../etc/cron.d/x', 'etc-cron.d-x'],
  ['CON', '_con'],
  ['con.tar', '_con.tar'],
  ['CAD Team@1', 'cad-team@1'],
  ['Büro', 'buro'],
  ['漢字', '_'],
  ['x'.repeat(300), 'x'.repeat(80)],
  ['trailing. ', 'trailing'],
])('the file name for %s is %s', (given, expected) => {
  expect(fileNameFor(given)).toBe(expected)
})

test('brief items keep what identifies them', () => {
  expect(briefItem('tag', canonicalItem('tag', { scope: 'Product', name: 'x' }))).toEqual({
    scope: 'Product',
    name: 'x',
  })
})
