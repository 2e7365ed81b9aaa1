import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Snapshot } from '../../../catalog-schema/snapshot.ts'
import { generatedCatalogs } from '../../support/generated-catalogs.ts'
import { requestToken } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, clearCatalog, dumpOf, makeGroups, snapshotOf, wholeCatalog } from './scene.ts'

const cad = { productCode: 'ACME-CAD', productVersion: '2.0' }
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
type Drifted = { key: string; action: string; changes?: unknown[]; changedAt: string | null; changedBy: string | null }

forEachStore((store) => {
  const server = serveTests(store)
  const catalog = catalogOf(server)
  const neighbour = catalogOf(server, 'neighbour')
  let actor: string
  beforeAll(async () => {
    await makeGroups(catalog)
    actor = `client:${server.clients.acme.clientId}`
  })

  /** The record that a list finds under a text. */
  async function recordOf(path: string, text: string): Promise<Record<string, unknown>> {
    const { items } = bodyOf(await catalog.admin('GET', `${path}?pageSize=100`))
    return items.find((item: object) => Object.values(item).includes(text))
  }
  async function edit(path: string, text: string, body: object) {
    const { id, revisionNumber } = await recordOf(path, text)
    const headers = { 'if-match': `"${revisionNumber}"` }
    return bodyOf(await catalog.admin('PATCH', `${path}/${id}`, body, { headers }))
  }
  const remove = async (path: string, text: string) =>
    expect((await catalog.admin('DELETE', `${path}/${(await recordOf(path, text)).id}`)).status).toBe(204)
  const drift = async () => bodyOf(await catalog.drift())

  describe('drift', () => {
    let imported: { importId: string; environmentRevision: string }
    beforeEach(async () => {
      await clearCatalog(server.databaseUrl, server.tenantIds.acme)
      imported = bodyOf(await catalog.import(wholeCatalog()))
    })

    test('before the first import there is nothing to measure it from, and the answer says so', async () => {
      expect(bodyOf(await neighbour.drift())).toEqual({
        since: null,
        environmentRevision: '1',
        summary: { created: 0, updated: 0, deleted: 0 },
        items: [],
      })
    })

    test('right after an import there is none', async () => {
      expect(await drift()).toEqual({
        since: {
          importId: imported.importId,
          importedAt: instant,
          importedBy: actor,
          revision: imported.environmentRevision,
        },
        environmentRevision: imported.environmentRevision,
        summary: { created: 0, updated: 0, deleted: 0 },
        items: [],
      })
    })

    test('is told field by field, by kind and key, with who and when', async () => {
      await edit('add-ons', 'RENDER-PACK', { name: 'Faster rendering' })
      await edit('products', 'ACME-CAD', { description: 'drawn by hand', tags: ['Beta'] })
      await remove('entitlements/offers', 'CAD Team')
      const made = await catalog.admin('POST', 'tags', { scope: 'Entitlement', name: 'By hand' })
      expect(made.status).toBe(200)
      const report = await drift()
      const author = { changedAt: instant, changedBy: actor }
      expect(report.summary).toEqual({ created: 1, updated: 2, deleted: 1 })
      expect(report.items).toEqual([
        { kind: 'tag', key: 'tag:Entitlement/By hand', action: 'create', ...author },
        {
          kind: 'product',
          key: 'product:ACME-CAD@2.0',
          action: 'update',
          changes: [
            { path: '/description', before: null, after: 'drawn by hand' },
            { path: '/tags', before: ['Beta', 'Cloud'], after: ['Beta'] },
          ],
          ...author,
        },
        {
          kind: 'addOn',
          key: 'add-on:RENDER-PACK',
          action: 'update',
          changes: [{ path: '/name', before: 'Rendering', after: 'Faster rendering' }],
          ...author,
        },
        { kind: 'entitlementOffer', key: 'offer:CAD Team@1', action: 'delete', ...author },
      ])
      expect(Number(report.environmentRevision)).toBeGreaterThan(Number(report.since.revision))
      expect(Date.parse(report.items[1].changedAt)).toBeGreaterThan(Date.parse(report.since.importedAt))
    })

    test('is told of an item that nobody touched but whose tag got another name, with who did that', async () => {
      await edit('tags', 'Headline', { name: 'Leading' })
      const { items } = await drift()
      expect(items.map(({ key, action }: Drifted) => `${action} ${key}`)).toEqual([
        'delete tag:FeatureCatalog/Headline',
        'create tag:FeatureCatalog/Leading',
        'update feature:ACME-CAD@2.0/EXPORT_STEP',
      ])
      const tag = await recordOf('tags', 'Leading')
      expect(items[2]).toMatchObject({
        changes: [{ path: '/tags', before: ['Headline'], after: ['Leading'] }],
        changedAt: tag.updatedAt,
        changedBy: actor,
      })
      expect(items[0]).toMatchObject({ changedAt: instant, changedBy: actor })
    })

    test('names the client that made each change', async () => {
      const other = bodyOf(await catalog.admin('POST', 'clients', { name: 'support', scopes: ['admin.products:*'] }))
      const token = await requestToken(server.baseUrl(), other, ['admin.products:*'])
      const { id } = await recordOf('products', 'ACME-VIEW')
      await edit('products', 'ACME-CAD', { description: 'ours' })
      bodyOf(await catalog.admin('PATCH', `products/${id}`, { description: 'theirs' }, { token }))
      const { items } = await drift()
      expect(items.map(({ key, changedBy }: Drifted) => [key, changedBy])).toEqual([
        ['product:ACME-CAD@2.0', actor],
        ['product:ACME-VIEW', `client:${other.clientId}`],
      ])
    })

    test('a record with another natural key is one that is gone and one that is new, with all that is named after it', async () => {
      await edit('products', 'ACME-VIEW', { productCode: 'ACME-SEE' })
      const { items } = await drift()
      expect(items.map(({ key, action }: Drifted) => `${action} ${key}`)).toEqual([
        'create product:ACME-SEE',
        'delete product:ACME-VIEW',
        'update suite:ACME-DESIGN',
        'update plan-set:ACME-DESIGN/Standard',
      ])
      const [created, gone, ...named] = items
      expect(created).toMatchObject({ changedAt: instant, changedBy: actor })
      expect(gone).toMatchObject({ changedAt: instant, changedBy: actor })
      for (const { changedAt } of named) expect(changedAt).toBe(created.changedAt)
    })

    test('what is put back by hand is none', async () => {
      await edit('add-ons', 'RENDER-PACK', { name: 'Other' })
      await edit('add-ons', 'RENDER-PACK', { name: 'Rendering' })
      expect((await drift()).items).toEqual([])
    })

    test.each([
      ['that changes something else', snapshotOf({ suites: [{ code: 'NEW' }] }), 1],
      ['that finds nothing to do', snapshotOf({ tags: [{ scope: 'Product', name: 'Beta' }] }), 0],
    ])('is measured anew from every import, also one %s', async (_what, snapshot, created) => {
      await edit('add-ons', 'RENDER-PACK', { name: 'Other' })
      const next = bodyOf(await catalog.import(snapshot))
      expect(next.summary.create).toBe(created)
      expect(await drift()).toMatchObject({
        since: { importId: next.importId, revision: next.environmentRevision },
        items: [],
      })
      await edit('add-ons', 'RENDER-PACK', { name: 'Another' })
      const { items } = await drift()
      expect(items).toMatchObject([{ changes: [{ path: '/name', before: 'Other', after: 'Another' }] }])
    })

    test('is not measured from an import that was refused, nor moved by asking', async () => {
      await edit('add-ons', 'RENDER-PACK', { name: 'Other' })
      expect((await catalog.import(snapshotOf({ products: [{ ...cad, status: 'Draft' }] }))).status).toBe(400)
      const before = await dumpOf(server.databaseUrl)
      const report = await drift()
      expect(await dumpOf(server.databaseUrl)).toBe(before)
      expect(report).toMatchObject({ since: { importId: imported.importId }, summary: { updated: 1 } })
    })

    test("is the tenant's own: the neighbour sees nothing of it", async () => {
      await edit('add-ons', 'RENDER-PACK', { name: 'Other' })
      const answer = await neighbour.drift()
      expect(bodyOf(answer)).toMatchObject({ since: null, items: [] })
      expect((await neighbour.drift({ token: server.tokens.acme })).status).toBe(401)
    })

    test.each([
      ['admin.catalog:read', 200],
      ['admin.catalog:write', 403],
      ['admin.products:*', 403],
    ])('%s may ask: %i', async (scope, status) => {
      expect((await catalog.drift({ token: await server.tokenWith([scope]) })).status).toBe(status)
    })

    test('through tRPC it is the same', async () => {
      await edit('add-ons', 'RENDER-PACK', { name: 'Other' })
      const { body } = await server.api('GET', '/trpc/admin.catalog.drift')
      expect(body.result.data).toEqual(await drift())
    })
  })

  test('of any catalog there is none right after its import', { timeout: 120_000 }, () =>
    fc.assert(
      fc
        .asyncProperty(generatedCatalogs(), generatedCatalogs(), async (first: Snapshot, second: Snapshot) => {
          for (const [number, snapshot] of [first, second].entries()) {
            if ((await catalog.import(snapshot)).status !== 200) return
            bodyOf(await catalog.admin('POST', 'tags', { scope: 'Product', name: `by hand ${number} ∎` }))
            const { items } = await drift()
            expect(items.map(({ key }: Drifted) => key)).toEqual([`tag:Product/by hand ${number} ∎`])
          }
        })
        .beforeEach(() => clearCatalog(server.databaseUrl, server.tenantIds.acme)),
      { numRuns: 20, interruptAfterTimeLimit: 100_000 },
    ),
  )
})
