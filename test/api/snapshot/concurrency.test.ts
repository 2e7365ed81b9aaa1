import { beforeEach, describe, expect, test } from 'vitest'
import { startServer } from '../../../server/app.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, catalogPath, clearCatalog, snapshotOf, wholeCatalog } from './scene.ts'

const cad = { productCode: 'ACME-CAD', productVersion: '2.0' }

/** Thirty products and their features, each saying who wrote it. */
const written = (by: string) =>
  snapshotOf({
    products: Array.from({ length: 30 }, (_, index) => ({ productCode: `P${index}`, description: by, tags: [by] })),
    featureCatalog: Array.from({ length: 30 }, (_, index) => ({
      productCode: `P${index}`,
      featureCode: 'F',
      units: by,
    })),
  })

forEachStore((store) => {
  describe('at the same time', () => {
    const server = serveTests(store)
    const catalog = catalogOf(server)
    beforeEach(() => clearCatalog(server.databaseUrl, server.tenantIds.acme))

    /** Every item was written by one and the same, the last of those whose imports moved the revision. */
    async function expectSerial(reports: { environmentRevision: string; revisionOf: string }[]) {
      const exported = bodyOf(await catalog.export())
      const last = reports.toSorted((a, b) => Number(a.environmentRevision) - Number(b.environmentRevision)).at(-1)!
      expect(new Set(exported.products.map(({ description }: { description: string }) => description))).toEqual(
        new Set([last.revisionOf]),
      )
      expect(new Set(exported.featureCatalog.map(({ units }: { units: string }) => units))).toEqual(
        new Set([last.revisionOf]),
      )
      expect(exported.counts).toMatchObject({ products: 30, featureCatalog: 30 })
      const revisions = new Set(reports.map(({ environmentRevision }) => environmentRevision))
      expect(revisions.size).toBe(reports.length)
    }

    test('eight imports of the same keys come out as one after the other', async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const by = `writer ${index}`
          return { ...bodyOf(await catalog.import(written(by))), revisionOf: by }
        }),
      )
      await expectSerial(answers)
      const summaries = answers.map(({ summary }) => [summary.create, summary.update] as const)
      expect(summaries.filter(([create]) => create >= 60)).toHaveLength(1)
      for (const [create, update] of summaries) if (create < 60) expect(update).toBe(60)
    })

    test('the same snapshot twice is created once', async () => {
      const [first, second] = await Promise.all([catalog.import(wholeCatalog()), catalog.import(wholeCatalog())])
      const created = [bodyOf(first).summary.create, bodyOf(second).summary.create]
      expect(created.toSorted()).toEqual([0, 17])
    })

    test('two imports under one expectedRevision: one of them is refused', async () => {
      const { environmentRevision } = bodyOf(await catalog.compare(snapshotOf({})))
      const query = `?expectedRevision=${environmentRevision}`
      const answers = await Promise.all([
        catalog.import(written('a'), { query }),
        catalog.import(written('b'), { query }),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    })

    test('edits and imports: every acknowledged edit is there or was overwritten by a later import, never half', async () => {
      bodyOf(await catalog.import(wholeCatalog()))
      const [product] = bodyOf(await catalog.admin('GET', 'products?filter=productCode==ACME-VIEW')).items
      const edits = Array.from({ length: 20 }, (_, index) => async () => {
        bodyOf(await catalog.admin('PATCH', `products/${product.id}`, { externalId: `edit ${index}` }))
        bodyOf(await catalog.admin('POST', 'tags', { scope: 'Product', name: `tag ${index}` }))
      })
      const imports = Array.from({ length: 5 }, (_, index) => async () => {
        bodyOf(await catalog.import(snapshotOf({ products: [{ ...cad, description: `import ${index}` }] })))
      })
      await Promise.all([...edits, ...imports].map((run) => run()))
      const { tags, products } = bodyOf(await catalog.export())
      expect(tags.filter(({ name }: { name: string }) => /^tag \d+$/.test(name))).toHaveLength(20)
      const [one] = bodyOf(await catalog.admin('GET', `products?filter=productCode==ACME-VIEW`)).items
      expect(one.revisionNumber).toBe(21)
      expect(
        products.find(({ productCode }: { productCode: string }) => productCode === 'ACME-CAD').description,
      ).toMatch(/^import \d$/)
      expect(bodyOf(await catalog.imports()).totalCount).toBe(6)
    })

    test('an import goes on from the revision that an offer has: what no catalog holds of it may have been edited since a compare', async () => {
      const { id } = bodyOf(await catalog.admin('POST', 'entitlements/offers', { name: 'Yearly' }))
      const path = `entitlements/offers/${id}`
      bodyOf(await catalog.compare(snapshotOf({})))
      const edited = bodyOf(await catalog.admin('PATCH', path, { customerContactName: 'Ada' }))
      bodyOf(await catalog.import(snapshotOf({ entitlementOffers: [{ name: 'Yearly', description: 'imported' }] })))
      expect(bodyOf(await catalog.admin('GET', path))).toMatchObject({
        revisionNumber: edited.revisionNumber + 1,
        customerContactName: 'Ada',
      })
      const headers = { 'if-match': `"${edited.revisionNumber}"` }
      expect((await catalog.admin('PATCH', path, { description: 'stale' }, { headers })).status).toBe(412)
    })

    test('a compare while others write is of one state: what belongs together is seen together', async () => {
      bodyOf(await catalog.import(written('before')))
      let isDone = false
      const writing = (async () => {
        for (let round = 0; round < 12; round++) bodyOf(await catalog.import(written(`round ${round}`)))
        isDone = true
      })()
      const seen = new Set<string>()
      while (!isDone) {
        const exported = bodyOf(await catalog.export('?scope=products,featureCatalog'))
        const writers = new Set([
          ...exported.products.map(({ description }: { description: string }) => description),
          ...exported.featureCatalog.map(({ units }: { units: string }) => units),
        ])
        expect(writers.size).toBe(1)
        for (const by of writers) seen.add(by as string)
      }
      await writing
      expect(seen.size).toBeGreaterThan(1)
    })

    test('imports of two tenants do not mix', async () => {
      const neighbour = catalogOf(server, 'neighbour')
      await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          index % 2 === 0 ? catalog.import(written('acme')) : neighbour.import(written('neighbour')),
        ),
      )
      for (const [tenant, by] of [
        [catalog, 'acme'],
        [neighbour, 'neighbour'],
      ] as const)
        expect(bodyOf(await tenant.export()).products.every(({ tags }: { tags: string[] }) => tags[0] === by)).toBe(
          true,
        )
    })

    test('two servers on one database: imports come out as one after the other', async () => {
      const second = await startServer({
        databaseUrl: server.databaseUrl,
        host: '127.0.0.1',
        port: 0,
        logLevel: 'silent',
        publicUrl: server.origin,
      })
      try {
        const importAt = async (origin: string, by: string) => {
          const answer = await fetch(`${origin}/t/acme${catalogPath}/import`, {
            method: 'POST',
            headers: { authorization: `Bearer ${server.tokens.acme}`, 'content-type': 'application/json' },
            body: JSON.stringify(written(by)),
          })
          const body = (await answer.json()) as { environmentRevision: string }
          expect([answer.status, body]).toEqual([200, expect.anything()])
          return { ...body, revisionOf: by }
        }
        const reports = await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            importAt(index % 2 === 0 ? server.origin : second.url, `server ${index % 2} writer ${index}`),
          ),
        )
        await expectSerial(reports)
      } finally {
        await second.close()
      }
    })
  })
})
