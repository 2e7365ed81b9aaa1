import { expect, test } from 'vitest'
import { productFields } from '../../../catalog-schema/product.ts'
import { productContracts } from '../../../server/catalog/products/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf, testCollection } from './catalog-collection.ts'
import { pointersOf } from './things-to-sell.ts'

const path = '/api/v1/provision/admin/products'

const fullBody = (n: number) => ({
  productCode: `ACME-${n}`,
  productVersion: `${n}.0`,
  name: `Acme ${n}`,
  description: 'Draws, and "prints"',
  status: 'Published',
  externalId: `ext-${n}`,
  expirationDate: '2031-01-31T12:00:00+01:00',
  isLocked: false,
  productMetaData: '{"any":1}',
  productInformation: { displayVersion: '2', downloadUrl: 'https://acme.example/cad' },
  propertyValues: { colour: { key: 'c', value: 'red', metadata: [{ key: 'k', value: null }] } },
  applicationScopes: ['desktop', 'cloud'],
  tags: [`Own ${n}`],
  features: [
    { featureCode: 'SEATS', featureType: 'Numeric', value: 5, sortOrder: '2' },
    { featureCode: 'EXPORT', value: true, sortOrder: 1 },
  ],
})

forEachStore((store) => {
  const server = serveTests(store)

  const api = (method: string, below: string, body?: unknown) => server.api(method, path + below, { body })
  const at = (method: string, where: string, body?: unknown) =>
    server.api(method, `/api/v1/provision/admin/${where}`, { body })
  const newProduct = (body: object = {}) =>
    must(api('POST', '', { productCode: `P-${nextNumber()}`, name: 'A product', ...body }))
  const patch = (product: { id: string }, body: object) => must(api('PATCH', `/${product.id}`, body))
  const suitesOf = async (code: string) =>
    (await must(at('GET', `suites?filter=code==${encodeURIComponent(code)}`))).items

  testCollection(() => server, {
    path,
    body: async (_server, n) => fullBody(n),
    rename: (n) => ({ name: `Renamed ${n}` }),
    alter: { description: 'Otherwise' },
    fields: ['productCode', 'productVersion', 'parentProductId', ...Object.keys(productFields)],
    filterable: productContracts.list.filterable,
    actions: ['publish', 'retire', 'lock', 'unlock'],
  })

  test('a product is answered whole, with every default', async () => {
    const created = await newProduct({ productCode: 'BARE' })
    const { id, createdAt, updatedAt, ...rest } = created
    expect([id, createdAt]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), updatedAt])
    expect(rest).toEqual({
      providerId: server.tenantIds.acme,
      productCode: 'BARE',
      productVersion: null,
      name: 'A product',
      description: null,
      status: 'Draft',
      externalId: null,
      expirationDate: null,
      isLocked: false,
      productMetaData: null,
      productInformation: null,
      propertyValues: {},
      applicationScopes: [],
      tags: [],
      features: [],
      parentProductId: null,
      monitoredAssets: [],
      metrics: [],
      isDeleted: false,
      revisionNumber: 1,
    })
  })

  test('values are kept in canonical form: numbers for numeric strings, UTC instants, members in order', async () => {
    const product = await must(api('POST', '', fullBody(nextNumber())))
    expect(product).toMatchObject({
      expirationDate: '2031-01-31T11:00:00.000Z',
      productInformation: { displayVersion: '2', additionalInformation: null, supportUrl: null },
      propertyValues: { colour: { key: 'c', value: 'red', metadata: [{ key: 'k', value: null }] } },
      features: [
        { featureCode: 'EXPORT', featureType: 'Boolean', value: 'true', isEnabled: true, sortOrder: 1 },
        { featureCode: 'SEATS', featureType: 'Numeric', value: '5', sortOrder: 2, revisionNumber: 1 },
      ],
    })
  })

  test('an edit merges objects, replaces lists, and clears what it says it clears', async () => {
    const product = await must(api('POST', '', fullBody(nextNumber())))
    const merged = await patch(product, {
      productInformation: { supportUrl: 'https://s.example', displayVersion: null },
    })
    expect(merged.productInformation).toMatchObject({ displayVersion: '2', supportUrl: 'https://s.example' })
    expect((await patch(product, { productInformation: { displayVersion: '' } })).productInformation).toMatchObject({
      displayVersion: null,
      supportUrl: 'https://s.example',
    })
    const emptied = await patch(product, { tags: [], applicationScopes: [], description: '' })
    expect(emptied).toMatchObject({ tags: [], applicationScopes: [], description: null })
    expect(await patch(product, { clearExpirationDate: false, clearProductInformation: null })).toEqual(emptied)
    const cleared = await patch(product, { clearExpirationDate: true, clearProductInformation: true })
    expect(cleared).toMatchObject({ expirationDate: null, productInformation: null, name: product.name })
    const both = await api('PATCH', `/${product.id}`, {
      clearExpirationDate: true,
      expirationDate: '2031-01-01T00:00:00Z',
    })
    expect(problemOf(both)).toEqual([400, 'license.validation_error'])
    expect(both.body.errors[0].pointer).toBe('/clearExpirationDate')
  })

  test('PATCH merges properties by name and field by field, PUT replaces them', async () => {
    const colour = { key: 'c', value: 'red', metadata: [{ key: 'k', value: null }] }
    const weight = { key: 'w', value: '4', metadata: [] }
    const product = await must(api('POST', '', { ...fullBody(nextNumber()), propertyValues: { colour, weight } }))
    const merge = async (propertyValues: object) => (await patch(product, { propertyValues })).propertyValues
    const added = { constructor: { key: null, value: 'x', metadata: [] } }
    expect(await merge({ weight: { value: '9' }, ...added })).toEqual({
      ...{ colour, weight: { ...weight, value: '9' } },
      ...added,
    })
    const kept = await patch(product, { propertyValues: { colour: null, weight: { key: null } } })
    expect(kept.propertyValues).toEqual({ colour, weight: { ...weight, value: '9' }, ...added })
    expect(await patch(product, { propertyValues: {} })).toEqual(kept)
    const many = Object.fromEntries(Array.from({ length: 998 }, (_, index) => [`p${index}`, {}]))
    expect(pointersOf(await api('PATCH', `/${product.id}`, { propertyValues: many }))).toEqual([
      ...[400, 'license.validation_error'],
      ['/propertyValues'],
    ])
    const replaced = async (propertyValues: object) =>
      (await must(api('PUT', `/${product.id}`, { name: product.name, propertyValues }))).propertyValues
    expect(await replaced({ weight: { value: '1' } })).toEqual({ weight: { key: null, value: '1', metadata: [] } })
    expect(await replaced({})).toEqual({})
  })

  test('features keep their ids by code, and only a changed one moves on', async () => {
    const product = await must(api('POST', '', fullBody(nextNumber())))
    const [exporting, seats] = product.features
    const after = await patch(product, {
      features: [
        { featureCode: 'EXPORT', value: 'true', sortOrder: 1 },
        { featureCode: 'SEATS', value: '9' },
        { featureCode: 'NEW' },
      ],
    })
    const byCode = Object.fromEntries(
      after.features.map((feature: { featureCode: string }) => [feature.featureCode, feature]),
    )
    expect(byCode.EXPORT).toEqual(exporting)
    expect(byCode.SEATS).toMatchObject({ id: seats.id, value: '9', featureType: 'Boolean', revisionNumber: 2 })
    expect(byCode.NEW).toMatchObject({ revisionNumber: 1, featureCatalogId: null })
    const entry = await must(at('POST', 'feature-catalog', { productId: product.id, featureCode: 'NEW', name: 'New' }))
    const read = await must(api('GET', `/${product.id}`))
    expect(
      read.features.find((feature: { featureCode: string }) => feature.featureCode === 'NEW').featureCatalogId,
    ).toBe(entry.id)
  })

  test.each([
    [{ features: [{ featureCode: 'A' }, { featureCode: 'A' }] }, '/features/0'],
    [{ features: [{ value: 'x' }] }, '/features/0'],
    [{ features: [{ featureCode: 'A', visibility: 'public' }] }, '/features/0/visibility'],
    [{ features: [{ featureCode: 'A', sortOrder: 1.5 }] }, '/features/0/sortOrder'],
    [{ features: [{ featureCode: 'Api', usageMetric: 'Api' }] }, '/features/0/usageMetric'],
    [{ features: {} }, '/features'],
    [{ expirationDate: '2031-02-30T00:00:00Z' }, '/expirationDate'],
    [{ productInformation: { nope: '1' } }, '/productInformation/nope'],
    [{ propertyValues: { a: { key: 1 } } }, '/propertyValues/a/key'],
    [{ applicationScopes: [''] }, '/applicationScopes/0'],
    [{ isLocked: 'true' }, '/isLocked'],
    [{ parentProductId: noSuchId }, '/parentProductId'],
    [{ parentProductId: 'x' }, '/parentProductId'],
    [{ productCode: '' }, '/productCode'],
    [{ tags: ['ok', ' no'] }, '/tags/1'],
  ])('the edit %j is refused', async (body, pointer) => {
    const product = await newProduct()
    const refused = await api('PATCH', `/${product.id}`, body)
    expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
    expect(refused.body.errors[0].pointer).toBe(pointer)
    expect(await must(api('GET', `/${product.id}`))).toEqual(product)
  })

  test('the lifecycle goes from Draft to Published to Retired, one step at a time', async () => {
    const product = await newProduct()
    const act = (action: string) => api('POST', `/${product.id}/${action}`)
    expect(problemOf(await act('retire'))).toEqual([409, 'catalog.invalid_transition'])
    expect((await must(act('publish'))).status).toBe('Published')
    expect(problemOf(await act('publish'))).toEqual([409, 'catalog.invalid_transition'])
    expect(problemOf(await api('PATCH', `/${product.id}`, { status: 'Draft' }))).toEqual([
      409,
      'catalog.invalid_transition',
    ])
    expect((await patch(product, { status: 'Retired' })).status).toBe('Retired')
    expect((await act('publish')).body.detail).toContain('Retired')
    const draft = await newProduct()
    expect(problemOf(await api('PATCH', `/${draft.id}`, { status: 'Retired' }))).toEqual([
      409,
      'catalog.invalid_transition',
    ])
  })

  test('a locked product refuses every change but unlocking', async () => {
    const product = await newProduct()
    const act = (action: string) => api('POST', `/${product.id}/${action}`)
    expect(problemOf(await act('unlock'))).toEqual([409, 'catalog.invalid_transition'])
    expect((await must(act('lock'))).isLocked).toBe(true)
    for (const refused of [
      await act('publish'),
      await api('PATCH', `/${product.id}`, { name: 'x' }),
      await api('PATCH', `/${product.id}`, { features: [{ featureCode: 'A' }] }),
      await api('PUT', `/${product.id}`, { name: 'x' }),
      await api('DELETE', `/${product.id}`),
    ])
      expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
    expect(problemOf(await act('lock'))).toEqual([409, 'catalog.invalid_transition'])
    expect((await must(act('unlock'))).isLocked).toBe(false)
    await must(api('DELETE', `/${product.id}`))
  })

  test('a version tells products of one code apart; an absent one is a version too', async () => {
    const productCode = `V-${nextNumber()}`
    await newProduct({ productCode })
    const first = await newProduct({ productCode, productVersion: '1' })
    expect(problemOf(await api('POST', '', { productCode, name: 'x' }))).toEqual([409, 'catalog.duplicate_key'])
    const second = await newProduct({ productCode, productVersion: '2' })
    const clash = await api('PATCH', `/${second.id}`, { productVersion: '1' })
    expect(problemOf(clash)).toEqual([409, 'catalog.duplicate_key'])
    expect(clash.body.detail).toContain(`product:${productCode}@1`)
    expect(problemOf(await api('PATCH', `/${first.id}`, { productVersion: '' }))).toEqual([
      409,
      'catalog.duplicate_key',
    ])
  })

  test('a product has a suite of its own that follows its code and name, and goes with it', async () => {
    const productCode = `S-${nextNumber()}`
    const product = await newProduct({ productCode, productVersion: '1.0', name: 'First' })
    const [suite] = await suitesOf(`${productCode}\\@1.0`)
    expect(suite).toMatchObject({ name: 'First', isImplicit: true, members: [{ productId: product.id, sortOrder: 0 }] })
    await patch(product, { productVersion: '', name: 'Second' })
    expect(await suitesOf(productCode)).toMatchObject([{ id: suite.id, name: 'Second' }])
    await must(api('DELETE', `/${product.id}`))
    expect(await suitesOf(productCode)).toEqual([])
  })

  test("a code that would name another suite is refused, whether somebody's or a product's own", async () => {
    const code = `TAKEN-${nextNumber()}`
    const member = await newProduct()
    await must(at('POST', 'suites', { code, name: 'A suite', members: [{ productId: member.id }] }))
    expect(problemOf(await api('POST', '', { productCode: code, name: 'x' }))).toEqual([409, 'catalog.duplicate_key'])
    await newProduct({ productCode: `${code}-A`, productVersion: '1' })
    const twin = await api('POST', '', { productCode: `${code}-A@1`, name: 'x' })
    expect(problemOf(twin)).toEqual([409, 'catalog.duplicate_key'])
  })

  test('a product is part of another, never of itself by any way', async () => {
    const [a, b, c] = [await newProduct(), await newProduct(), await newProduct()]
    expect((await patch(b, { parentProductId: a.id.toUpperCase() })).parentProductId).toBe(a.id)
    await patch(c, { parentProductId: b.id })
    for (const parentProductId of [a.id, c.id]) {
      const refused = await api('PATCH', `/${a.id}`, { parentProductId })
      expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
      expect(refused.body.errors[0].pointer).toBe('/parentProductId')
    }
    const inUse = await api('DELETE', `/${a.id}`)
    expect(problemOf(inUse)).toEqual([409, 'catalog.in_use'])
    expect(inUse.body.detail).toContain(`product:${b.productCode}`)
    expect((await patch(b, { clearParentProduct: true })).parentProductId).toBe(null)
    await must(api('DELETE', `/${a.id}`))
  })

  test('a product that suites and released plan sets need stays; drafts of its own suite go with it', async () => {
    const product = await newProduct({ features: [{ featureCode: 'SEATS', featureType: 'Numeric' }] })
    const plans = [
      { name: 'Pro', lineItems: [{ productId: product.id, featureValues: [{ featureCode: 'SEATS', value: 3 }] }] },
    ]
    const set = await must(at('POST', 'usage-plans/plan-sets', { productId: product.id, name: 'Standard', plans }))
    const needed = await api('PATCH', `/${product.id}`, { features: [] })
    expect(problemOf(needed)).toEqual([409, 'catalog.in_use'])
    expect(needed.body.detail).toContain(`plan-set:${product.productCode}/Standard`)
    await must(at('POST', `usage-plans/plan-sets/${set.id}/publish`))
    const suite = await must(
      at('POST', 'suites', { code: `SU-${nextNumber()}`, name: 'A suite', members: [{ productId: product.id }] }),
    )
    const refused = await api('DELETE', `/${product.id}`)
    expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
    expect(refused.body.detail).toContain(`plan-set:${product.productCode}/Standard, suite:${suite.code}`)
    const other = await newProduct()
    const draft = await must(at('POST', 'usage-plans/plan-sets', { productId: other.id, name: 'Draft', plans: [] }))
    await must(api('DELETE', `/${other.id}`))
    expect((await at('GET', `usage-plans/plan-sets/${draft.id}`)).status).toBe(404)
  })

  test('a product stays while an offer has it or sells its plans', async () => {
    const [had, planned] = [await newProduct(), await newProduct()]
    const set = await must(
      at('POST', 'usage-plans/plan-sets', { productId: planned.id, name: 'Draft', plans: [{ name: 'Pro' }] }),
    )
    const name = `Offer ${nextNumber()}`
    await must(
      at('POST', 'entitlements/offers', {
        name,
        version: '1',
        products: [{ productId: had.id }],
        assignedPlanSetId: set.id,
        assignedPlanName: 'Pro',
      }),
    )
    for (const product of [had, planned]) {
      const refused = await api('DELETE', `/${product.id}`)
      expect(problemOf(refused)).toEqual([409, 'catalog.in_use'])
      expect(refused.body.detail).toContain(`offer:${name}@1`)
    }
  })

  test('what belongs to a product is answered with it and deleted with it', async () => {
    const product = await newProduct()
    const entry = await must(
      at('POST', 'feature-catalog', { productId: product.id, featureCode: 'F', name: 'F', tags: ['x'] }),
    )
    const asset = await must(
      at('POST', 'monitored-assets', { productId: product.id, metricName: 'steps', name: 'Steps' }),
    )
    const read = await must(api('GET', `/${product.id}`))
    expect(read.monitoredAssets).toEqual([asset])
    const { id, productId, metricName, name, description, metricType, unit, category, numberFormat } = asset
    expect(read.metrics).toEqual([
      { id, productId, metricName, name, description, metricType, unit, category, numberFormat },
    ])
    expect((await must(api('GET', `?filter=id==${product.id}`))).items).toEqual([read])
    await must(api('DELETE', `/${product.id}`))
    expect((await at('GET', `feature-catalog/${entry.id}`)).status).toBe(404)
    expect((await at('GET', `monitored-assets/${asset.id}`)).status).toBe(404)
  })

  test('pages of a long list hold every product once, whatever the order', async () => {
    const code = `PAGE-${nextNumber()}`
    for (let n = 0; n < 23; n++) await newProduct({ productCode: code, productVersion: `${n}`, name: `${n % 3}` })
    for (const sortOrder of ['', 'name', '-name,status', '-createdAt']) {
      const seen: string[] = []
      for (let page = 1; page <= 3; page++) {
        const query = `?filter=productCode==${code}&pageSize=10&pageNumber=${page}&sortOrder=${sortOrder}`
        const answer = await must(api('GET', query))
        expect(answer).toMatchObject({
          totalCount: 23,
          totalPages: 3,
          pageSize: 10,
          hasNextPage: page < 3,
          hasPreviousPage: page > 1,
        })
        seen.push(...answer.items.map(({ id }: { id: string }) => id))
      }
      expect(new Set(seen).size).toBe(23)
    }
    const beyond = await must(api('GET', `?filter=productCode==${code}&pageSize=1000&pageNumber=1000000000000`))
    expect(beyond).toMatchObject({
      items: [],
      totalCount: 23,
      pageSize: 100,
      hasNextPage: false,
      hasPreviousPage: true,
    })
    for (const query of ['pageSize=abc', 'pageSize=1.5', 'pageSize=%20', 'pageNumber=0', 'pageNumber=-1'])
      expect(problemOf(await api('GET', `?${query}`))).toEqual([400, 'license.validation_error'])
  })

  test('a page size that is not positive tells how many there are, on no pages', async () => {
    const { productCode } = await newProduct()
    for (const [query, pageNumber, hasPreviousPage] of [
      ['pageSize=0', 1, false],
      ['pageSize=-1', 1, false],
      ['pageSize=-25&pageNumber=3', 3, true],
    ]) {
      const answer = await must(api('GET', `?filter=productCode==${productCode}&${query}`))
      const counts = { totalCount: 1, totalPages: 0, hasNextPage: false, hasPreviousPage }
      expect(answer).toEqual({ items: [], pageNumber, pageSize: 0, ...counts })
    }
  })
})
