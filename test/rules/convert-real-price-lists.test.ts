import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { CatalogModel } from '../../catalog-schema/model.ts'
import { type ImportPlan, planImport } from '../../catalog-schema/plan.ts'
import type { Snapshot } from '../../catalog-schema/snapshot.ts'
import { joinPriceLists, type PriceListFile } from '../../cli/tasks/convert/joining.ts'
import { codeOf } from '../../cli/tasks/convert/names.ts'
import { hasRealPriceLists, priceListsByService } from '../support/price-lists.ts'

const which = hasRealPriceLists ? 'the real price lists' : 'an invented price list (../shared/pricings is absent)'
const all = priceListsByService.flatMap(({ files }) => files)

function importInto(catalog: CatalogModel, snapshot: Snapshot): ImportPlan {
  const plan = planImport(catalog, snapshot)
  for (const { kind, key, after } of plan.items) catalog.add(kind, after, key)
  return plan
}

interface PriceList {
  features: Record<string, unknown> | null
  usageLimits?: Record<string, unknown> | null
  plans: Record<string, { price: unknown }>
  addOns?: Record<string, unknown> | null
}
const asWritten = (file: PriceListFile) => load(Buffer.from(file.bytes).toString()) as PriceList
const namesIn = ({ features, usageLimits }: PriceList) =>
  [features, usageLimits].flatMap((section) => Object.keys(section ?? {})).map(codeOf)
const priceOf = (price: unknown) => (typeof price === 'number' ? price : null)

describe(`converting ${which}`, () => {
  test.each(all)('$name is a catalog that imports whole, and a second time changes nothing', (file) => {
    const { snapshot, errors, warnings } = joinPriceLists([file])
    expect(errors).toEqual([])
    const catalog = new CatalogModel()
    const first = importInto(catalog, snapshot)
    expect(first.errors).toEqual([])
    expect(first.warnings).toEqual([])
    const again = importInto(catalog, snapshot)
    expect(again.items.filter(({ action }) => action !== 'unchanged')).toEqual([])
    expect(again.onlyHere).toEqual([])
    const lines = Buffer.from(file.bytes).toString().split('\n')
    for (const { line, subject } of warnings) {
      const word = subject.split('.').findLast((part) => part !== '*')!
      const isNamed = !subject.endsWith('*')
      expect(isNamed ? lines[line - 1] : word).toContain(word)
    }
  })

  test.each(all)('$name keeps every feature, limit, plan, price and add-on', (file) => {
    const { snapshot } = joinPriceLists([file])
    const written = asWritten(file)
    expect(snapshot.featureCatalog!.map(({ featureCode }) => featureCode)).toEqual(namesIn(written))
    const plans = snapshot.plans![0]!.plans as { name: string; monthlyPrice: number | null }[]
    expect(plans.map(({ name, monthlyPrice }) => [name, monthlyPrice])).toEqual(
      Object.entries(written.plans).map(([name, { price }]) => [name, priceOf(price)]),
    )
    expect(snapshot.addOns!.map(({ name }) => name)).toEqual(Object.keys(written.addOns ?? {}))
  })

  test.each(priceListsByService)('each year of $service differs from the one before as the files do', ({ files }) => {
    const options = { productCode: 'SERVICE' }
    for (const [index, file] of files.entries()) {
      if (index === 0) continue
      const [before, after] = [asWritten(files[index - 1]!), asWritten(file)]
      const catalog = new CatalogModel()
      importInto(catalog, joinPriceLists([files[index - 1]!], options).snapshot)
      const plan = importInto(catalog, joinPriceLists([file], options).snapshot)
      expect(plan.errors).toEqual([])

      const added = plan.items.filter(({ kind, action }) => kind === 'feature' && action === 'create')
      const known = new Set(namesIn(before))
      expect(added.map(({ after: item }) => item.featureCode)).toEqual(
        namesIn(after)
          .filter((code) => !known.has(code))
          .sort(),
      )
      const gone = plan.onlyHere.filter(({ kind }) => kind === 'feature').map(({ key }) => key.split('/')[1])
      const still = new Set(namesIn(after))
      expect(gone.sort()).toEqual([...known].filter((code) => !still.has(code)).sort())

      const changes = plan.items.find(({ kind }) => kind === 'planSet')!.changes
      const prices = changes.filter(({ path }) => path.endsWith('/monthlyPrice'))
      expect(new Map(prices.map((change) => [change.path, [change.before, change.after]]))).toEqual(
        new Map(
          Object.entries(after.plans)
            .filter(([name]) => before.plans[name] !== undefined)
            .map(([name, { price }]) => [name, priceOf(before.plans[name]!.price), priceOf(price)] as const)
            .filter(([, old, now]) => old !== now)
            .map(([name, old, now]) => [`/plans/${name}/monthlyPrice`, [old, now]]),
        ),
      )
    }
  })

  test('one year of every service makes one catalog together', () => {
    const latest = priceListsByService.map(({ files }) => files.at(-1)!)
    const { snapshot, errors, products } = joinPriceLists(latest)
    expect(errors).toEqual([])
    expect(products).toHaveLength(latest.length)
    expect(planImport(new CatalogModel(), snapshot).errors).toEqual([])
  })

  test('two years of one service are refused, naming both files', () => {
    const [first, second] = priceListsByService.at(-1)!.files.slice(-2)
    const { errors } = joinPriceLists([first!, second!])
    expect(errors).toHaveLength(1)
    expect(errors[0]!.message).toContain(`${first!.name} and ${second!.name}`)
    expect(errors[0]).toMatchObject({ file: second!.name, subject: 'saasName' })
  })
})
