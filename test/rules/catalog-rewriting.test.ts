import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { readCatalogSource } from '../../cli/catalog-files/directory.ts'
import { publishFiles } from '../../cli/catalog-files/publishing.ts'
import { exitCodeOf } from '../../cli/interruptions.ts'
import { freshCatalogDirectory, smallCatalog, snapshotOf } from '../support/written-catalog.ts'

const here = freshCatalogDirectory()
const { write, put, text, files, held } = here
const small = smallCatalog

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

  test('puts a new item beside others of its kind and product, where each kind has a file', async () => {
    put('products.yaml', 'products:\n  - productCode: SIM\n    name: Sim\n')
    put('features.yaml', 'featureCatalog:\n  - productCode: SIM\n    featureCode: F\n    name: F\n')
    const feature = (featureCode: string) => ({ productCode: 'SIM', featureCode, name: featureCode })
    const report = await write(
      snapshotOf({
        products: [{ productCode: 'SIM', name: 'Sim' }],
        featureCatalog: [feature('E'), feature('F')],
        monitoredAssets: [{ productCode: 'SIM', metricName: 'm', name: 'm' }],
      }),
    )
    expect(report).toMatchObject({ written: ['features.yaml', 'products.yaml'] })
    expect(text('features.yaml')).toMatch(/featureCode: E\n[\s\S]*featureCode: F\n/)
    expect(text('products.yaml')).toContain('monitoredAssets:')
  })

  test('removes nothing: keys that only the files have are kept and listed', async () => {
    await write(small)
    const report = await write(snapshotOf({ products: [{ productCode: 'CAD', productVersion: '2.0', name: 'New' }] }))
    expect(report.written).toEqual(['products/cad@2.0.yaml'])
    expect(report.onlyInFiles).toContain('feature:CAD@2.0/X')
    expect(text('products/cad@2.0.yaml')).toContain('featureCatalog:')
    expect(files().length).toBe(7)
  })

  test('loses no member of an item without telling: what only the files had of it goes by key and path', async () => {
    const item = { suiteCode: 'CAD@2.0', name: 'Standard', plans: [{ name: 'Pro' }, { name: 'Team' }] }
    put('plans.yaml', JSON.stringify({ plans: [item] }))
    const report = await write(snapshotOf({ plans: [{ ...item, plans: [{ name: 'Pro' }] }] }))
    expect(report.membersDropped).toEqual([{ key: 'plan-set:CAD@2.0/Standard', path: '/plans/Team' }])
    expect(text('plans.yaml')).not.toContain('Team')
  })

  test('keeps a file laid out by hand that says the same', async () => {
    put('sim.yaml', '# ours\nproducts: [{name: Sim, productCode: SIM, status: Draft}]\n')
    const report = await write(snapshotOf({ products: [{ productCode: 'SIM', name: 'Sim' }] }))
    expect(report).toEqual({ written: [], unchanged: ['sim.yaml'], onlyInFiles: [], membersDropped: [] })
  })

  const sim = (name: string) => snapshotOf({ products: [{ productCode: 'SIM', name }] })

  test('keeps comments, the order of keys and quoting where a value changes', async () => {
    put('mine.yaml', '# ours\nproducts:\n  - "name":   \'Sim\'   # as people say\n    productCode: SIM')
    expect((await write(sim("Sim's"))).written).toEqual(['mine.yaml'])
    expect(text('mine.yaml')).toBe(
      "# ours\nproducts:\n  - \"name\":   'Sim''s'   # as people say\n    productCode: SIM",
    )
  })

  const byHand: [name: string, text: string][] = [
    [
      'has a comment where only writing it anew helps',
      'products:\n  - ? name # why\n    : Sim\n    productCode: SIM\n',
    ],
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
    chmodSync(join(here.root, 'tags.yaml'), 0o600)
    const changed = structuredClone(small)
    changed.tags![0]!.color = '#123456'
    await write(changed)
    expect(statSync(join(here.root, 'tags.yaml')).mode & 0o777).toBe(0o600)
  })

  test('keeps a link, and writes the file of the directory that it leads to', async () => {
    put('real.txt', 'products:\n  - productCode: SIM # the one\n    name: Sim\n')
    chmodSync(join(here.root, 'real.txt'), 0o640)
    symlinkSync('real.txt', join(here.root, 'sim.yaml'))
    expect((await write(sim('New'))).written).toEqual(['sim.yaml'])
    expect(readlinkSync(join(here.root, 'sim.yaml'))).toBe('real.txt')
    expect(text('real.txt')).toBe('products:\n  - productCode: SIM # the one\n    name: New\n')
    expect(statSync(join(here.root, 'real.txt')).mode & 0o777).toBe(0o640)
  })
})

