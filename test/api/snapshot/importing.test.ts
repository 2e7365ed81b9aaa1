import { describe, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import {
  bodyOf,
  catalogOf,
  comparable,
  dumpOf,
  portable,
  type ReportedItem,
  sectionIn,
  snapshotOf,
  wholeCatalog,
} from './scene.ts'

forEachStore((store) => {
  describe('an import', () => {
    const server = serveTests(store)
    const acme = catalogOf(server)
    const neighbour = catalogOf(server, 'neighbour')

    test('reports what the compare before it reported, and creates it', async () => {
      const compared = bodyOf(await acme.compare(wholeCatalog()))
      const imported = bodyOf(await acme.import(wholeCatalog()))
      expect(comparable(imported)).toEqual(comparable(compared))
      expect(imported.importId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      expect(imported.items.map(({ key }: ReportedItem) => key)).toEqual([
        'tag:Entitlement/Self-service',
        'tag:FeatureCatalog/Headline',
        'tag:Product/Beta',
        'tag:Product/Cloud',
        'product:ACME-CAD@2.0',
        'product:ACME-VIEW',
        'product:ACME-ADDIN',
        'feature:ACME-CAD@2.0/EXPORT_STEP',
        'feature:ACME-CAD@2.0/SEATS',
        'feature:ACME-CAD@2.0/SIZE',
        'metric:ACME-CAD@2.0/export-step',
        'suite:ACME-DESIGN',
        'plan-set:ACME-CAD@2.0/Alone',
        'plan-set:ACME-DESIGN/Standard',
        'add-on:RENDER-PACK',
        'offer:CAD Team@1',
        'rating-campaign:Exporting',
      ])
      expect(new Set(imported.items.map(({ action }: ReportedItem) => action))).toEqual(new Set(['create']))
      expect(new Set(imported.items.map(({ fingerprint }: ReportedItem) => fingerprint))).toEqual(new Set([null]))
    })

    test('twice changes nothing the second time: the revision stays, the history grows, and it is the last import', async () => {
      const before = await dumpOf(server.databaseUrl)
      const { environmentRevision } = bodyOf(await acme.compare(wholeCatalog()))
      const again = bodyOf(await acme.import(wholeCatalog()))
      expect(again.summary).toMatchObject({ create: 0, update: 0, errors: 0 })
      expect(again.items).toEqual([])
      expect(again.environmentRevision).toBe(environmentRevision)
      const after = await dumpOf(server.databaseUrl)
      const written = after.split('\n').filter((line) => !before.includes(line))
      // The history, which import is the last, and who imported.
      expect(written).toHaveLength(3)
      for (const line of written) expect(line).toContain(again.importId)
    })

    test('changes field by field what the compare before it said, and nothing else', async () => {
      const snapshot = wholeCatalog()
      sectionIn(snapshot, 'products')[0]!.description = 'Draws'
      const [, pro] = sectionIn(snapshot, 'plans')[0]!.plans as Record<string, unknown>[]
      pro!.monthlyPrice = '59.90'
      const [line] = pro!.lineItems as { featureValues: Record<string, unknown>[] }[]
      line!.featureValues[1]!.value = '5'
      const compared = bodyOf(await acme.compare(snapshot))
      expect(compared.items.map(({ key, action, changes }: ReportedItem) => ({ key, action, changes }))).toEqual([
        {
          key: 'product:ACME-CAD@2.0',
          action: 'update',
          changes: [{ path: '/description', before: null, after: 'Draws' }],
        },
        {
          key: 'plan-set:ACME-DESIGN/Standard',
          action: 'update',
          changes: [
            {
              path: '/plans/Pro/lineItems/ACME-CAD@2.0/featureValues/SEATS/value',
              before: '3',
              after: '5',
            },
            { path: '/plans/Pro/monthlyPrice', before: 49, after: 59.9 },
          ].toSorted((a, b) => (a.path < b.path ? 1 : -1)),
        },
      ])
      const before = bodyOf(await acme.export())
      const imported = bodyOf(await acme.import(snapshot))
      expect(comparable(imported)).toEqual(comparable(compared))
      expect(Number(imported.environmentRevision)).toBe(Number(compared.environmentRevision) + 1)
      const after = bodyOf(await acme.export())
      before.products.find((product: { productCode: string }) => product.productCode === 'ACME-CAD').description =
        'Draws'
      const stored = before.plans.find((set: { name: string }) => set.name === 'Standard').plans[1]
      stored.monthlyPrice = 59.9
      stored.lineItems[0].featureValues[1].value = '5'
      expect(portable(JSON.stringify(after))).toBe(portable(JSON.stringify(before)))
    })

    test('of an export into an empty tenant makes the two export the same bytes', async () => {
      const exported = bodyOf(await acme.export())
      const imported = bodyOf(await neighbour.import(exported))
      expect(imported.summary).toMatchObject({ create: 17, update: 0, unchanged: 0, errors: 0, warnings: 0 })
      expect(imported.sourceTenantId).toBe(server.tenantIds.acme)
      expect(imported.targetTenantId).toBe(server.tenantIds.neighbour)
      const theirs = await neighbour.export()
      expect(portable(theirs.text)).toBe(portable((await acme.export()).text))
      expect(theirs.body.sourceTenantId).toBe(server.tenantIds.neighbour)
    })

    test('of an export changes nothing where it came from', async () => {
      const exported = bodyOf(await acme.export())
      const report = bodyOf(await acme.import(exported))
      expect(report.summary).toMatchObject({ create: 0, update: 0, unchanged: 17, onlyHere: 0 })
      expect(portable((await acme.export()).text)).toBe(portable(JSON.stringify(exported)))
    })

    test('two exports of one state are the same bytes but for exportedAt', async () => {
      const [first, second] = [await acme.export(), await acme.export()]
      const at = /"exportedAt":"[^"]*"/
      expect(first.text.replace(at, '')).toBe(second.text.replace(at, ''))
      expect(Date.parse(first.body.exportedAt)).not.toBeNaN()
    })

    test('promotes: what differs in the target becomes as in the source, nulls and empty lists too', async () => {
      const drifted = snapshotOf({
        products: [
          {
            productCode: 'ACME-CAD',
            productVersion: '2.0',
            description: 'drifted',
            externalId: 'E-1',
            tags: ['Other'],
            applicationScopes: [],
            productInformation: null,
          },
        ],
        plans: [
          {
            suiteCode: 'ACME-DESIGN',
            name: 'Standard',
            plans: [{ name: 'Pro', monthlyPrice: null, currency: null, description: 'drifted' }],
          },
        ],
        monitoredAssets: [
          { productCode: 'ACME-CAD', productVersion: '2.0', metricName: 'export-step', meteredUsage: null },
        ],
      })
      bodyOf(await neighbour.import(drifted))
      const report = bodyOf(await neighbour.import(bodyOf(await acme.export())))
      expect(report.summary).toMatchObject({ create: 0, update: 3 })
      expect(report.onlyHere).toEqual([{ kind: 'tag', key: 'tag:Product/Other' }])
      const [source, target] = [bodyOf(await acme.export()), bodyOf(await neighbour.export())]
      target.tags = target.tags.filter(({ name }: { name: string }) => name !== 'Other')
      for (const snapshot of [source, target]) {
        delete snapshot.counts
        delete snapshot.references
      }
      expect(portable(JSON.stringify(target))).toBe(portable(JSON.stringify(source)))
    })

    test('never removes what only the environment has', async () => {
      const before = bodyOf(await acme.export())
      const empty = Object.fromEntries(before.scope.map((section: string) => [section, []]))
      const report = bodyOf(await acme.import(snapshotOf(empty)))
      expect(report.onlyHere).toHaveLength(17)
      expect(report.summary).toMatchObject({ create: 0, update: 0, unchanged: 0, onlyHere: 17 })
      expect(portable((await acme.export()).text)).toBe(portable(JSON.stringify(before)))
    })

    test('is seen by the collections at once', async () => {
      const products = bodyOf(await acme.admin('GET', 'products?filter=productCode==ACME-CAD'))
      expect(products.items).toHaveLength(1)
      expect(products.items[0]).toMatchObject({ productVersion: '2.0', tags: ['Beta', 'Cloud'], status: 'Published' })
      const tags = bodyOf(await acme.admin('GET', 'tags?filter=name==Cloud'))
      expect(tags.items[0]).toMatchObject({ usageCount: 1 })
    })

    test('answers an empty snapshot: there is nothing to do', async () => {
      const report = bodyOf(await acme.import(snapshotOf({})))
      expect(report.summary).toEqual({ create: 0, update: 0, unchanged: 0, onlyHere: 0, errors: 0, warnings: 0 })
    })
  })
})
