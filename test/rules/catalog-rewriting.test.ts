import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { canonicalItem } from '../../catalog-schema/canonical.ts'
import type { Kind } from '../../catalog-schema/order.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { readCatalogSource } from '../../cli/catalog-files/directory.ts'
import { locateItems } from '../../cli/catalog-files/located-items.ts'
import { publishFiles } from '../../cli/catalog-files/publishing.ts'
import { readSnapshot } from '../../cli/catalog-files/snapshot-reading.ts'
import { writeCatalog } from '../../cli/catalog-files/writing.ts'

let base: string
let root: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'licet-writing-'))
  root = join(base, 'catalog')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const schema = 'https://example.test/catalog.json'
const write = (snapshot: Snapshot, options: { full?: boolean; force?: boolean } = {}) =>
  writeCatalog(root, snapshot, { schema, ...options })
const files = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
const put = (name: string, text: string) => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}
const text = (name: string) => readFileSync(join(root, name), 'utf8')
const held = async () => {
  const reading = readSnapshot(await readCatalogSource(root))
  expect(reading.refusals).toEqual([])
  return itemsOf(locateItems(reading))
}
const itemsOf = (items: readonly { kind: Kind; key: string; item: object }[]) =>
  Object.fromEntries(items.map(({ kind, key, item }) => [key, canonicalItem(kind, item)]))
const snapshotOf = (sections: Partial<Snapshot>): Snapshot => ({ formatVersion: '1.0', ...sections })

const small = snapshotOf({
  tags: [{ scope: 'Product', name: 'Beta', color: null }],
  products: [
    {
      productCode: 'CAD',
      productVersion: '2.0',
      name: 'CAD',
      description: 'one\ntwo\n',
      features: [{ featureCode: 'X', value: '1.10' }],
    },
    { productCode: 'SIM', name: 'Sim' },
  ],
  featureCatalog: [{ productCode: 'CAD', productVersion: '2.0', featureCode: 'X', name: 'X', featureType: 'Text' }],
  monitoredAssets: [{ productCode: 'CAD', productVersion: '2.0', metricName: 'x', name: 'x' }],
  suites: [{ code: 'DESIGN', name: 'Design', members: [{ productCode: 'SIM' }] }],
  plans: [
    { suiteCode: 'DESIGN', name: 'Standard', plans: [{ name: 'Pro', monthlyPrice: 49, currency: 'EUR' }] },
    { suiteCode: 'CAD@2.0', name: 'Own' },
  ],
  addOns: [{ suiteCode: 'DESIGN', code: 'PACK', name: 'Pack' }],
  entitlementOffers: [{ name: 'CAD Team', version: '1' }],
})

