import { beforeAll, expect, test } from 'vitest'
import { featureFields } from '../../../catalog-schema/feature.ts'
import { featureContracts } from '../../../server/catalog/features/contract.ts'
import type { TestServer } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf, testCollection } from './catalog-collection.ts'

const admin = '/api/v1/provision/admin'
const path = `${admin}/feature-catalog`

const newProduct = (server: TestServer, body: object = {}) =>
  must(
    server.api('POST', `${admin}/products`, {
      body: { productCode: `P-${nextNumber()}`, name: 'A product', ...body },
    }),
  )

forEachStore((store) => {
  const server = serveTests(store)
  let product: { id: string; productCode: string }
  beforeAll(async () => {
    product = await newProduct(server)
  })

  const api = (method: string, below: string, body?: unknown) => server.api(method, path + below, { body })
  const at = (method: string, where: string, body?: unknown) => server.api(method, `${admin}/${where}`, { body })
  const newFeature = (body: object = {}) =>
    must(api('POST', '', { productId: product.id, featureCode: `F-${nextNumber()}`, name: 'A feature', ...body }))
  const patch = (feature: { id: string }, body: object) => must(api('PATCH', `/${feature.id}`, body))
  const newPlanSet = (ofProduct: { id: string }, featureValues: object[]) =>
    must(
      at('POST', 'usage-plans/plan-sets', {
        productId: ofProduct.id,
        name: `Set ${nextNumber()}`,
        plans: [{ name: 'Pro', lineItems: [{ productId: ofProduct.id, featureValues }] }],
      }),
    )

  testCollection(() => server, {
    path,
    body: async (_server, n) => ({
      productId: product.id,
      featureCode: `EXPORT_${n}`,
      name: `Export ${n}`,
      units: 'steps',
      metricName: `export-${n}`,
      featureType: 'Metered',
      lifecycleStatus: 'Preview',
      visibility: 'Internal',
      meterAggregationType: 'CumulativeCounter',
      valueScore: '2.5e1',
      enumOptions: [{ value: 'b', description: 'Second' }, { value: 'a' }],
      tags: [`F ${n}`, `a ${n}`],
    }),
    rename: (n) => ({ name: `Renamed ${n}` }),
    alter: { units: 'otherwise' },
    fields: ['productId', ...Object.keys(featureFields)],
    filterable: featureContracts.list.filterable,
    actions: ['preview', 'publish', 'disable', 'archive'],
  })

  test('an entry is answered whole, with every default', async () => {
    const created = await newFeature({ featureCode: 'BARE' })
    const { id, creationTimeStamp, lastUpdateTimeStamp, ...rest } = created
    expect([typeof id, creationTimeStamp]).toEqual(['string', lastUpdateTimeStamp])
    expect(rest).toEqual({
      productId: product.id,
      featureCode: 'BARE',
      name: 'A feature',
      units: null,
      metricName: null,
      featureType: 'Boolean',
      lifecycleStatus: 'Draft',
      visibility: 'Public',
      meterAggregationType: null,
      valueScore: null,
      enumOptions: [],
      tags: [],
      isDeleted: false,
      revisionNumber: 1,
    })
  })

  test('tags come from the vocabulary of features, and options keep their order', async () => {
    const tag = `Vocabulary ${nextNumber()}`
    const enumOptions = [{ value: 'z', description: 'Last' }, { value: 'a' }]
    const created = await newFeature({ tags: [tag], featureType: 'Enumeration', enumOptions })
    expect(created.enumOptions).toEqual([
      { value: 'z', description: 'Last' },
      { value: 'a', description: null },
    ])
    const found = await must(server.api('GET', `${admin}/tags?filter=name==${encodeURIComponent(tag)}`))
    expect(found.items).toMatchObject([{ scope: 'FeatureCatalog', usageCount: 1 }])
    const listed = await must(api('GET', `?filter=${encodeURIComponent(`tags@=${tag.slice(0, -1)}`)}`))
    expect(listed.items.map(({ id }: { id: string }) => id)).toContain(created.id)
  })

  test('a sentinel or an empty text clears what may be none', async () => {
    const feature = await newFeature({
      valueScore: 3,
      meterAggregationType: 'CumulativeCounter',
      units: 'u',
      metricName: 'm',
    })
    expect(await patch(feature, { clearValueScore: false, units: null })).toEqual(feature)
    expect(
      await patch(feature, { clearValueScore: true, clearMeterAggregationType: true, units: '', metricName: '' }),
    ).toMatchObject({ valueScore: null, meterAggregationType: null, units: null, metricName: null, name: feature.name })
  })

  test.each([
    [{ productId: noSuchId }, '/productId'],
    [{ productId: 'x' }, '/productId'],
    [{ featureCode: '' }, '/featureCode'],
    [{ featureType: 'boolean' }, '/featureType'],
    [{ metricName: 'Upper' }, '/metricName'],
    [{ featureCode: 'same', metricName: 'same' }, '/metricName'],
    [{ valueScore: '0x10' }, '/valueScore'],
    [{ valueScore: '' }, '/valueScore'],
    [{ valueScore: true }, '/valueScore'],
    [{ valueScore: '0.1000000000000000055' }, '/valueScore'],
    [{ enumOptions: [{ description: 'x' }] }, '/enumOptions/0/value'],
    [{ enumOptions: [{ value: 'a' }, { value: 'a' }] }, '/enumOptions/0'],
    [{ tags: [7] }, '/tags/0'],
    [{ clearValueScore: true }, '/clearValueScore'],
  ])('the create %j is refused', async (given, pointer) => {
    const body = { productId: product.id, featureCode: `R-${nextNumber()}`, name: 'x', ...given }
    const refused = await api('POST', '', body)
    expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
    expect(refused.body.errors[0].pointer).toBe(pointer)
  })

  test("a feature stays with its product, and is not put under a neighbour's", async () => {
    const feature = await newFeature()
    const other = await newProduct(server)
    const moved = await api('PATCH', `/${feature.id}`, { productId: other.id })
    expect([problemOf(moved), moved.body.errors[0].pointer]).toEqual([[400, 'license.validation_error'], '/productId'])
    expect(await patch(feature, { productId: product.id.toUpperCase() })).toEqual(feature)
    const theirs = await server.api('POST', path, {
      tenant: 'neighbour',
      body: { productId: product.id, featureCode: 'X', name: 'x' },
    })
    expect(problemOf(theirs)).toEqual([400, 'license.validation_error'])
    expect((await newFeature({ productId: other.id, featureCode: feature.featureCode })).productId).toBe(other.id)
  })

  test.each([
    ['Draft', { preview: 'Preview', publish: 'Published', disable: 409, archive: 409 }],
    ['Preview', { preview: 409, publish: 'Published', disable: 409, archive: 409 }],
    ['Published', { preview: 409, publish: 409, disable: 'Disabled', archive: 409 }],
    ['Disabled', { preview: 409, publish: 'Published', disable: 409, archive: 'Archived' }],
    ['Archived', { preview: 409, publish: 409, disable: 409, archive: 409 }],
  ])('from %s the lifecycle leads to %j', async (lifecycleStatus, steps) => {
    for (const [action, expected] of Object.entries(steps)) {
      const feature = await newFeature({ lifecycleStatus })
      const answer = await api('POST', `/${feature.id}/${action}`)
      if (expected === 409) expect(problemOf(answer)).toEqual([409, 'catalog.invalid_transition'])
      else expect(answer.body).toMatchObject({ lifecycleStatus: expected, revisionNumber: 2 })
    }
  })

  test('an edit takes one allowed step of the lifecycle and no other', async () => {
    const feature = await newFeature()
    const jump = await api('PATCH', `/${feature.id}`, { lifecycleStatus: 'Archived' })
    expect(problemOf(jump)).toEqual([409, 'catalog.invalid_transition'])
    expect(await patch(feature, { lifecycleStatus: 'Draft' })).toEqual(feature)
    expect((await patch(feature, { lifecycleStatus: 'Published' })).lifecycleStatus).toBe('Published')
  })

  test('a feature that a released plan set uses stays; a draft loses its value', async () => {
    const owner = await newProduct(server)
    const [used, drafted] = [await newFeature({ productId: owner.id }), await newFeature({ productId: owner.id })]
    const released = await newPlanSet(owner, [{ featureCode: used.featureCode, value: true }])
    await must(at('POST', `usage-plans/plan-sets/${released.id}/publish`))
    const draft = await newPlanSet(owner, [{ featureCode: used.featureCode }, { featureCode: drafted.featureCode }])
    const refused = await api('DELETE', `/${used.id}`)
    expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
    expect(refused.body.detail).toContain(`plan-set:${owner.productCode}/${released.name}`)
    const renamed = await api('PATCH', `/${drafted.id}`, { featureCode: 'OTHER' })
    expect(problemOf(renamed)).toEqual([409, 'catalog.in_use'])
    await must(api('DELETE', `/${drafted.id}`))
    const after = await must(at('GET', `usage-plans/plan-sets/${draft.id}`))
    const codes = after.plans[0].lineItems[0].featureValues.map((value: { featureCode: string }) => value.featureCode)
    expect([codes, after.revisionNumber]).toEqual([[used.featureCode], draft.revisionNumber + 1])
  })

  test('a feature that its product has keeps its code until the product lets go of it', async () => {
    const owner = await newProduct(server)
    const feature = await newFeature({ productId: owner.id })
    const edit = (features: object[]) => must(at('PATCH', `products/${owner.id}`, { features }))
    await edit([{ featureCode: feature.featureCode }])
    const refused = await api('PATCH', `/${feature.id}`, { featureCode: `${feature.featureCode}-B` })
    expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
    expect(refused.body.detail).toContain(`product:${owner.productCode}`)
    expect((await must(at('GET', `products/${owner.id}`))).features[0].featureCatalogId).toBe(feature.id)
    await edit([])
    expect((await patch(feature, { featureCode: `${feature.featureCode}-B` })).id).toBe(feature.id)
  })

  test('a feature that a released add-on is about stays; a draft lets go of it', async () => {
    const owner = await newProduct(server)
    const feature = await newFeature({ productId: owner.id })
    const [suite] = (await must(at('GET', `suites?filter=code==${owner.productCode.replaceAll('-', '\\-')}`))).items
    const addOn = await must(
      at('POST', 'add-ons', {
        suiteId: suite.id,
        code: `AO-${nextNumber()}`,
        name: 'More',
        featureValues: [{ featureCode: feature.featureCode, value: true }],
      }),
    )
    await must(at('POST', `add-ons/${addOn.id}/publish`))
    const refused = await api('DELETE', `/${feature.id}`)
    expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
    expect(refused.body.detail).toContain(`add-on:${addOn.code}`)
    const other = await newFeature({ productId: owner.id })
    const draft = await must(
      at('POST', 'add-ons', {
        suiteId: suite.id,
        code: `AO-${nextNumber()}`,
        name: 'Less',
        featureValues: [{ featureCode: other.featureCode }],
      }),
    )
    await must(api('DELETE', `/${other.id}`))
    expect((await must(at('GET', `add-ons/${draft.id}`))).featureValues).toEqual([])
  })

  test('an option stays while a plan, an add-on or an offer gives the feature that value, which none listed allows', async () => {
    const text = { featureCode: 'SIZE', featureType: 'Text' }
    const sized = (...values: string[]) => ({
      featureType: 'Enumeration',
      enumOptions: values.map((value) => ({ value })),
    })
    const owner = await newProduct(server, { features: [text] })
    const feature = await newFeature({ productId: owner.id })
    const ways = [
      {
        code: 'SIZE',
        edit: (size: object) => at('PATCH', `products/${owner.id}`, { features: [{ featureCode: 'SIZE', ...size }] }),
      },
      { code: feature.featureCode, edit: (size: object) => api('PATCH', `/${feature.id}`, size) },
    ]
    const code = `AO-${nextNumber()}`
    for (const way of ways) {
      await must(way.edit({ featureType: 'Text' }))
      const given = [{ featureCode: way.code, value: 'M' }]
      const users = [
        [
          'usage-plans/plan-sets',
          { productId: owner.id, name: 'Sizes', plans: [{ name: 'P', lineItems: [{ featureValues: given }] }] },
        ],
        ['add-ons', { productId: owner.id, code, name: 'Size', featureValues: given }],
        ['entitlements/offers', { name: code, products: [{ productId: owner.id, features: given }] }],
      ] as const
      for (const [where, body] of users) {
        const user = await must(at('POST', where, body))
        const refused = await way.edit(sized('S'))
        expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
        expect(refused.body.detail).toContain(where === 'usage-plans/plan-sets' ? 'plan-set:' : code)
        await must(way.edit(sized('S', 'M')))
        await must(way.edit(sized()))
        expect(problemOf(await way.edit(sized('S')))).toEqual([409, 'catalog.in_use'])
        await must(way.edit({ featureType: 'Text', enumOptions: [] }))
        if (way.code === 'SIZE') {
          const entry = { productId: owner.id, featureCode: 'SIZE', name: 'Size', ...sized('S') }
          expect(problemOf(await at('POST', 'feature-catalog', entry))).toEqual([409, 'catalog.in_use'])
        }
        await must(at('DELETE', `${where}/${user.id}`))
      }
      await must(way.edit(sized('S')))
    }
  })
})
