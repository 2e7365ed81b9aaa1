import { expect, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { startTestServer } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, problemOf } from '../catalog/catalog-collection.ts'

const path = '/api/v1/provision/admin/settings'
const trusted = {
  issuer: 'https://accounts.example.com',
  audience: 'acme-app',
  jwksUri: 'https://accounts.example.com/keys',
}
const nothing = { name: null, supportEmail: null, supportUrl: null, url: null }

forEachStore((store) => {
  const server = serveTests(store)
  const patch = (body: unknown, headers: Record<string, string> = {}) => server.api('PATCH', path, { body, headers })
  const read = () => must(server.api('GET', path))

  test("settings start empty, change field by field, and are the tenant's own", async () => {
    expect(await read()).toEqual({
      lostDevices: { most: 3, within: 'P30D' },
      webhookRetention: { delivered: 'P30D', deadLettered: 'P90D' },
      ...{ provider: nothing, trustedIssuers: [], updatedAt: null, revisionNumber: 0 },
    })
    const named = await must(patch({ provider: { name: 'Acme Inc.', supportEmail: 'help@acme.example' } }))
    expect(named).toMatchObject({
      provider: { ...nothing, name: 'Acme Inc.', supportEmail: 'help@acme.example' },
      revisionNumber: 1,
    })
    const trusting = await must(patch({ provider: { url: 'https://acme.example' }, trustedIssuers: [trusted] }))
    expect(trusting).toMatchObject({
      provider: { name: 'Acme Inc.', supportEmail: 'help@acme.example', url: 'https://acme.example' },
      trustedIssuers: [trusted],
      revisionNumber: 2,
    })
    expect(await must(patch({ provider: { name: null }, trustedIssuers: null }))).toEqual(trusting)
    expect(await must(patch({}))).toEqual(trusting)
    expect(await read()).toEqual(trusting)
    const cleared = await must(patch({ provider: { supportEmail: '' }, trustedIssuers: [] }))
    expect(cleared).toMatchObject({ provider: { name: 'Acme Inc.', supportEmail: null }, trustedIssuers: [] })
    expect((await must(server.api('GET', path, { tenant: 'neighbour' }))).revisionNumber).toBe(0)
  })

  test('how long deliveries are kept is set of one kind without the other', async () => {
    const set = await must(patch({ webhookRetention: { delivered: '7.00:00:00' } }))
    expect(set.webhookRetention).toEqual({ delivered: 'P7D', deadLettered: 'P90D' })
    expect((await must(patch({ webhookRetention: { deadLettered: 'P3650D' } }))).webhookRetention).toEqual({
      delivered: 'P7D',
      deadLettered: 'P3650D',
    })
  })

  test('If-Match is honoured', async () => {
    const { revisionNumber } = await read()
    expect(problemOf(await patch({ provider: { name: 'X' } }, { 'if-match': '"99"' }))).toEqual([
      412,
      'request.precondition_failed',
    ])
    await must(patch({ provider: { name: 'X' } }, { 'if-match': `"${revisionNumber}"` }))
  })

  test('changes of different fields at once both stay', async () => {
    await Promise.all([patch({ provider: { name: 'Both' } }), patch({ provider: { supportUrl: 'https://b.example' } })])
    expect((await read()).provider).toMatchObject({ name: 'Both', supportUrl: 'https://b.example' })
  })

  test.each([
    ['/nmae', { nmae: 'x' }],
    ['/provider/nmae', { provider: { nmae: 'x' } }],
    ['/provider/supportEmail', { provider: { supportEmail: 'nobody' } }],
    ['/provider/url', { provider: { url: 'javascript:alert(1)' } }],
    ['/provider', { provider: 'Acme' }],
    ['/webhookRetention/delivered', { webhookRetention: { delivered: 'PT23H' } }],
    ['/webhookRetention/deadLettered', { webhookRetention: { deadLettered: 'P3651D' } }],
    ['/webhookRetention/deadLettered', { webhookRetention: { deadLettered: 'for ever' } }],
    ['/trustedIssuers/0/jwksUri', { trustedIssuers: [{ issuer: 'a', audience: 'b' }] }],
    ['/trustedIssuers/0/jwksUri', { trustedIssuers: [{ ...trusted, jwksUri: 'http://accounts.example.com/keys' }] }],
    ['/trustedIssuers/1', { trustedIssuers: [trusted, { ...trusted, jwksUri: 'https://b.example/keys' }] }],
    ['/trustedIssuers', { trustedIssuers: Array.from({ length: 21 }, () => trusted) }],
  ])('%s is pointed at when it will not do', async (pointer, body) => {
    const refused = await patch(body)
    expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
    expect(refused.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
  })

  test.each([
    ['a loopback address alone', {}, 200],
    ['every address, though it says that it is at a loopback one', { host: '0.0.0.0' }, 400],
    ['a loopback address, for a proxy', { publicUrl: 'https://licences.example' }, 400],
  ])('of a server that listens at %s, keys at a loopback address are taken or not', async (_where, options, status) => {
    const other = await startTestServer(store, options)
    const trustedIssuers = [{ ...trusted, jwksUri: 'http://127.0.0.1:18443/keys' }]
    const answer = await other.api('PATCH', path, { body: { trustedIssuers } }).finally(() => other.close())
    expect(answer.status).toBe(status)
    if (status === 400)
      expect(answer.body.errors).toEqual([
        { pointer: '/trustedIssuers/0/jwksUri', message: 'must not lead to a loopback address' },
      ])
  })

  test("the tenant's own issuer is no outside one", async () => {
    const refused = await patch({ trustedIssuers: [{ ...trusted, issuer: server.baseUrl() }] })
    expect(refused.body).toMatchObject({ status: 400, errors: [{ pointer: '/trustedIssuers/0/issuer' }] })
  })

  test('whoever trusts its own issuer since an older version changes other settings, and the list only for one without it', async () => {
    const own = { ...trusted, issuer: server.baseUrl('neighbour') }
    const neighbour = (body: unknown) => server.api('PATCH', path, { body, tenant: 'neighbour' })
    await must(neighbour({ trustedIssuers: [trusted] }))
    const database = openDatabase(server.databaseUrl)
    const settings = JSON.stringify({ trustedIssuers: [own] })
    await database
      .transact((tx) =>
        tx
          .updateTable('tenant_settings')
          .set({ settings })
          .where('tenant_id', '=', server.tenantIds.neighbour)
          .execute(),
      )
      .finally(() => database.close())
    const provider = { name: 'Umbrella' }
    expect(await must(neighbour({ provider }))).toMatchObject({ provider, trustedIssuers: [own] })
    expect(await must(neighbour({ provider, trustedIssuers: [own] }))).toMatchObject({ trustedIssuers: [own] })
    expect(problemOf(await neighbour({ trustedIssuers: [own, trusted] }))).toEqual([400, 'license.validation_error'])
    expect(await must(neighbour({ trustedIssuers: [] }))).toMatchObject({ provider, trustedIssuers: [] })
  })

  test('a token opens just the verbs of its scopes', async () => {
    const token = await server.tokenWith(['admin.settings:read'])
    expect((await server.api('GET', path, { token })).status).toBe(200)
    expect((await server.api('PATCH', path, { token, body: {} })).status).toBe(403)
    expect((await server.api('GET', path, { token: null })).status).toBe(401)
  })
})
