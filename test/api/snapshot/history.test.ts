import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { migrations } from '../../../server/database/migrations/index.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, portable, snapshotOf, wholeCatalog } from './scene.ts'

const cad = { productCode: 'ACME-CAD', productVersion: '2.0' }

forEachStore((store) => {
  describe('the history of imports', () => {
    const server = serveTests(store)
    const catalog = catalogOf(server)
    const neighbour = catalogOf(server, 'neighbour')
    let first: { importId: string; environmentRevision: string; items: unknown[] }
    beforeAll(async () => {
      first = bodyOf(await catalog.import(wholeCatalog(), { query: '?source=git:main:catalog' }))
    })

    test('lists who imported what, when and from where, the newest first', async () => {
      const second = bodyOf(await catalog.import(snapshotOf({ products: [{ ...cad, description: 'second' }] })))
      const list = bodyOf(await catalog.imports())
      expect(list.totalCount).toBe(2)
      expect(list.items.map(({ id }: { id: string }) => id)).toEqual([second.importId, first.importId])
      expect(list.items[1]).toEqual({
        id: first.importId,
        importId: first.importId,
        importedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        importedBy: `client:${server.clients.acme.clientId}`,
        source: 'git:main:catalog',
        revisionBefore: expect.any(String),
        revisionAfter: first.environmentRevision,
        summary: { create: 17, update: 0, unchanged: 0, onlyHere: 0, errors: 0, warnings: 0 },
      })
      expect(list.items[0]).toMatchObject({ source: null, revisionBefore: first.environmentRevision })
    })

    test('is paged, filtered and sorted like any collection', async () => {
      const page = bodyOf(await catalog.imports('?pageSize=1&pageNumber=2&sortOrder=importedAt'))
      expect([page.items.length, page.totalCount]).toEqual([1, 2])
      const found = bodyOf(await catalog.imports('?filter=source@=git'))
      expect(found.items.map(({ id }: { id: string }) => id)).toEqual([first.importId])
      const named = bodyOf(await catalog.imports(`?filter=importId==${first.importId}`))
      expect(named.items.map(({ importId }: { importId: string }) => importId)).toEqual([first.importId])
      expect((await catalog.imports('?filter=report@=x')).status).toBe(400)
    })

    test('each is one entry of the audit log, which names it', async () => {
      const entries = await server.api('GET', `/api/v1/provision/admin/audit?filter=recordId==${first.importId}`)
      expect(entries.body.items).toMatchObject([
        {
          actor: `client:${server.clients.acme.clientId}`,
          operation: 'admin.catalog.import',
          recordKind: 'catalog.imports',
          before: null,
          after: { source: 'git:main:catalog', summary: { create: 17 } },
        },
      ])
    })

    test('has the whole report of each', async () => {
      const one = bodyOf(await catalog.imports(`/${first.importId}`))
      expect(one).toMatchObject(first)
      expect(one.report).toEqual(first)
      expect(one).toMatchObject({ id: first.importId, source: 'git:main:catalog' })
    })

    test('an import that is refused is not in it', async () => {
      const { totalCount } = bodyOf(await catalog.imports())
      expect((await catalog.import(snapshotOf({ products: [{ ...cad, status: 'Draft' }] }))).status).toBe(400)
      expect(bodyOf(await catalog.imports()).totalCount).toBe(totalCount)
    })

    test('what was there before, imported again, puts back what an import overwrote', async () => {
      const before = await catalog.export()
      const snapshot = snapshotOf({
        products: [{ ...cad, name: 'overwritten', tags: ['Other'], propertyValues: {}, applicationScopes: [] }],
        monitoredAssets: [{ ...cad, metricName: 'export-step', meteredUsage: null, unit: null }],
        plans: [
          {
            suiteCode: 'ACME-DESIGN',
            name: 'Standard',
            plans: [
              {
                name: 'Pro',
                monthlyPrice: 99,
                lineItems: [{ ...cad, featureValues: [{ featureCode: 'SEATS', value: '9' }] }],
              },
            ],
          },
        ],
        addOns: [{ suiteCode: 'ACME-DESIGN', code: 'RENDER-PACK', name: 'x' }],
        entitlementOffers: [{ name: 'CAD Team', version: '1', assignedPlan: null, licensePolicy: null }],
      })
      const imported = bodyOf(await catalog.import(snapshot))
      expect(imported.summary).toMatchObject({ create: 1, update: 5 })
      const undo = await catalog.imports(`/${imported.importId}/before`)
      expect(bodyOf(undo)).toMatchObject({
        formatVersion: '1.0',
        sourceTenantId: server.tenantIds.acme,
        scope: ['products', 'monitoredAssets', 'plans', 'addOns', 'entitlementOffers'],
        counts: { products: 1, monitoredAssets: 1, plans: 1, addOns: 1, entitlementOffers: 1 },
      })
      expect(bodyOf(undo).products).toHaveLength(1)
      expect(bodyOf(await catalog.import(undo.text)).summary).toMatchObject({ create: 0, update: 5, errors: 0 })
      const after = bodyOf(await catalog.export())
      after.tags = after.tags.filter(({ name }: { name: string }) => name !== 'Other')
      after.counts.tags -= 1
      expect(portable(JSON.stringify(after))).toBe(portable(before.text))
    })

    test('before an import that only created there is nothing to put back', async () => {
      const undo = bodyOf(await catalog.imports(`/${first.importId}/before`))
      expect(undo).toMatchObject({ scope: [], counts: {} })
      expect(bodyOf(await catalog.import(undo)).items).toEqual([])
    })

    test('what an earlier version kept as it was is there after the update', async () => {
      const paths = [`/${first.importId}`, `/${first.importId}/before`]
      const answers = await Promise.all(paths.map(async (path) => bodyOf(await catalog.imports(path))))
      const database = openDatabase(server.databaseUrl)
      const formerly = ['report', 'before_snapshot'].flatMap((column) => [
        `alter table catalog_imports drop column ${column}`,
        `alter table catalog_imports add column ${column} text not null default '{}'`,
      ])
      for (const statement of formerly) await sql.raw(statement).execute(database.schema)
      const [{ report }, before] = answers
      const former = { report: JSON.stringify(report), before_snapshot: JSON.stringify(before) }
      await sql`update catalog_imports set report = ${former.report}, before_snapshot = ${former.before_snapshot}
where id = ${first.importId}`.execute(database.schema)
      await migrations['0015-compressed-history']!.up(database.schema)
      await database.close()
      expect(await Promise.all(paths.map(async (path) => bodyOf(await catalog.imports(path))))).toEqual(answers)
    })

    test('an apply is in it, too, with its source', async () => {
      const snapshot = snapshotOf({ suites: [{ code: 'APPLIED' }] })
      const done = bodyOf(
        await catalog.apply({ snapshot, expected: { 'suite:APPLIED': null } }, { query: '?source=plan.json' }),
      )
      expect(bodyOf(await catalog.imports(`/${done.importId}`)).source).toBe('plan.json')
    })

    test.each(['', '/before'])('%s of an import that never was is 404', async (path) => {
      for (const id of ['0199f000-0000-7000-8000-000000000000', 'x', '%F0%9F%92%A9']) {
        const answer = await catalog.imports(`/${id}${path}`)
        expect([answer.status, answer.body.codeName]).toEqual([404, 'license.record_not_found'])
      }
    })

    describe('and the neighbour', () => {
      test('sees nothing of it: the list is empty, each is 404 as if it never was', async () => {
        expect(bodyOf(await neighbour.imports()).totalCount).toBe(0)
        expect(bodyOf(await neighbour.imports(`?filter=id==${first.importId}`)).totalCount).toBe(0)
        for (const path of ['', '/before']) {
          const theirs = await neighbour.imports(`/${first.importId}${path}`)
          const never = await neighbour.imports(`/0199f000-0000-7000-8000-000000000000${path}`)
          expect(theirs.status).toBe(404)
          expect({ ...theirs.body, instance: '' }).toEqual({ ...never.body, instance: '' })
        }
      })

      test('exports, compares and imports a catalog of its own', async () => {
        expect(bodyOf(await neighbour.export()).counts.products).toBe(0)
        const report = bodyOf(await neighbour.compare(wholeCatalog()))
        expect(report.summary).toMatchObject({ create: 17, onlyHere: 0 })
        expect(report.targetTenantId).toBe(server.tenantIds.neighbour)
        const snapshot = snapshotOf({ plans: [{ suiteCode: 'ACME-DESIGN', name: 'X', plans: [] }] })
        expect((await neighbour.import(snapshot)).body.codeName).toBe('catalog.unresolved_reference')
      })

      test('has the tenant of the snapshot as the source, where none is said', async () => {
        bodyOf(await neighbour.import(bodyOf(await catalog.export())))
        expect(bodyOf(await neighbour.imports()).items[0].source).toBe(server.tenantIds.acme)
      })

      test('cannot use a token of another tenant', async () => {
        for (const answer of [
          await neighbour.export('', { token: server.tokens.acme }),
          await neighbour.compare(wholeCatalog(), { token: server.tokens.acme }),
          await neighbour.import(wholeCatalog(), { token: server.tokens.acme }),
        ])
          expect([answer.status, answer.body.codeName]).toEqual([401, 'auth.unauthenticated'])
      })
    })
  })

  describe('who may', () => {
    const server = serveTests(store)
    const catalog = catalogOf(server)

    const reading = { compare: 200, export: 200, imports: 200, import: 403, apply: 403 }
    const nothing = { compare: 403, export: 403, imports: 403, import: 403, apply: 403 }
    test.each([
      ['admin.catalog:read', reading],
      ['admin.*:read', reading],
      ['admin.catalog:create', nothing],
      ['admin.catalog:update', nothing],
      ['admin.catalog:delete', nothing],
      ['admin.catalog:write', { ...nothing, import: 200, apply: 200 }],
      ['admin.catalog:*', { compare: 200, export: 200, imports: 200, import: 200, apply: 200 }],
      ['admin.products:*', nothing],
      ['operational.*:*', nothing],
    ])('%s', async (scope, statuses) => {
      const token = await server.tokenWith([scope])
      const answers = {
        compare: await catalog.compare(snapshotOf({}), { token }),
        export: await catalog.export('', { token }),
        imports: await catalog.imports('', { token }),
        import: await catalog.import(snapshotOf({}), { token }),
        apply: await catalog.apply({ snapshot: snapshotOf({}), expected: {} }, { token }),
      }
      const answered = Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]))
      expect(answered).toEqual(statuses)
      for (const { status, body } of Object.values(answers))
        if (status === 403) {
          expect(body.codeName).toBe('auth.insufficient_scope')
          expect(body.detail).toMatch(/admin\.catalog:(read|write)/)
        }
    })

    test('nobody without a token, and the body is not even read', async () => {
      for (const answer of [
        await catalog.compare('not json', { token: null }),
        await catalog.import('not json', { token: null }),
        await catalog.apply('not json', { token: null }),
        await catalog.export('', { token: null }),
        await catalog.imports('', { token: null }),
      ]) {
        expect([answer.status, answer.body.codeName]).toEqual([401, 'auth.unauthenticated'])
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
      }
    })

    test('read and create and update together make write', async () => {
      const token = await server.tokenWith(['admin.catalog:create', 'admin.catalog:update'])
      expect((await catalog.import(snapshotOf({}), { token })).status).toBe(200)
    })
  })
})
