import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { bodyOf, catalogOf, clearCatalog, type ReportedItem, snapshotOf, wholeCatalog } from './scene.ts'

const cad = { productCode: 'ACME-CAD', productVersion: '2.0' }
const standard = { suiteCode: 'ACME-DESIGN', name: 'Standard' }

forEachStore((store) => {
  describe('what a snapshot says', () => {
    const server = serveTests(store)
    const catalog = catalogOf(server)
    beforeEach(async () => {
      await clearCatalog(server.databaseUrl, server.tenantIds.acme)
      bodyOf(await catalog.import(wholeCatalog()))
    })

    /** The changes that a compare reports, by key, and the same of the import that follows; a second import finds none. */
    async function changesOf(sections: object) {
      const compared = bodyOf(await catalog.compare(snapshotOf(sections)))
      const imported = bodyOf(await catalog.import(snapshotOf(sections)))
      expect(imported.items).toEqual(compared.items)
      expect(bodyOf(await catalog.import(snapshotOf(sections))).items).toEqual([])
      return Object.fromEntries(
        compared.items.map(({ key, action, changes }: ReportedItem) => [key, action === 'create' ? 'create' : changes]),
      )
    }

    test.each([
      ['a field that is absent is left as it is', { ...cad }, undefined],
      ['a field that is null becomes null where it can', { ...cad, productInformation: null }, '/productInformation'],
      ['an empty list empties a list that is a value', { ...cad, tags: [] }, '/tags'],
      ['an empty list of named members removes none', { ...cad, features: [] }, undefined],
      ['a list that is a value is replaced whole', { ...cad, applicationScopes: ['server'] }, '/applicationScopes'],
      ['tags in another order and casing are the same', { ...cad, tags: ['cloud', 'BETA'] }, undefined],
      ['a default that is written is a value like any other', { ...cad, status: 'Published' }, undefined],
    ])('%s', async (_sentence, product, path) => {
      const changes = await changesOf({ products: [product] })
      expect(changes).toEqual(path === undefined ? {} : { 'product:ACME-CAD@2.0': [expect.objectContaining({ path })] })
    })

    test('a price of null is not priced yet; an absent price stays', async () => {
      const plans = [{ name: 'Pro', monthlyPrice: null }, { name: 'Free' }]
      expect(await changesOf({ plans: [{ ...standard, plans }] })).toEqual({
        'plan-set:ACME-DESIGN/Standard': [{ path: '/plans/Pro/monthlyPrice', before: 49, after: null }],
      })
    })

    test('an add-on may leave out its suite, which is no part of its key; a new one may not', async () => {
      expect(await changesOf({ addOns: [{ code: 'RENDER-PACK', name: 'Faster rendering' }] })).toEqual({
        'add-on:RENDER-PACK': [{ path: '/name', before: 'Rendering', after: 'Faster rendering' }],
      })
      const fresh = snapshotOf({ addOns: [{ code: 'FRESH' }] })
      const { errors, summary } = bodyOf(await catalog.compare(fresh))
      expect(errors).toEqual([
        expect.objectContaining({ key: 'add-on:FRESH', path: '/suiteCode', codeName: 'license.validation_error' }),
      ])
      expect(summary.errors).toBe(1)
      expect(await catalog.import(fresh)).toMatchObject({ status: 400, body: { code: 2000, errors } })
    })

    test('members that only the environment has are kept and listed under onlyHere with their path', async () => {
      const plans = [
        { name: 'Pro', lineItems: [{ ...cad, featureValues: [{ featureCode: 'SEATS' }] }] },
        { name: 'New/~ plan', monthlyPrice: 0 },
      ]
      const report = bodyOf(await catalog.import(snapshotOf({ plans: [{ ...standard, plans }] })))
      expect(report.onlyHere).toEqual(
        [
          { kind: 'planSet', key: 'plan-set:ACME-DESIGN/Standard', path: '/plans/Free' },
          {
            kind: 'planSet',
            key: 'plan-set:ACME-DESIGN/Standard',
            path: '/plans/Pro/lineItems/ACME-CAD@2.0/featureValues/EXPORT_STEP',
          },
          { kind: 'planSet', key: 'plan-set:ACME-DESIGN/Standard', path: '/plans/Pro/lineItems/ACME-VIEW' },
          { kind: 'planSet', key: 'plan-set:ACME-CAD@2.0/Alone' },
        ].toSorted((a, b) => report.onlyHere.findIndex(sameAs(a)) - report.onlyHere.findIndex(sameAs(b))),
      )
      expect(report.items).toEqual([
        expect.objectContaining({ changes: [expect.objectContaining({ path: '/plans/New~1~0 plan', before: null })] }),
      ])
      const [set] = bodyOf(await catalog.export('?scope=plans')).plans.filter(
        ({ name }: { name: string }) => name === 'Standard',
      )
      expect(set.plans.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Free', 'New/~ plan', 'Pro'])
      expect(set.plans.find(({ name }: { name: string }) => name === 'Pro').lineItems).toHaveLength(2)
    })

    test('members are matched by name, never by position', async () => {
      const report = bodyOf(await catalog.export())
      report.suites[0].members.reverse()
      report.plans.reverse()
      report.featureCatalog.find(({ featureCode }: { featureCode: string }) => featureCode === 'SIZE').enumOptions = [
        { value: 'S' },
        { value: 'L', description: 'Large' },
      ]
      expect(await changesOf(report)).toEqual({
        'feature:ACME-CAD@2.0/SIZE': [{ path: '/enumOptions/L/description', before: null, after: 'Large' }],
      })
    })

    test('tiers are addressed by index', async () => {
      const usageTiers = [
        { name: 'Included', startUsage: 0, endUsage: 200 },
        { name: 'Over', startUsage: 200, quotaUsageLevel: 'OverUsage', quotaUsagePolicy: 'Deny' },
      ]
      const monitoredAssets = [{ ...cad, metricName: 'export-step', meteredUsage: { usageTiers } }]
      expect(await changesOf({ monitoredAssets })).toEqual({
        'metric:ACME-CAD@2.0/export-step': [
          { path: '/meteredUsage/usageTiers/0/endUsage', before: 100, after: 200 },
          { path: '/meteredUsage/usageTiers/1/startUsage', before: 100, after: 200 },
        ],
      })
    })

    test('a tag that nobody has yet is created with the item that names it, in the casing first written', async () => {
      expect(await changesOf({ products: [{ ...cad, tags: ['beta', 'cloud', 'Fresh'] }] })).toEqual({
        'tag:Product/Fresh': 'create',
        'product:ACME-CAD@2.0': [{ path: '/tags', before: ['Beta', 'Cloud'], after: ['Beta', 'Cloud', 'Fresh'] }],
      })
      expect(await changesOf({ products: [{ ...cad, tags: ['fRESH'] }] })).toMatchObject({
        'product:ACME-CAD@2.0': [{ path: '/tags', after: ['Fresh'] }],
      })
      expect(await changesOf({ tags: [{ scope: 'Product', name: 'FRESH', color: '#000000' }] })).toEqual({
        'tag:Product/Fresh': [{ path: '/color', before: null, after: '#000000' }],
      })
    })

    test('an export refers to the tags and metrics that there are, under each that names them', async () => {
      const paid = [{ quotaUsagePolicy: 'AllowWithOverage', fundingBalanceMetric: 'credits' }]
      await changesOf({
        products: [{ ...cad, features: [{ featureCode: 'CORE', usageMetric: 'export-step' }] }],
        featureCatalog: [
          { ...cad, featureCode: 'EXPORT_STEP', metricName: 'export-step' },
          { ...cad, featureCode: 'SEATS', metricName: 'nobody-meters-it' },
        ],
        monitoredAssets: [
          { ...cad, metricName: 'credits', balanceUsage: {} },
          { ...cad, metricName: 'seats-used', meteredUsage: { usageTiers: paid } },
        ],
        plans: [
          {
            ...standard,
            plans: [
              {
                name: 'Pro',
                lineItems: [
                  { ...cad, featureValues: [{ featureCode: 'SEATS', metricName: 'seats-used', usageTiers: paid }] },
                ],
              },
            ],
          },
        ],
        addOns: [
          {
            suiteCode: 'ACME-DESIGN',
            code: 'RENDER-PACK',
            featureValues: [{ featureCode: 'SEATS', usageTiers: paid }],
          },
        ],
      })
      const { references } = bodyOf(await catalog.export('?scope=products,featureCatalog,plans,addOns'))
      expect(references['metric:ACME-CAD@2.0/export-step']).toEqual({
        kind: 'monitoredAsset',
        naturalKey: { ...cad, metricName: 'export-step' },
        presence: 'External',
        referencedBy: ['feature:ACME-CAD@2.0/EXPORT_STEP', 'product:ACME-CAD@2.0'],
      })
      const users = ['add-on:RENDER-PACK', 'plan-set:ACME-DESIGN/Standard']
      expect(references['metric:ACME-CAD@2.0/credits'].referencedBy).toEqual(users)
      expect(references['metric:ACME-CAD@2.0/seats-used'].referencedBy).toEqual([users[1]])
      expect(Object.keys(references).filter((key) => key.includes('nobody'))).toEqual([])
      expect(references['tag:Product/Beta']).toEqual({
        kind: 'tag',
        naturalKey: { scope: 'Product', name: 'Beta' },
        presence: 'External',
        referencedBy: ['product:ACME-CAD@2.0'],
      })
      const whole = bodyOf(await catalog.export())
      expect(whole.references['tag:Entitlement/Self-service']).toMatchObject({
        presence: 'Included',
        referencedBy: ['offer:CAD Team@1'],
      })
      expect(whole.references['metric:ACME-CAD@2.0/credits']).toMatchObject({
        presence: 'Included',
        referencedBy: [users[0], 'metric:ACME-CAD@2.0/seats-used', users[1]],
      })
      expect(bodyOf(await catalog.import(whole)).items).toEqual([])
    })

    test('in a suite of one a line item may leave out the product', async () => {
      const plans = [{ name: 'Only', lineItems: [{ featureValues: [{ featureCode: 'SEATS', value: 4 }] }] }]
      const changes = await changesOf({ plans: [{ suiteCode: 'ACME-CAD@2.0', name: 'Alone', plans }] })
      expect(changes).toMatchObject({
        'plan-set:ACME-CAD@2.0/Alone': [{ path: '/plans/Only/lineItems/ACME-CAD@2.0/featureValues/SEATS' }],
      })
    })

    test('numbers may be written as text, and values as numbers: they are the same', async () => {
      const plans = [
        {
          name: 'Pro',
          monthlyPrice: '49.0',
          lineItems: [{ ...cad, featureValues: [{ featureCode: 'SEATS', value: 3 }] }],
        },
      ]
      expect(await changesOf({ plans: [{ ...standard, plans }] })).toEqual({})
    })

    test('names like those of objects own fields are names like any other', async () => {
      const body = `{"formatVersion":"1.0","products":[{"productCode":"__proto__","features":[{"featureCode":"constructor"},{"featureCode":"__proto__"}],
        "propertyValues":{"toString":{"value":"x"},"constructor":{"value":"y"}},"tags":["__proto__","toString"]}],
        "plans":[{"suiteCode":"__proto__","name":"constructor","plans":[{"name":"__proto__","lineItems":[{"featureValues":[{"featureCode":"__proto__","value":true}]}]}]}]}`
      const imported = bodyOf(await catalog.import(body))
      expect(imported.items.map(({ key }: ReportedItem) => key)).toEqual([
        'tag:Product/__proto__',
        'tag:Product/toString',
        'product:__proto__',
        'plan-set:__proto__/constructor',
      ])
      expect(bodyOf(await catalog.compare(body)).items).toEqual([])
      const exported = await catalog.export()
      expect(exported.text).toContain('"propertyValues":{"constructor":{"key":null,"value":"y"')
      expect(bodyOf(await catalog.compare(exported.text)).items).toEqual([])
    })
  })

  describe('what a compare looks at', () => {
    const server = serveTests(store)
    const catalog = catalogOf(server)
    beforeAll(async () => {
      bodyOf(await catalog.import(wholeCatalog()))
    })

    test('?include=unchanged adds what stays as it is, each with its fingerprint', async () => {
      const plain = bodyOf(await catalog.compare(wholeCatalog()))
      const whole = bodyOf(await catalog.compare(wholeCatalog(), { query: '?include=unchanged' }))
      expect(plain.items).toEqual([])
      expect(whole.items).toHaveLength(14)
      expect(whole.summary).toEqual({ ...plain.summary })
      for (const { action, fingerprint, changes } of whole.items as ReportedItem[]) {
        expect(action).toBe('unchanged')
        expect(changes).toBeUndefined()
        expect(fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/)
      }
    })

    test('a change carries how many live entitlements it touches, where it can touch any', async () => {
      const snapshot = wholeCatalog() as unknown as Record<string, Record<string, unknown>[]>
      snapshot.tags![0]!.color = '#ffffff'
      snapshot.suites![0]!.name = 'edited'
      snapshot.products![0]!.name = 'edited'
      const report = bodyOf(await catalog.compare(snapshot))
      expect(report.items.map(({ kind, affects }: ReportedItem) => [kind, affects])).toEqual([
        ['tag', undefined],
        ['product', { entitlements: 0 }],
        ['suite', undefined],
      ])
    })

    test.each([
      ['an absent section', {}, []],
      ['a section of null', { products: null }, []],
      ['an empty section', { suites: [] }, ['suite:ACME-DESIGN']],
      ['a section that is not in scope', { scope: ['tags'], products: [{ productCode: 'NEW' }], suites: [] }, []],
      ['a section in scope', { scope: ['suites'], suites: [], products: [] }, ['suite:ACME-DESIGN']],
      ['a section in scope that is absent', { scope: ['suites', 'products'] }, []],
    ])('%s', async (_what, sections, onlyHere) => {
      const report = bodyOf(await catalog.compare(snapshotOf(sections)))
      expect(report.onlyHere.map(({ key }: { key: string }) => key)).toEqual(onlyHere)
      expect(report.items).toEqual([])
    })

    test.each([
      ['compare', '?includes=unchanged'],
      ['compare', '?include=all'],
      ['import', '?expectedrevision=1'],
      ['apply', '?expectedRevision=1'],
      ['export', '?scopes=tags'],
      ['export', '?scope=products,nothing'],
    ] as const)('an unknown query is refused: %s%s', async (operation, query) => {
      const answer =
        operation === 'export' ? await catalog.export(query) : await catalog[operation](wholeCatalog(), { query })
      expect(answer.status).toBe(400)
      expect(answer.body.codeName).toBe('license.validation_error')
    })

    test('an export carries the sections of its scope in canonical order, with counts', async () => {
      const exported = bodyOf(await catalog.export('?scope=plans,products'))
      expect(exported.scope).toEqual(['products', 'plans'])
      expect(exported.counts).toEqual({ products: 3, plans: 2 })
      expect(Object.keys(exported)).toEqual([
        'formatVersion',
        'exportedAt',
        'sourceTenantId',
        'scope',
        'counts',
        'references',
        'warnings',
        'products',
        'plans',
      ])
      expect(exported.products.map(({ productCode }: { productCode: string }) => productCode)).toEqual([
        'ACME-ADDIN',
        'ACME-CAD',
        'ACME-VIEW',
      ])
    })

    test('references say who names whom, and what is expected to be there', async () => {
      const { references } = bodyOf(await catalog.export('?scope=plans,entitlementOffers'))
      expect(references['product:ACME-VIEW']).toEqual({
        kind: 'product',
        naturalKey: { productCode: 'ACME-VIEW', productVersion: null },
        presence: 'External',
        referencedBy: ['plan-set:ACME-DESIGN/Standard'],
      })
      expect(references['plan-set:ACME-DESIGN/Standard']).toMatchObject({
        kind: 'planSet',
        presence: 'Included',
        referencedBy: ['offer:CAD Team@1'],
      })
      expect(references['suite:ACME-DESIGN']).toMatchObject({ presence: 'External' })
      await catalog.import(
        snapshotOf({
          addOns: [
            {
              suiteCode: 'ACME-DESIGN',
              code: 'VALUED',
              name: 'V',
              featureValues: [{ featureCode: 'SEATS', value: '2' }],
            },
          ],
        }),
      )
      const addOns = bodyOf(await catalog.export('?scope=addOns')).references
      expect(addOns['feature:ACME-CAD@2.0/SEATS']).toMatchObject({ presence: 'External' })
      expect(addOns['feature:ACME-CAD@2.0/SEATS'].referencedBy).toContain('add-on:VALUED')
      const whole = bodyOf(await catalog.export())
      const presences = Object.values(whole.references as Record<string, { presence: string }>)
      expect(new Set(presences.map(({ presence }) => presence))).toEqual(new Set(['Included']))
    })

    test('a part of an export is accepted where the environment has the rest, and refused where it has not', async () => {
      const part = (await catalog.export('?scope=plans,entitlementOffers')).text
      expect(bodyOf(await catalog.compare(part)).summary).toMatchObject({ create: 0, update: 0, errors: 0 })
      const elsewhere = bodyOf(await catalogOf(server, 'neighbour').compare(part))
      expect(elsewhere.errors.length).toBeGreaterThan(2)
      for (const { code, codeName } of elsewhere.errors)
        expect([code, codeName]).toEqual([3004, 'catalog.unresolved_reference'])
      const refused = await catalogOf(server, 'neighbour').import(part)
      expect([refused.status, refused.body.code]).toEqual([400, 3004])
    })
  })
})

const sameAs = (wanted: object) => (held: object) => JSON.stringify(held) === JSON.stringify(wanted)
