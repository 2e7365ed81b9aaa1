import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Snapshot } from '../../../catalog-schema/snapshot.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import {
  bodyOf,
  catalogOf,
  clearCatalog,
  comparable,
  dumpOf,
  type ReportedItem,
  snapshotOf,
  wholeCatalog,
} from './scene.ts'

const cad = { productCode: 'ACME-CAD', productVersion: '2.0' }
const edited = (description: string) => snapshotOf({ products: [{ ...cad, description }] })
/** Names two products that nobody has. */
const broken = snapshotOf({ featureCatalog: ['A', 'B'].map((productCode) => ({ productCode, featureCode: 'X' })) })

forEachStore((store) => {
  const server = serveTests(store)
  const catalog = catalogOf(server)
  beforeEach(async () => {
    await clearCatalog(server.databaseUrl, server.tenantIds.acme)
    bodyOf(await catalog.import(wholeCatalog()))
  })

  const idOf = async (path: string, filter: string) =>
    bodyOf(await catalog.admin('GET', `${path}?filter=${encodeURIComponent(filter)}`)).items[0].id as string

  describe('expectedRevision', () => {
    test('lets an import through while the environment stands there', async () => {
      const { environmentRevision } = bodyOf(await catalog.compare(edited('x')))
      const query = `?expectedRevision=${environmentRevision}`
      expect(bodyOf(await catalog.import(edited('x'), { query })).summary.update).toBe(1)
    })

    test('refuses it once anything in the catalog changed, and changes nothing', async () => {
      const { environmentRevision } = bodyOf(await catalog.compare(edited('x')))
      bodyOf(await catalog.admin('POST', 'tags', { scope: 'Product', name: 'Elsewhere' }))
      const before = await dumpOf(server.databaseUrl)
      const answer = await catalog.import(edited('x'), { query: `?expectedRevision=${environmentRevision}` })
      expect([answer.status, answer.body.code, answer.body.codeName]).toEqual([
        409,
        3005,
        'catalog.environment_changed',
      ])
      expect(await dumpOf(server.databaseUrl)).toBe(before)
    })

    test('is not asked of what cannot be imported at all', async () => {
      const answer = await catalog.import(broken, { query: '?expectedRevision=0' })
      expect([answer.status, answer.body.codeName]).toEqual([400, 'catalog.unresolved_reference'])
    })

    test.each(['0', '', 'x', '1e3'])('that never was (%j) is no longer the environment’s', async (revision) => {
      const answer = await catalog.import(edited('x'), { query: `?expectedRevision=${revision}` })
      expect(answer.status).toBe(409)
    })

    test('the revision changes with every change of the catalog and with nothing else', async () => {
      const revision = async () => Number(bodyOf(await catalog.compare(snapshotOf({}))).environmentRevision)
      const steps: [string, () => Promise<unknown>, boolean][] = [
        ['a tag made', () => catalog.admin('POST', 'tags', { scope: 'Product', name: 'Made' }), true],
        ['a list read', () => catalog.admin('GET', 'products'), false],
        [
          'a product renamed',
          async () => catalog.admin('PATCH', `products/${await idOf('products', 'name==Acme CAD')}`, { name: 'New' }),
          true,
        ],
        [
          'the same name again',
          async () => catalog.admin('PATCH', `products/${await idOf('products', 'name==New')}`, { name: 'New' }),
          false,
        ],
        [
          'a client made',
          () => catalog.admin('POST', 'clients', { name: 'ci', scopes: ['admin.catalog:read'] }),
          false,
        ],
        ['the neighbour’s import', () => catalogOf(server, 'neighbour').import(edited('x')), false],
        ['an import of what is there', () => catalog.import(bodyOf0), false],
        [
          'an import that is refused',
          () => catalog.import(snapshotOf({ products: [{ ...cad, status: 'Draft' }] })),
          false,
        ],
        ['an import', () => catalog.import(edited('moved')), true],
        ['a tag deleted', async () => catalog.admin('DELETE', `tags/${await idOf('tags', 'name==Made')}`), true],
      ]
      const bodyOf0 = bodyOf(await catalog.export('?scope=suites'))
      for (const [what, step, moves] of steps) {
        const before = await revision()
        await step()
        expect([what, (await revision()) > before]).toEqual([what, moves])
      }
    })
  })

  describe('apply', () => {
    /** A snapshot with what its compare showed of each key. */
    async function reviewed(snapshot: Snapshot) {
      const report = bodyOf(await catalog.compare(snapshot))
      const expected: Record<string, string | null> = Object.fromEntries(
        report.items.map(({ key, fingerprint }: ReportedItem) => [key, fingerprint]),
      )
      return { report, body: { snapshot, expected } }
    }

    async function refusedFor(body: object, moved: unknown[]) {
      const before = await dumpOf(server.databaseUrl)
      const answer = await catalog.apply(body)
      expect([answer.status, answer.body.code, answer.body.codeName]).toEqual([
        409,
        3005,
        'catalog.environment_changed',
      ])
      expect(answer.body.moved).toEqual(moved)
      expect(await dumpOf(server.databaseUrl)).toBe(before)
    }

    const moved = (key: string) => ({
      key,
      changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      changedBy: `client:${server.clients.acme.clientId}`,
    })

    test('does what was reviewed', async () => {
      const { report, body } = await reviewed(edited('reviewed'))
      expect(comparable(bodyOf(await catalog.apply(body)))).toEqual(comparable(report))
    })

    test('knows the key of a tag whatever its letter case', async () => {
      bodyOf(await catalog.admin('POST', 'tags', { scope: 'Product', name: 'Cased' }))
      const tags = [{ scope: 'Product', name: 'cASED', color: '#112233' }]
      const { body } = await reviewed({ ...edited('cased'), tags } as Snapshot)
      const { 'tag:Product/Cased': fingerprint, ...others } = body.expected
      expect(fingerprint).toMatch(/\w/)
      const asked = { ...body, expected: { ...others, 'tag:Product/cASED': fingerprint! } }
      expect(bodyOf(await catalog.apply(asked)).summary.update).toBe(2)
    })

    test('does not mind what others did elsewhere', async () => {
      const { body } = await reviewed(edited('reviewed'))
      bodyOf(await catalog.admin('POST', 'tags', { scope: 'Product', name: 'Elsewhere' }))
      bodyOf(await catalog.admin('PATCH', `products/${await idOf('products', 'name==Acme View')}`, { name: 'Viewer' }))
      expect(bodyOf(await catalog.apply(body)).summary.update).toBe(1)
    })

    test('is refused when a key that it changes has moved, with who and when', async () => {
      const { body } = await reviewed(edited('reviewed'))
      const id = await idOf('products', 'name==Acme CAD')
      bodyOf(await catalog.admin('PATCH', `products/${id}`, { description: 'somebody else' }))
      await refusedFor(body, [moved('product:ACME-CAD@2.0')])
    })

    test('is refused when a key that it changes has moved to just what it would make of it', async () => {
      const { body } = await reviewed(edited('reviewed'))
      bodyOf(await catalog.import(edited('reviewed')))
      await refusedFor(body, [moved('product:ACME-CAD@2.0')])
    })

    test('is refused when a key that it creates has been created meanwhile', async () => {
      const { body } = await reviewed(snapshotOf({ products: [{ productCode: 'NEW', description: 'mine' }] }))
      expect(body.expected).toEqual({ 'product:NEW': null })
      bodyOf(await catalog.admin('POST', 'products', { productCode: 'NEW', name: 'theirs' }))
      await refusedFor(body, [moved('product:NEW')])
    })

    test.each([
      [
        'product:ACME-ADDIN',
        'products',
        'productCode==ACME-ADDIN',
        { products: [{ productCode: 'ACME-ADDIN', name: 'edited' }] },
      ],
      ['tag:Product/Beta', 'tags', 'name==Beta', { tags: [{ scope: 'Product', name: 'Beta', color: '#000000' }] }],
      [
        'feature:ACME-CAD@2.0/SIZE',
        'feature-catalog',
        'featureCode==SIZE',
        { featureCatalog: [{ ...cad, featureCode: 'SIZE', units: 'x' }] },
      ],
      [
        'metric:ACME-CAD@2.0/export-step',
        'monitored-assets',
        'metricName==export-step',
        { monitoredAssets: [{ ...cad, metricName: 'export-step', unit: 'x' }] },
      ],
      [
        'plan-set:ACME-CAD@2.0/Alone',
        'usage-plans/plan-sets',
        'name==Alone',
        { plans: [{ suiteCode: 'ACME-CAD@2.0', name: 'Alone', description: 'x' }] },
      ],
    ])(
      'is refused when %s, which it changes, has been deleted meanwhile, with who deleted it',
      async (key, path, filter, sections) => {
        const { body } = await reviewed(snapshotOf(sections))
        const deleted = await catalog.admin('DELETE', `${path}/${await idOf(path, filter)}`)
        expect(deleted.status).toBe(204)
        await refusedFor(body, [moved(key)])
      },
    )

    const post = async (path: string) => bodyOf(await catalog.admin('POST', path))
    test.each<[string, string, object, () => Promise<unknown>]>([
      [
        'a product that was locked',
        'product:ACME-VIEW',
        { products: [{ productCode: 'ACME-VIEW', name: 'edited' }] },
        async () => post(`products/${await idOf('products', 'productCode==ACME-VIEW')}/lock`),
      ],
      [
        'an add-on that was deleted, whose suite it does not say',
        'add-on:RENDER-PACK',
        { addOns: [{ code: 'RENDER-PACK', name: 'edited' }] },
        async () => catalog.admin('DELETE', `add-ons/${await idOf('add-ons', 'code==RENDER-PACK')}`),
      ],
      [
        'a plan set that was retired',
        'plan-set:ACME-DESIGN/Standard',
        { plans: [{ suiteCode: 'ACME-DESIGN', name: 'Standard', status: 'Published', description: 'edited' }] },
        async () => post(`usage-plans/plan-sets/${await idOf('usage-plans/plan-sets', 'name==Standard')}/retire`),
      ],
    ])('is refused for the key and not for the errors that come of it: %s', async (_what, key, sections, move) => {
      const { body } = await reviewed(snapshotOf(sections))
      await move()
      expect((await catalog.import(body.snapshot)).status).toBe(400)
      await refusedFor(body, [moved(key)])
    })

    test('is refused when it would now change a key that nobody named', async () => {
      const snapshot = { ...edited('reviewed'), suites: [{ code: 'ACME-DESIGN', name: 'Design' }] }
      const { body } = await reviewed(snapshot)
      expect(Object.keys(body.expected)).toEqual(['product:ACME-CAD@2.0'])
      const id = await idOf('suites', 'code==ACME-DESIGN')
      bodyOf(await catalog.admin('PATCH', `suites/${id}`, { name: 'Renamed' }))
      await refusedFor(body, [moved('suite:ACME-DESIGN')])
    })

    test('names who renamed the tag of an item, and who deleted one that nobody named', async () => {
      const tagged = { productCode: 'TAGGED', name: 'Tagged', tags: ['Old'] }
      const beside = { productCode: 'BESIDE', name: 'Beside' }
      bodyOf(await catalog.import(snapshotOf({ products: [tagged, beside] })))
      const { body } = await reviewed(snapshotOf({ products: [{ ...tagged, name: 'Changed' }, beside] }))
      expect(Object.keys(body.expected)).toEqual(['product:TAGGED'])
      // Touched since the import, too, before the tag was renamed.
      bodyOf(await catalog.admin('PATCH', `products/${await idOf('products', 'name==Tagged')}`, { externalId: 'x' }))
      await sleep(5)
      const since = new Date().toISOString()
      bodyOf(await catalog.admin('PATCH', `tags/${await idOf('tags', 'name==Old')}`, { name: 'New' }))
      await catalog.admin('DELETE', `products/${await idOf('products', 'name==Beside')}`)
      const answer = await catalog.apply(body)
      const late = (key: string) => [key, true, moved(key).changedBy]
      type Moved = ReturnType<typeof moved>
      expect(answer.body.moved.map((one: Moved) => [one.key, one.changedAt >= since, one.changedBy])).toEqual([
        ...[late('tag:Product/Old'), late('product:BESIDE'), late('product:TAGGED')],
      ])
    })

    test('is refused when a key was named that it leaves as it is, and that has moved', async () => {
      const report = bodyOf(await catalog.compare(wholeCatalog(), { query: '?include=unchanged' }))
      const expected = Object.fromEntries(report.items.map(({ key, fingerprint }: ReportedItem) => [key, fingerprint]))
      const id = await idOf('products', 'name==Acme View')
      bodyOf(await catalog.admin('PATCH', `products/${id}`, { description: 'somebody else' }))
      await refusedFor({ snapshot: edited('reviewed'), expected }, [moved('product:ACME-VIEW')])
    })

    test.each([
      ['a fingerprint that never was', 'product:ACME-CAD@2.0', 'sha256:0'],
      ['null for a key that is there', 'product:ACME-CAD@2.0', null],
    ])('is refused for %s', async (_what, key, fingerprint) => {
      await refusedFor({ snapshot: edited('x'), expected: { [key]: fingerprint } }, [moved(key)])
    })

    test('is refused for a key that never was, of which nobody knows who', async () => {
      const { body } = await reviewed(edited('x'))
      body.expected['product:NEVER'] = `sha256:${'0'.repeat(64)}`
      await refusedFor(body, [{ key: 'product:NEVER', changedAt: null, changedBy: null }])
    })

    test('is refused for everything when nothing was named', async () => {
      await refusedFor({ snapshot: edited('x'), expected: {} }, [moved('product:ACME-CAD@2.0')])
    })

    test('says what is wrong with what cannot be imported at all, whatever has moved', async () => {
      const answer = await catalog.apply({ snapshot: broken, expected: { 'product:ACME-CAD@2.0': null } })
      expect([answer.status, answer.body.codeName]).toEqual([400, 'catalog.unresolved_reference'])
      expect(answer.body.errors).toHaveLength(2)
    })

    test('with nothing to change and nothing named is an import of nothing', async () => {
      expect(bodyOf(await catalog.apply({ snapshot: wholeCatalog(), expected: {} })).items).toEqual([])
    })

    test.each([
      ['no expectation', { snapshot: wholeCatalog() }],
      ['an expectation that is no text', { snapshot: wholeCatalog(), expected: { 'product:A': 1 } }],
      ['an unknown field', { snapshot: wholeCatalog(), expected: {}, force: true }],
    ])('with %s is 400', async (_what, body) => {
      const answer = await catalog.apply(body)
      expect([answer.status, answer.body.codeName]).toEqual([400, 'license.validation_error'])
    })

    test('two that were reviewed at the same time: one wins, the other is told', async () => {
      const [first, second] = [await reviewed(edited('first')), await reviewed(edited('second'))]
      const answers = await Promise.all([catalog.apply(first.body), catalog.apply(second.body)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    })
  })
})
