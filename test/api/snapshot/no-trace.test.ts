import { describe, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, dumpOf, sectionIn, snapshotOf, wholeCatalog } from './scene.ts'

forEachStore((store) => {
  describe('a compare leaves no trace', () => {
    const server = serveTests(store)
    const catalog = catalogOf(server)

    /** Runs a call and holds the whole database before it against the whole database after it. */
    async function untouched<T>(call: () => Promise<T>): Promise<T> {
      const before = await dumpOf(server.databaseUrl)
      const answer = await call()
      expect(await dumpOf(server.databaseUrl)).toBe(before)
      return answer
    }

    test('in an empty environment, that would create everything', async () => {
      const report = bodyOf(await untouched(() => catalog.compare(wholeCatalog())))
      expect(report.summary).toMatchObject({ update: 0, unchanged: 0, onlyHere: 0, errors: 0 })
      expect(report.environmentRevision).toMatch(/^\d+$/)
    })

    test('in an environment that it would change all over', async () => {
      bodyOf(await catalog.import(wholeCatalog()))
      const snapshot = wholeCatalog()
      for (const section of ['products', 'suites', 'addOns', 'entitlementOffers'])
        for (const item of sectionIn(snapshot, section)) item.description = 'edited'
      sectionIn(snapshot, 'products')[0]!.tags = ['A new tag']
      sectionIn(snapshot, 'featureCatalog')[0]!.name = 'edited'
      sectionIn(snapshot, 'monitoredAssets')[0]!.meteredUsage = null
      sectionIn(snapshot, 'plans')[0]!.plans = [{ name: 'Another' }]
      sectionIn(snapshot, 'tags')[0]!.color = null
      const before = bodyOf(await catalog.compare(wholeCatalog())).environmentRevision
      const report = bodyOf(await untouched(() => catalog.compare(snapshot)))
      expect(report.summary.update).toBeGreaterThan(8)
      expect(report.environmentRevision).toBe(before)
    })

    test('with an Idempotency-Key', async () => {
      const headers = { 'idempotency-key': 'compare-1' }
      expect((await untouched(() => catalog.compare(wholeCatalog(), { headers }))).status).toBe(200)
    })

    test('when every item is wrong', async () => {
      const wrong = snapshotOf({
        products: [{ productCode: 'X', parentProductCode: 'NOWHERE', tags: ['Never made'] }, { productCode: 'X' }],
        plans: [{ suiteCode: 'NOWHERE', name: 'P', plans: [{ name: 'A', monthlyPrice: 5 }] }],
      })
      const report = bodyOf(await untouched(() => catalog.compare(wrong)))
      expect(report.summary.errors).toBeGreaterThan(3)
    })

    test.each([
      ['a snapshot of the wrong shape', { formatVersion: '1.0', products: [{ name: 'no code' }] }, 400],
      ['another format', { formatVersion: '2.0' }, 400],
      ['no JSON at all', '{"formatVersion":', 400],
    ])('refusing %s', async (_what, body, status) => {
      expect((await untouched(() => catalog.compare(body))).status).toBe(status)
    })

    test('over tRPC', async () => {
      const answer = await untouched(() =>
        server.api('POST', '/trpc/admin.catalog.compare', { body: { snapshot: wholeCatalog() } }),
      )
      expect(answer.body.result.data.summary.errors).toBe(0)
    })

    test('by a credential that may only read', async () => {
      const token = await server.tokenWith(['admin.catalog:read'])
      expect((await untouched(() => catalog.compare(wholeCatalog(), { token }))).status).toBe(200)
    })

    test('nor does an export', async () => {
      expect((await untouched(() => catalog.export())).status).toBe(200)
    })
  })
})