describe('a directory that was exported before', () => {
  test('has only the files rewritten whose items differ', async () => {
    await write(small)
    const changed = structuredClone(small)
    changed.products![1]!.name = 'Simulation'
    const report = await write(changed)
    expect(report.written).toEqual(['products/sim.yaml'])
    expect(report.unchanged.length).toBe(6)
    expect(text('products/sim.yaml')).toContain('name: Simulation')
  })

  test('keeps items in the files that hold them, and puts new ones beside their group', async () => {
    put('all/mine.json', JSON.stringify({ products: [{ productCode: 'SIM', name: 'Sim' }] }, null, 2).concat('\n'))
    const report = await write(
      snapshotOf({
        products: [{ productCode: 'SIM', name: 'Sim' }],
        featureCatalog: [{ productCode: 'SIM', featureCode: 'F', name: 'F' }],
      }),
    )
    expect(report.written).toEqual(['all/mine.json'])
    expect(files()).toEqual(['all/mine.json'])
    expect(JSON.parse(text('all/mine.json')).featureCatalog).toEqual([
      { productCode: 'SIM', featureCode: 'F', name: 'F' },
    ])
  })

  test('removes nothing: keys that only the files have are kept and listed', async () => {
    await write(small)
    const report = await write(snapshotOf({ products: [{ productCode: 'CAD', productVersion: '2.0', name: 'New' }] }))
    expect(report.written).toEqual(['products/cad@2.0.yaml'])
    expect(report.onlyInFiles).toContain('feature:CAD@2.0/X')
    expect(text('products/cad@2.0.yaml')).toContain('featureCatalog:')
    expect(files().length).toBe(7)
  })

  test('keeps a file laid out by hand that says the same', async () => {
    put('sim.yaml', '# ours\nproducts: [{name: Sim, productCode: SIM, status: Draft}]\n')
    const report = await write(snapshotOf({ products: [{ productCode: 'SIM', name: 'Sim' }] }))
    expect(report).toEqual({ written: [], unchanged: ['sim.yaml'], onlyInFiles: [] })
  })

  const sim = (name: string) => snapshotOf({ products: [{ productCode: 'SIM', name }] })

  test('keeps comments, the order of keys and quoting where a value changes', async () => {
    put('mine.yaml', '# ours\nproducts:\n  - "name":   \'Sim\'   # as people say\n    productCode: SIM')
    expect((await write(sim("Sim's"))).written).toEqual(['mine.yaml'])
    expect(text('mine.yaml')).toBe(
      '# ours\nproducts:\n  - "name":   \'Sim\'\'s\'   # as people say\n    productCode: SIM',
    )
  })

  const byHand: [name: string, text: string][] = [
    ['has a comment where only writing it anew helps', 'products:\n  - ? name # why\n    : Sim\n    productCode: SIM\n'],
    ['has a field that nobody knows', 'products:\n  - productCode: SIM\n    nmae: Sim\n'],
    ['cannot be read', 'products:\n  - productCode: SIM\n    name: [\n'],
  ]
  test.each(byHand)('is not overwritten where a file %s, but for force', async (_name, content) => {
    put('products/sim.yaml', content)
    const snapshot = snapshotOf({ products: [{ productCode: 'SIM', name: 'Changed', description: 'New' }] })
    await expect(write(snapshot)).rejects.toMatchObject({
      codeName: 'cli.output',
      details: { errors: [{ key: 'products/sim.yaml' }] },
    })
    expect(text('products/sim.yaml')).toBe(content)
    await write(snapshot, { force: true })
    expect(files()).toEqual(['products/sim.yaml'])
    expect(text('products/sim.yaml')).toContain('name: Changed')
  })

  test('with a key in two files is not written, force or not', async () => {
    for (const name of ['a.yaml', 'b.yaml']) put(name, 'products:\n  - productCode: SIM\n    name: Sim\n')
    for (const force of [false, true]) {
      await expect(write(small, { force })).rejects.toMatchObject({ codeName: 'cli.output' })
    }
    expect(files()).toEqual(['a.yaml', 'b.yaml'])
  })

  test('keeps the mode of its files', async () => {
    await write(small)
    chmodSync(join(root, 'tags.yaml'), 0o600)
    const changed = structuredClone(small)
    changed.tags![0]!.color = '#123456'
    await write(changed)
    expect(statSync(join(root, 'tags.yaml')).mode & 0o777).toBe(0o600)
  })
})

describe('nothing is written outside the root', () => {
  test('through a folder that is a link out of it', async () => {
    mkdirSync(join(base, 'elsewhere'))
    mkdirSync(root)
    symlinkSync('../elsewhere', join(root, 'add-ons'))
    await expect(write(small, { force: true })).rejects.toMatchObject({ codeName: 'cli.output' })
    expect(readdirSync(join(base, 'elsewhere'))).toEqual([])
    expect(existsSync(join(root, 'tags.yaml'))).toBe(false)
  })

  test('through a file that is a link, or a name that climbs', async () => {
    mkdirSync(root)
    writeFileSync(join(base, 'secret'), 'old')
    symlinkSync('../secret', join(root, 'x.yaml'))
    await expect(publishFiles(root, [{ name: 'x.yaml', text: 'new' }])).rejects.toMatchObject({
      codeName: 'cli.output',
    })
    await expect(publishFiles(root, [{ name: '../secret', text: 'new' }])).rejects.toMatchObject({
      codeName: 'cli.output',
    })
    expect(readFileSync(join(base, 'secret'), 'utf8')).toBe('old')
  })

  test('a path that is a file is refused', async () => {
    writeFileSync(root, 'x')
    await expect(write(small)).rejects.toMatchObject({ codeName: 'cli.output' })
  })
})

describe('an export that was cut off', () => {
  test('before it was complete leaves the old directory', async () => {
    await write(small)
    put('.licet-export.tmp/tags.yaml', 'tags: [half')
    expect(Object.keys(await held()).length).toBe(10)
    const changed = structuredClone(small)
    changed.tags![0]!.color = '#123456'
    await write(changed)
    expect(text('tags.yaml')).toContain('#123456')
    expect(existsSync(join(root, '.licet-export.tmp'))).toBe(false)
  })

  test('after it was complete is told when reading, and finished by the next', async () => {
    await write(small)
    put('.licet-export/products/sim.yaml', 'products:\n  - productCode: SIM\n    name: Finished\n')
    const { refusals } = await readCatalogSource(root)
    expect(refusals.map(({ message }) => message)).toEqual([expect.stringContaining('was cut off')])
    await write(snapshotOf({ tags: small.tags! }))
    expect(text('products/sim.yaml')).toContain('Finished')
    expect((await readCatalogSource(root)).refusals).toEqual([])
  })
})
