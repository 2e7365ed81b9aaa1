import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { largeCatalog } from '../support/large-catalog.ts'
import { alternate, type Bench, median, type Row, rounds, type Target, timed } from './measuring.ts'
import { type Served, stores, withServer } from './served.ts'

const catalog = '/api/v1/provision/admin/catalog'
const sizes = [100, 1000, 10_000]
/** Not counted; what a server takes cold, its first import and the compare after it tell. */
const warmingRounds = 2
/** What Unleash's own import took features in, on PostgreSQL, measured beforehand on such a machine. */
const unleashPerSecond = 60
/** What Directus 11 took for its own schema diff, measured beforehand on such a machine, and how often a compare of as many items is to be done in that time. */
const directus = [
  { items: 450, millis: 355, atLeast: 3 },
  { items: 4500, millis: 2685, atLeast: 5 },
]

/** Export, compare and import over HTTP at three sizes, and compare beside another product's diff, on both stores. */
export const benchSnapshots: Bench = async () => {
  const rows: Row[] = []
  for (const store of stores) {
    for (const size of sizes) rows.push(...(await withServer(store, (served) => measure(served, size))))
    for (const diff of directus) rows.push(await withServer(store, (served) => besideDirectus(served, diff)))
  }
  return rows
}

async function besideDirectus(served: Served, { items, millis, atLeast }: (typeof directus)[number]): Promise<Row> {
  const snapshot = largeCatalog(items)
  const text = JSON.stringify(snapshot)
  const editedText = edited(text, 'compared')
  await served.ask('POST', `${catalog}/import`, text)
  const compared: number[] = []
  for (let round = 0; round < rounds; round++)
    compared.push(await timed(() => served.ask('POST', `${catalog}/compare`, editedText)))
  return {
    name: `compare, every tenth changed ${count(snapshot)} items, ${served.store}`,
    value: 1000 / median(compared),
    floor: 1000 / millis,
    floorName: `constant: Directus' schema diff of ${items} records`,
    unit: '/s',
    target: { id: 'T9', of: 'ratio', atLeast },
  }
}

async function measure(served: Served, size: number): Promise<Row[]> {
  const { store } = served
  const snapshot = largeCatalog(size)
  const items = count(snapshot)
  const text = JSON.stringify(snapshot)
  // The thread for heavy operations starts with the first of them.
  const firstImport = await timed(() => served.ask('POST', `${catalog}/import`, text, 'sandbox'))
  const compareEmpty = await timed(() => served.ask('POST', `${catalog}/compare`, text))
  const importAll = async () => {
    const ask = await served.emptyEnvironment()
    return timed(() => ask('POST', `${catalog}/import`, text))
  }
  await alternate(warmingRounds, { importAll })
  const imported = await alternate(rounds, { importAll })
  await served.ask('POST', `${catalog}/import`, text)

  const editedText = edited(text, 'compared')
  const ways = {
    parse: () => timed(() => JSON.parse(text)),
    same: () => timed(() => served.ask('POST', `${catalog}/compare`, text)),
    edited: () => timed(() => served.ask('POST', `${catalog}/compare`, editedText)),
    exported: () => timed(() => served.ask('GET', `${catalog}/export`)),
  }
  await alternate(warmingRounds, ways)
  const millis = await alternate(rounds, ways)
  // Apart from the others: after an import its log is moved into the file, which the next request would wait for.
  const imports: number[] = []
  for (let edition = 0; edition < rounds; edition++) {
    const changed = edited(text, `edition ${edition}`)
    imports.push(await timed(() => served.ask('POST', `${catalog}/import`, changed)))
  }
  const row = (name: string, value: number, target?: Target): Row => ({
    name: `${name} ${items} items, ${store}`,
    value,
    floor: millis.parse,
    floorName: 'JSON.parse of the body',
    unit: 'ms',
    note: `${Math.round((value / items) * 1000)} µs an item`,
    ...(target ? { target } : {}),
  })
  const t7: Target | undefined = size === 10_000 ? { id: 'T7', of: 'ratio', atMost: 10 } : undefined
  return [
    row("a server's first import", firstImport),
    row('compare with an empty environment', compareEmpty),
    row('compare, nothing changed', millis.same, t7),
    row('compare, every tenth changed', millis.edited, t7),
    row('export', millis.exported),
    row('import, every tenth changed', median(imports)),
    {
      name: `import into an empty environment ${items} items, ${store}`,
      value: (items / imported.importAll) * 1000,
      floor: unleashPerSecond,
      floorName: 'constant: Unleash import',
      unit: 'items/s',
      ...(size === 1000 ? { target: { id: 'T8', of: 'ratio', atLeast: 200 } } : {}),
    },
  ]
}

const count = ({ formatVersion: _, ...sections }: Snapshot) =>
  Object.values(sections).reduce((sum: number, section) => sum + (Array.isArray(section) ? section.length : 0), 0)

/** The snapshot with every tenth item of most sections renamed or described anew. */
function edited(text: string, words: string): string {
  const snapshot = JSON.parse(text) as Record<string, Record<string, unknown>[]>
  for (const section of ['products', 'monitoredAssets', 'plans', 'addOns', 'entitlementOffers'])
    snapshot[section]?.forEach((item, index) => {
      if (index % 10 === 0) item.description = words
    })
  snapshot.featureCatalog?.forEach((item, index) => {
    if (index % 10 === 0) item.units = words
  })
  return JSON.stringify(snapshot)
}
