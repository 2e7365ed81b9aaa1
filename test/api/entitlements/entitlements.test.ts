import { expect, test } from 'vitest'
import { entitlementContracts } from '../../../server/entitlements/entitlements/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { catalogRevision, must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'

const collection = 'entitlements'
const path = `/api/v1/provision/admin/${collection}`
type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const admin = adminOf(server)

  const patch = (id: string, body: object) => admin.at('PATCH', `${collection}/${id}`, body)
  const newEntitlement = (body: object = {}) => admin.post(collection, { name: `Licence ${nextNumber()}`, ...body })
  const get = (id: string) => must(admin.at('GET', `${collection}/${id}`))
  const list = (filter: string) => must(admin.at('GET', `${collection}?filter=${encodeURIComponent(filter)}`))

  test('an entitlement is answered whole, with every default', async () => {
    const { id, name, createdAt, updatedAt, ...rest } = await newEntitlement()
    expect([typeof id, typeof name, createdAt]).toEqual(['string', 'string', updatedAt])
    expect(rest).toEqual({
      version: null,
      description: null,
      legalNoticeHtml: null,
      customerContactEmail: null,
      customerContactName: null,
      status: 'Draft',
      subscriptionStatus: 'Pending',
      licenseKey: null,
      notValidBeforeDateTime: null,
      expirationDateTime: null,
      isEntitlementTrial: false,
      isOffer: false,
      issueOnUserRegistration: false,
      allowAnonymousTry: false,
      isAnonymousTry: false,
      convertedToEntitlementId: null,
      sourceOfferId: null,
      customerId: null,
      orderId: null,
      reference: null,
      externalReference: null,
      customerExternalReference: null,
      metadata: null,
      campaignId: null,
      activationsEnabled: true,
      activatedAt: null,
      periodStartedAt: null,
      trialStartedAt: null,
      trialEndsAt: null,
      activationPolicy: null,
      licensePolicy: null,
      trialPolicy: null,
      anonymousTryPolicy: null,
      renewalPolicy: null,
      keyIssuancePolicy: null,
      tags: [],
      products: [],
      features: [],
      addOns: [],
      assignedPlanSetId: null,
      assignedPlanName: null,
      isDeleted: false,
      revisionNumber: 1,
    })
  })

  test('every field that may be written is, merged by PATCH and PUT, and null leaves it', async () => {
    const customer = await admin.post('customers', { name: `Customer ${nextNumber()}` })
    const fields = {
      version: '2',
      description: 'For the studio',
      legalNoticeHtml: '<p>Terms</p>',
      customerContactEmail: 'ada@example.com',
      customerContactName: 'Ada',
      licenseKey: 'KEY-1',
      customerId: customer.id,
      orderId: 'O-1',
      reference: 'R-1',
      externalReference: 'X-1',
      customerExternalReference: 'C-1',
      metadata: '{"a":1}',
      notValidBeforeDateTime: '2026-01-01T00:00:00.000Z',
      expirationDateTime: '2099-01-01T00:00:00.000Z',
      issueOnUserRegistration: true,
      allowAnonymousTry: true,
      isEntitlementTrial: true,
      tags: [`Own ${nextNumber()}`],
    }
    const created = await newEntitlement({ ...fields, customerId: customer.id.toUpperCase() })
    expect(created).toMatchObject(fields)
    const nulls = Object.fromEntries(Object.keys(fields).map((name) => [name, null]))
    for (const [method, body] of [
      ['PATCH', nulls],
      ['PUT', { ...nulls, name: created.name, status: null, features: null, products: null, campaignId: null }],
      ['PATCH', fields],
    ] as const)
      expect(await must(admin.at(method, `${collection}/${created.id}`, body))).toEqual(created)
    const cleared = await must(
      patch(created.id, {
        ...{ description: '', orderId: '', licenseKey: '', clearCustomerId: true, tags: [] },
        ...{ clearExpirationDate: true, clearNotValidBeforeDateTime: true },
      }),
    )
    expect(cleared).toMatchObject({
      ...{ description: null, orderId: null, licenseKey: null, customerId: null, tags: [], reference: 'R-1' },
      ...{ expirationDateTime: null, notValidBeforeDateTime: null, revisionNumber: 2 },
    })
    const later = { expirationDateTime: '2098-01-01T00:00:00.000Z' }
    expect(await must(patch(created.id, later))).toMatchObject(later)
    expect(await must(patch(created.id, { clearExpirationDateTime: true }))).toMatchObject({ expirationDateTime: null })
  })

  test('what cannot be is refused where it stands, and nothing is written', async () => {
    const product = await admin.newProduct()
    const entitlement = await newEntitlement({ products: [{ productId: product.id }] })
    for (const [body, pointer] of [
      [{ customerId: noSuchId }, '/customerId'],
      [{ assignedPlanSetId: noSuchId, assignedPlanName: 'Pro' }, '/assignedPlanSetId'],
      [{ assignedPlanName: 'Pro' }, '/assignedPlanSetId'],
      [{ products: [{ productId: noSuchId }] }, '/products/0/productId'],
      [{ products: [{ productId: product.id }, { productId: product.id }] }, '/products/1/productId'],
      [{ features: [{ productId: noSuchId, featureCode: 'A' }] }, '/features/0/productId'],
      [{ features: [{ productId: product.id, featureCode: 'NONE' }] }, '/features/0/featureCode'],
      [{ activationPolicy: { allowedIpCidr: ['10.0.0.0/40'] } }, '/activationPolicy/allowedIpCidr/0'],
      [{ keyIssuancePolicy: { template: 'FIXED' } }, '/keyIssuancePolicy/template'],
      [{ expirationDateTime: 'tomorrow' }, '/expirationDateTime'],
      [{ status: 'Live' }, '/status'],
      [{ sourceOfferId: noSuchId }, '/sourceOfferId'],
      [{ subscriptionStatus: 'Active' }, '/subscriptionStatus'],
    ] as const) {
      expect(pointersOf(await patch(entitlement.id, body))).toEqual([400, 'license.validation_error', [pointer]])
      const created = await admin.at('POST', collection, { name: 'x', ...body })
      expect([pointer, created.status]).toEqual([pointer, 400])
    }
    const campaign = await admin.at('POST', collection, { name: 'x', campaignId: noSuchId })
    expect(pointersOf(campaign)).toEqual([400, 'license.validation_error', ['/campaignId']])
    expect(await get(entitlement.id)).toEqual(entitlement)
    expect((await list('name==x')).totalCount).toBe(0)
  })

  test('an entitlement is created, found, listed, edited once per revision and deleted', async () => {
    const created = await newEntitlement()
    expect(await get(created.id)).toEqual(created)
    expect((await list(`id==${created.id}`)).items).toEqual([created])
    const stale = await admin.at('PATCH', `${collection}/${created.id}`, { orderId: '1' }, { 'if-match': '"9"' })
    expect(problemOf(stale)).toEqual([412, 'request.precondition_failed'])
    const edits = ['1', '2'].map((orderId) =>
      admin.at('PATCH', `${collection}/${created.id}`, { orderId }, { 'if-match': '"1"' }),
    )
    expect((await Promise.all(edits)).map(({ status }) => status).sort()).toEqual([200, 412])
    expect(problemOf(await admin.at('PUT', `${collection}/${created.id}`, {}))).toEqual([
      400,
      'license.validation_error',
    ])
    const gone = await admin.at('DELETE', `${collection}/${created.id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE', 'PATCH'])
      expect(
        problemOf(await admin.at(method, `${collection}/${created.id}`, method === 'PATCH' ? {} : undefined)),
      ).toEqual([404, 'license.record_not_found'])
    expect((await list(`id==${created.id}`)).totalCount).toBe(0)
  })

  test('a list is filtered and sorted by every field it says it is', async () => {
    const customer = await admin.post('customers', { name: `Customer ${nextNumber()}` })
    const record = await newEntitlement({
      ...{ version: '1', customerId: customer.id, customerContactEmail: 'bob@example.com', orderId: 'O-7' },
      ...{ licenseKey: 'KEY-7', expirationDateTime: '2099-01-01T00:00:00Z', tags: [`Tag ${nextNumber()}`] },
    })
    for (const field of entitlementContracts.list.filterable) {
      // No field of the record; its own test is with the principals.
      if (field === 'principalIds') continue
      const value = record[field]
      const text = value === null ? 'null' : Array.isArray(value) ? (value[0] ?? 'null') : String(value)
      const escaped = text === 'null' ? text : text.replaceAll(/[,|\\()=!<>@_*-]/g, '\\$&')
      expect([field, (await list(`${field}==${escaped},id==${record.id}`)).items]).toEqual([field, [record]])
      if (field !== 'tags') await must(admin.at('GET', `${collection}?sortOrder=-${field},${field}`))
    }
    for (const field of ['tenantId', 'ownFeatures', 'next_due_at'])
      expect(pointersOf(await admin.at('GET', `${collection}?filter=${field}==x`))[2]).toEqual(['filter'])
  })

  test("another tenant's entitlement is as absent as one that never was", async () => {
    const product = await admin.newProduct()
    const { id } = await newEntitlement({ products: [{ productId: product.id }] })
    for (const [method, below, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'Mine' }],
      ['PUT', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['POST', `/products/${product.id}`],
      ['DELETE', `/products/${product.id}`],
      ['GET', '/policies/license'],
      ['PUT', '/policies/license', {}],
    ] as const) {
      const [theirs, never] = [
        await server.api(method, `${path}/${id}${below}`, { tenant: 'neighbour', body }),
        await server.api(method, `${path}/${noSuchId}${below}`, { tenant: 'neighbour', body }),
      ]
      expect([method, below, theirs.status, theirs.body.detail]).toEqual([method, below, 404, never.body.detail])
    }
    expect((await must(server.api('GET', path, { tenant: 'neighbour' }))).items).toEqual([])
    expect((await get(id)).revisionNumber).toBe(1)
  })

  test('an offer is created at either path and shows at both; an entitlement shows at one', async () => {
    const revision = await catalogRevision(server)
    const offer = await newEntitlement({ isOffer: true, version: '1' })
    expect(offer).toMatchObject({ isOffer: true, customerId: null, addOns: [] })
    expect(await catalogRevision(server)).toBe(revision + 1)
    const held = await newEntitlement({ name: offer.name, version: '1' })
    await newEntitlement({ name: offer.name, version: '1' })
    expect(await catalogRevision(server)).toBe(revision + 1)
    expect((await list(`name==${offer.name}`)).totalCount).toBe(3)
    expect((await list(`name==${offer.name},isOffer==true`)).items).toEqual([offer])
    const offers = await must(
      admin.at('GET', `${collection}/offers?filter=${encodeURIComponent(`name==${offer.name}`)}`),
    )
    expect(offers.items.map(({ id }: Json) => id)).toEqual([offer.id])
    expect(problemOf(await admin.at('GET', `${collection}/offers/${held.id}`))).toEqual([
      404,
      'license.record_not_found',
    ])
    const edited = await must(patch(offer.id, { description: 'Sold', isOffer: true, campaignId: noSuchId }))
    expect(edited).toMatchObject({ description: 'Sold', revisionNumber: 2 })
    expect(await catalogRevision(server)).toBe(revision + 2)
    const taken = await admin.at('POST', collection, { name: offer.name, version: '1', isOffer: true })
    expect(problemOf(taken)).toEqual([409, 'catalog.duplicate_key'])
    await must(admin.at('DELETE', `${collection}/${offer.id}`))
    expect(problemOf(await admin.at('GET', `${collection}/offers/${offer.id}`))[0]).toBe(404)
  })

  test("the offers' own path is not an entitlement's", async () => {
    for (const [method, where, allow] of [
      ['PATCH', 'offers', 'GET, HEAD, OPTIONS, POST'],
      ['DELETE', 'offers?x=1', 'GET, HEAD, OPTIONS, POST'],
      ['PUT', 'offers/from-offer', 'OPTIONS, POST'],
    ] as const) {
      const refused = await admin.at(method, `${collection}/${where}`)
      expect(problemOf(refused)).toEqual([405, 'request.method_not_allowed'])
      expect(refused.headers.get('allow')).toBe(allow)
    }
  })

  test('a tag that the registry has not yet is a change of the catalog, and only that', async () => {
    const [first, second] = [`Blue ${nextNumber()}`, `Green ${nextNumber()}`]
    const revision = await catalogRevision(server)
    const entitlement = await newEntitlement({ tags: [first] })
    expect(await catalogRevision(server)).toBe(revision + 1)
    await newEntitlement({ tags: [first.toUpperCase()] })
    expect(await catalogRevision(server)).toBe(revision + 1)
    const edited = await must(patch(entitlement.id, { tags: [second, first.toLowerCase()] }))
    expect(edited).toMatchObject({ tags: [first, second], revisionNumber: 2 })
    expect(await catalogRevision(server)).toBe(revision + 2)
    expect(await must(patch(entitlement.id, { tags: [first, second] }))).toEqual(edited)
    expect((await must(patch(entitlement.id, { tags: null }))).tags).toHaveLength(2)
    expect(await must(patch(entitlement.id, { tags: [] }))).toMatchObject({ tags: [], revisionNumber: 3 })
    const found = await must(admin.at('GET', `tags?filter=name==${encodeURIComponent(first)}`))
    expect(found.items).toMatchObject([{ scope: 'Entitlement', usageCount: 1 }])
  })

  test('a status given is one step along its life', async () => {
    const entitlement = await newEntitlement({ status: 'Active' })
    expect(entitlement).toMatchObject({ status: 'Active', subscriptionStatus: 'Active' })
    expect(entitlement.activatedAt).not.toBeNull()
    const goTo = (status: string) => patch(entitlement.id, { status })
    expect(await must(goTo('Active'))).toEqual(entitlement)
    expect(await must(goTo('Suspended'))).toMatchObject({ status: 'Suspended', subscriptionStatus: 'PastDue' })
    for (const status of ['Draft', 'Expired'])
      expect(problemOf(await goTo(status))).toEqual([409, 'catalog.invalid_transition'])
    expect(await must(goTo('Cancelled'))).toMatchObject({ status: 'Cancelled', subscriptionStatus: 'Cancelled' })
    expect(problemOf(await goTo('Active'))).toEqual([409, 'catalog.invalid_transition'])
    for (const status of ['Suspended', 'Expired'])
      expect(problemOf(await admin.at('POST', collection, { name: 'x', status }))).toEqual([
        409,
        'catalog.invalid_transition',
      ])
  })

  test('one that is brought along with its end behind it is Expired', async () => {
    const over = await newEntitlement({ status: 'Active', expirationDateTime: '2020-01-01T00:00:00Z' })
    expect(over).toMatchObject({ status: 'Expired', subscriptionStatus: 'Expired' })
    const draft = await newEntitlement({ expirationDateTime: '2020-01-01T00:00:00Z' })
    const refused = await admin.at('POST', `${collection}/${draft.id}/activate`)
    expect(problemOf(refused)).toEqual([409, 'catalog.invalid_transition'])
  })

  test('two edits of different fields at once both stay', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await newEntitlement()
      const bodies = [{ orderId: 'O-9' }, { description: 'Said elsewhere' }, { tags: [`Tag ${nextNumber()}`] }]
      await Promise.all(bodies.map((body) => must(patch(id, body))))
      expect(await get(id)).toMatchObject({ ...bodies[0], ...bodies[1], ...bodies[2], revisionNumber: 4 })
    }
  })

  test('a deleted entitlement gives up its codes and its product, and its sessions are over', async () => {
    const product = await admin.newProduct()
    const fields = { status: 'Active', products: [{ productId: product.id }], tags: [`Tag ${nextNumber()}`] }
    const { id } = await newEntitlement(fields)
    const { activationCode } = await admin.post(`${collection}/${id}/activation-codes`, {})
    const activations = '/api/v1/provision/activations'
    const device = { token: null, body: { activationCode, fingerprint: 'device' } }
    const { token, session } = await must(server.api('POST', `${activations}/license`, device))
    expect(problemOf(await admin.at('DELETE', `products/${product.id}`))).toEqual([409, 'catalog.in_use'])
    await must(admin.at('DELETE', `${collection}/${id}`))
    expect(problemOf(await server.api('POST', `${activations}/license`, device))).toEqual([404, 'license.not_found'])
    for (const deed of ['check-in', 'renew']) {
      const over = await server.api('POST', `${activations}/${session.id}/${deed}`, { token, body: {} })
      expect([deed, over.status]).toEqual([deed, 403])
    }
    await must(admin.at('DELETE', `products/${product.id}`))
    const tag = await must(admin.at('GET', `tags?filter=name==${encodeURIComponent(fields.tags[0]!)}`))
    expect(tag.items[0].usageCount).toBe(0)
  })

  test('under one Idempotency-Key an entitlement is made once', async () => {
    const key = { 'idempotency-key': `entitlement-${nextNumber()}` }
    const body = { name: `Once ${nextNumber()}` }
    const [first, again] = [
      await admin.at('POST', collection, body, key),
      await admin.at('POST', collection, body, key),
    ]
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await list(`name==${body.name}`)).totalCount).toBe(1)
  })

  test('a token opens just the verbs of its scopes', async () => {
    const token = await server.tokenWith(['admin.entitlements:read'])
    const { id } = await newEntitlement()
    expect((await server.api('GET', `${path}/${id}`, { token })).status).toBe(200)
    for (const [method, below] of [
      ['POST', ''],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['PUT', `/${id}/policies/trial`],
      ['POST', '/offers/from-offer'],
    ] as const) {
      const refused = await server.api(method, path + below, { token, body: method === 'DELETE' ? undefined : {} })
      expect(problemOf(refused)).toEqual([403, 'auth.insufficient_scope'])
    }
  })
})
