import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { canonicalItem } from '../../catalog-schema/canonical.ts'
import type { Kind } from '../../catalog-schema/order.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { readCatalogSource } from '../../cli/catalog-files/directory.ts'
import { locateItems } from '../../cli/catalog-files/located-items.ts'
import { readSnapshot } from '../../cli/catalog-files/snapshot-reading.ts'
import { writeCatalog } from '../../cli/catalog-files/writing.ts'

/** The schema that written files name. */
export const schema = 'https://example.test/catalog.json'

export const snapshotOf = (sections: Partial<Snapshot>): Snapshot => ({ formatVersion: '1.0', ...sections })

/** Every kind of item, in few. */
export const smallCatalog = snapshotOf({
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

/** Items in canonical form, by key. */
export const itemsByKey = (items: readonly { kind: Kind; key: string; item: object }[]) =>
  Object.fromEntries(items.map(({ kind, key, item }) => [key, canonicalItem(kind, item)]))

/** An empty directory for each test, and a catalog directory inside it that is not there yet. */
export function freshCatalogDirectory() {
  const here = {
    base: '',
    root: '',
    write: (snapshot: Snapshot, options: { full?: boolean; force?: boolean } = {}) =>
      writeCatalog(here.root, snapshot, { schema, ...options }),
    put(name: string, text: string) {
      mkdirSync(dirname(join(here.root, name)), { recursive: true })
      writeFileSync(join(here.root, name), text)
    },
    text: (name: string) => readFileSync(join(here.root, name), 'utf8'),
    files: () =>
      readdirSync(here.root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(here.root.length + 1))
        .sort(),
    /** What the files hold, by key. */
    async held() {
      const reading = readSnapshot(await readCatalogSource(here.root))
      expect(reading.refusals).toEqual([])
      return itemsByKey(locateItems(reading))
    },
  }
  beforeEach(() => {
    here.base = mkdtempSync(join(tmpdir(), 'licet-writing-'))
    here.root = join(here.base, 'catalog')
  })
  afterEach(() => rmSync(here.base, { recursive: true, force: true }))
  return here
}