describe('nothing is written outside the root', () => {
  test('through a folder that is a link out of it', async () => {
    mkdirSync(join(here.base, 'elsewhere'))
    mkdirSync(here.root)
    symlinkSync('../elsewhere', join(here.root, 'add-ons'))
    await expect(write(small, { force: true })).rejects.toMatchObject({ codeName: 'cli.output' })
    expect(readdirSync(join(here.base, 'elsewhere'))).toEqual([])
    expect(existsSync(join(here.root, 'tags.yaml'))).toBe(false)
  })

  test('through a file that is a link, or a name that climbs', async () => {
    mkdirSync(here.root)
    writeFileSync(join(here.base, 'secret'), 'old')
    symlinkSync('../secret', join(here.root, 'x.yaml'))
    await expect(publishFiles(here.root, [{ name: 'x.yaml', text: 'new' }])).rejects.toMatchObject({
      codeName: 'cli.output',
    })
    await expect(publishFiles(here.root, [{ name: '../secret', text: 'new' }])).rejects.toMatchObject({
      codeName: 'cli.output',
    })
    expect(readFileSync(join(here.base, 'secret'), 'utf8')).toBe('old')
  })

  test('a path that is a file is refused', async () => {
    writeFileSync(here.root, 'x')
    await expect(write(small)).rejects.toMatchObject({ codeName: 'cli.output' })
  })
})

describe('exports at once into one directory', () => {
  const named = (name: string) =>
    snapshotOf({
      products: Array.from({ length: 60 }, (_, n) => ({ productCode: `P${n}`, name })),
    })

  test('are done one after the other: each is told what it has written, and the directory is the last one', async () => {
    await write(named('old'))
    const ends = await Promise.all(
      ['one', 'two', 'three'].map(async (name) => (await write(named(name))).written.length),
    )
    expect(ends).toEqual([60, 60, 60])
    const names = new Set(files().map((file) => /name: (\w+)/.exec(text(file))![1]))
    expect(names.size).toBe(1)
    expect(names).not.toContain('old')
    expect(readdirSync(here.root)).toEqual(['products'])
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
    expect(existsSync(join(here.root, '.licet-export.tmp'))).toBe(false)
  })

  test('by a full disk says which file it could not write, and leaves nothing on it', async () => {
    await write(small)
    const handle = await open(join(here.root, 'tags.yaml'))
    await handle.close()
    const full = Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC', syscall: 'write' })
    const others = Array.from({ length: 40 }, (_, n) => ({ name: `other/${n}.yaml`, text: 'new' }))
    const writes = vi.spyOn(Object.getPrototypeOf(handle), 'writeFile').mockRejectedValueOnce(full)
    try {
      await expect(publishFiles(here.root, [{ name: 'tags.yaml', text: 'new' }, ...others])).rejects.toMatchObject({
        codeName: 'cli.output',
        message: expect.stringMatching(/\.yaml: no space left on the device\.$/),
      })
    } finally {
      writes.mockRestore()
    }
    expect(text('tags.yaml')).not.toBe('new')
    expect(existsSync(join(here.root, 'other'))).toBe(false)
    expect(existsSync(join(here.root, '.licet-export.tmp'))).toBe(false)
  })

  const writing = join(import.meta.dirname, '../../cli/catalog-files/writing.ts')
  const script = `
    const { writeCatalog } = await import(process.argv[1])
    const products = Array.from({ length: 1500 }, (_, n) => ({ productCode: 'P' + n, name: 'New' }))
    await writeCatalog(process.argv[2], { formatVersion: '1.0', products }, { schema: 'x' })`

  test.skipIf(process.platform === 'win32').each(Object.entries(exitCodeOf))(
    'by %s leaves the old directory, or the new one, and nothing else',
    async (signal, code) => {
      put('products.yaml', 'products:\n  - productCode: OLD\n    name: Old\n')
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, writing, here.root])
      const ended = once(child, 'exit')
      await vi.waitUntil(() => child.exitCode !== null || existsSync(join(here.root, '.licet-export.tmp/products')), {
        timeout: 50_000,
        interval: 5,
      })
      child.kill(signal as NodeJS.Signals)
      const [exitCode] = await ended
      expect([0, code]).toContain(exitCode)
      expect(readdirSync(here.root)).toEqual(exitCode === 0 ? ['products', 'products.yaml'] : ['products.yaml'])
    },
  )

  test('after it was complete is told when reading, and finished by the next', async () => {
    await write(small)
    put('.licet-export/products/sim.yaml', 'products:\n  - productCode: SIM\n    name: Finished\n')
    const { refusals } = await readCatalogSource(here.root)
    expect(refusals.map(({ message }) => message)).toEqual([expect.stringContaining('was cut off')])
    await write(snapshotOf({ tags: small.tags! }))
    expect(text('products/sim.yaml')).toContain('Finished')
    expect((await readCatalogSource(here.root)).refusals).toEqual([])
  })
})

// Nobody, root neither, can make anything below /proc.
test.skipIf(!existsSync('/proc/self'))('names the file that it could not write, not where it is gathered', async () => {
  await expect(publishFiles('/proc', [{ name: 'a.yaml', text: '' }])).rejects.toMatchObject({
    message: 'Cannot write /proc/a.yaml: no such file or directory.',
  })
})
