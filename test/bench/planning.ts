/**
 * What checking and planning a snapshot of 10,000 items cost, as ratios to JSON.parse of the same snapshot in the same
 * run (targets: checking 1, planning 2.5). Run: node test/bench/planning.ts
 */
import { CatalogModel } from '../../catalog-schema/model.ts'
import { kinds, sectionOf } from '../../catalog-schema/order.ts'
import { planImport } from '../../catalog-schema/plan.ts'
import { checkSnapshot, type Snapshot } from '../../catalog-schema/snapshot.ts'
import { largeCatalog } from '../support/large-catalog.ts'

const rounds = 15
const text = JSON.stringify(largeCatalog(10_000))
const parse = () => JSON.parse(text) as Snapshot

const checked = (snapshot: Snapshot) => {
  if (checkSnapshot(snapshot).length > 0) throw new Error('the catalog is not sound')
  return snapshot
}
const held = new CatalogModel()
for (const { kind, key, after } of planImport(new CatalogModel(), checked(parse())).items) held.add(kind, after, key)

/** Every tenth item has another description or name. */
const edited = () => {
  const snapshot = checked(parse())
  for (const kind of kinds)
    snapshot[sectionOf[kind]]?.forEach((item, index) => {
      if (index % 10 !== 0) return
      if (kind === 'planSet') (item.plans as Record<string, unknown>[])[1]!.monthlyPrice = 59
      else if (kind === 'tag') item.color = '#ffffff'
      else if (kind === 'feature') item.valueScore = 7
      else item.description = 'edited'
    })
  return snapshot
}

const full = (() => {
  const snapshot: Snapshot = { formatVersion: '1.0' }
  for (const kind of kinds) snapshot[sectionOf[kind]] = [...held.entries(kind)].map(({ item }) => item)
  return JSON.stringify(snapshot)
})()

const measured: Record<string, { make: () => unknown; run: (made: never) => unknown }> = {
  'JSON.parse': { make: () => text, run: (source: string) => JSON.parse(source) },
  check: { make: parse, run: (snapshot: Snapshot) => checkSnapshot(snapshot) },
  'plan, into empty': {
    make: () => checked(parse()),
    run: (snapshot: Snapshot) => planImport(new CatalogModel(), snapshot),
  },
  'plan, unchanged': { make: () => checked(parse()), run: (snapshot: Snapshot) => planImport(held, snapshot) },
  'plan, 10 % changed': { make: edited, run: (snapshot: Snapshot) => planImport(held, snapshot) },
  'JSON.parse, full export': { make: () => full, run: (source: string) => JSON.parse(source) },
  'check, full export': {
    make: () => JSON.parse(full) as Snapshot,
    run: (snapshot: Snapshot) => checkSnapshot(snapshot),
  },
  'plan, full export unchanged': {
    make: () => checked(JSON.parse(full) as Snapshot),
    run: (snapshot: Snapshot) => planImport(held, snapshot),
  },
}

const times = new Map<string, number[]>(Object.keys(measured).map((name) => [name, []]))
for (let round = 0; round < rounds; round++)
  for (const [name, { make, run }] of Object.entries(measured)) {
    const made = make()
    globalThis.gc?.()
    const start = performance.now()
    run(made as never)
    times.get(name)!.push(performance.now() - start)
  }

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const least = (values: number[]) => Math.min(...values)
console.log(
  `${(text.length / 1e6).toFixed(1)} MB as written, ${(full.length / 1e6).toFixed(1)} MB in full, ${rounds} rounds`,
)
for (const [name, values] of times) {
  const floor = times.get(name.includes('full') ? 'JSON.parse, full export' : 'JSON.parse')!
  const [usual, best] = [median(values), least(values)]
  const ratios = `${(usual / median(floor)).toFixed(2)} × JSON.parse (best of each ${(best / least(floor)).toFixed(2)} ×)`
  console.log(`${name.padEnd(30)} ${usual.toFixed(1).padStart(7)} ms   ${ratios}`)
}
