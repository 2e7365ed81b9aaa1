import { expect, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import type { CallOptions } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { metersOf } from '../metering/metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>
const provision = '/api/v1/provision'
const audit = `${provision}/admin/audit`

forEachStore((store) => {
  const server = serveTests(store)
  const send = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    must(server.api(method, provision + path, { ...(body !== undefined && { body }), ...options }))
  const list = (query: string): Promise<Json> => must(server.api('GET', `${audit}?${query}`))
  const entriesOf = async (filter: string): Promise<Json[]> =>
    (await list(`filter=${encodeURIComponent(filter)}&pageSize=100`)).items
  const count = async () => (await list('pageSize=1')).totalCount
  const meters = metersOf(server, 'sandbox')
  const actor = () => `client:${server.clients.acme.clientId}`
  const makeCustomer = (name: string): Promise<Json> => send('POST', '/admin/customers', { name })

  test('a record is made, changed and deleted: who did it, when, in which request, and what it was', async () => {
    const options = { headers: { 'x-correlation-id': 'audit-test-1' } }
    const made = await send('POST', '/admin/customers', { name: 'Ada', email: 'ada@acme.example' }, options)
    const changed = await send('PATCH', `/admin/customers/${made.id.toUpperCase()}`, { name: 'Ada Ltd' }, options)
    await send('DELETE', `/admin/customers/${made.id}`)
    const [deletion, change, creation] = await entriesOf(`recordId==${made.id}`)
    expect(creation).toMatchObject({
      ...{ actor: actor(), operation: 'admin.customers.create', recordKind: 'customers', recordId: made.id },
      ...{ occurredAt: made.createdAt, correlationId: 'audit-test-1', before: null, after: made },
    })
    expect(change).toMatchObject({ operation: 'admin.customers.update', correlationId: 'audit-test-1' })
    const replaced = { '/name': 'Ada', '/revisionNumber': 1, '/updatedAt': made.updatedAt }
    expect(change.before).toEqual(
      changed.updatedAt === made.updatedAt ? { '/name': 'Ada', '/revisionNumber': 1 } : replaced,
    )
    expect(change.after).toMatchObject({ '/name': 'Ada Ltd', '/revisionNumber': 2 })
    expect(deletion).toMatchObject({ operation: 'admin.customers.delete', before: changed, after: null })
    expect(await must(server.api('GET', `${audit}/${change.id}`))).toEqual(change)
  })

  test('what is refused, replayed or only read leaves nothing', async () => {
    const { id } = await makeCustomer('Once')
    const headers = { 'idempotency-key': 'audit-once' }
    const patch = () => server.api('PATCH', `${provision}/admin/customers/${id}`, { body: { name: 'Twice' }, headers })
    await must(patch())
    const before = await count()
    expect((await patch()).headers.get('idempotency-replayed')).toBe('true')
    const refused = [
      await server.api('PATCH', `${provision}/admin/customers/${id}`, { body: { name: '' } }),
      await server.api('PATCH', `${provision}/admin/customers/${id}`, { body: {}, headers: { 'if-match': '"99"' } }),
      await server.api('PATCH', `${provision}/admin/customers/${noSuchId}`, { body: { name: 'X' }, headers: {} }),
      await server.api('DELETE', `${provision}/admin/customers/${noSuchId}`, { headers: { 'idempotency-key': 'no' } }),
      await server.api('DELETE', `${provision}/admin/customers/${id}`, { tenant: 'neighbour' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 412, 404, 404, 404])
    await send('GET', `/admin/customers/${id}`)
    expect(await count()).toBe(before)
  })

  test('what is done to a part of a record is told of the record, and what has no record of its own as it was answered', async () => {
    const product = await send('POST', '/admin/products', { productCode: 'PART', name: 'Part' })
    const entitlement = await send('POST', '/admin/entitlements', { name: 'Sold' })
    const user = await send('POST', '/admin/users', { email: 'part@acme.example' })
    const where = `/admin/entitlements/${entitlement.id}`
    await send('POST', `${where}/products/${product.id}`)
    await send('POST', `${where}/principals/${user.id}`)
    await send('DELETE', `${where}/principals/${user.id}`)
    await send('PUT', `${where}/policies/renewal`, { period: 'Monthly' })
    const [policy, removed, assigned, attached] = await entriesOf(`recordId==${entitlement.id}`)
    expect(attached).toMatchObject({ recordKind: 'entitlements', operation: 'admin.entitlements.products.attach' })
    expect(JSON.stringify(attached.after)).toContain(product.id)
    expect(assigned).toMatchObject({ recordKind: 'entitlements.principals', before: {} })
    expect(assigned.after).toMatchObject({ '/principalId': user.id })
    expect(removed).toMatchObject({ before: { '/principalId': user.id }, after: {} })
    expect(policy).toMatchObject({ recordKind: 'entitlements.policies.renewal', after: { '/period': 'Monthly' } })
    await send('PATCH', '/admin/settings', { provider: { name: 'Acme' } })
    expect(await entriesOf('recordKind==settings')).toMatchObject([
      { recordId: null, before: { '/provider/name': null }, after: { '/provider/name': 'Acme' } },
    ])
  })

  test('whatever is done to a record is found by its id, and tells what was asked where the record does not', async () => {
    const deedsOf = async (recordId: string) =>
      (await entriesOf(`recordId==${recordId}`)).map(({ operation, recordKind, before, after }) => [
        ...[operation.split('.').slice(-2).join('.'), recordKind, before, after],
      ])
    const tag = (name: string) => send('POST', '/admin/tags', { scope: 'Product', name })
    const [source, kept] = [await tag('Old'), await tag('New')]
    await send('POST', `/admin/tags/${source.id}/merge`, { intoTagId: kept.id })
    const isGone = { '/isDeleted': true, '/asked/intoTagId': kept.id }
    expect((await deedsOf(source.id))[0]).toEqual(['tags.merge', 'tags', { '/isDeleted': false }, isGone])

    const group = await send('POST', '/admin/organization-groups', { name: 'Group' })
    const { id: userId } = await send('POST', '/admin/users', { email: 'member@acme.example' })
    await send('POST', `/admin/organization-groups/${group.id}/members/${userId}`)
    await send('DELETE', `/admin/organization-groups/${group.id}/members/${userId}`)
    expect((await deedsOf(group.id)).slice(0, 2)).toMatchObject([
      ['members.remove', 'organizationGroups', { '/members': [userId] }, { '/members': [] }],
      ['members.add', 'organizationGroups', { '/members': [] }, { '/members': [userId] }],
    ])

    const { id } = await send('POST', '/admin/entitlements', { name: 'Offline', status: 'Active' })
    const code = await send('POST', `/admin/entitlements/${id}/activation-codes`, {})
    const meta = { schemaVersion: 1, nonce: 'A'.repeat(43), requestedAt: '2026-03-04T05:06:07Z' }
    const body = { activationCode: code.activationCode, fingerprint: 'no network' }
    for (let n = 0; n < 2; n++) await send('POST', '/operational/activations/offline/issue', { meta, body })
    const [session] = (await send('GET', `/operational/entitlements/${id}/activations`)).items
    const owners = { '/entitlementId': id, '/activationCodeId': code.id }
    const issue = ['offline.issue', 'sessions', {}, owners]
    expect(await deedsOf(session.id)).toEqual([issue, issue])
    await send('POST', `/admin/sessions/activations/${session.id}/revoke`, { blockDevice: true })
    await send('POST', `/admin/sessions/activations/${session.id}/unblock-device`)
    const [unblocked, revoked] = await deedsOf(session.id)
    const blocked = (isDeviceBlocked: boolean) => ({ '/isDeviceBlocked': isDeviceBlocked })
    expect(unblocked).toEqual(['sessions.unblockDevice', 'sessions', blocked(true), blocked(false)])
    expect(revoked![3]).toMatchObject({ '/isRevoked': true, '/asked/blockDevice': true })

    const url = 'https://hooks.example.com/audit?key=CANARY-of-the-url'
    const hooks = '/api/v1/webhooks/admin/subscriptions'
    const hook = await must(server.api('POST', hooks, { body: { url, eventTypes: ['*'] } }))
    expect((await deedsOf(hook.id))[0]![3]).toMatchObject({ url: 'https://hooks.example.com/audit?key=…' })
  })

  test('credits that are moved and granted are told with their amounts, and grants by their own ids', async () => {
    const { post, at, get } = meters.devices
    const { id } = await meters.newEntitlement({ credits: { balanceUsage: { initialCreditAmount: 5 } } })
    const where = `operational/entitlements/${id}`
    await post(`${where}/balances/credits/deposit`, { amount: 2.5, reference: 'order 7' })
    await post(`${where}/balances/credits/deduct`, { amount: 1 })
    const grant = await post(`${where}/credit-grants`, { metric: 'credits', amount: 3 })
    await must(at('DELETE', `${where}/credit-grants/${grant.id}`))
    const entries = async (recordId: string): Promise<Json[]> =>
      (await get(`admin/audit?filter=recordId==${recordId}`)).items
    const [deduction, deposit] = await entries(id)
    expect(deposit).toMatchObject({ recordKind: 'entitlements.balances', before: { '/remaining': 5 } })
    expect(deposit.after).toMatchObject({ '/asked/amount': 2.5, '/asked/reference': 'order 7', '/remaining': 7.5 })
    expect(deduction.before).toMatchObject({ '/remaining': 7.5 })
    expect(deduction.after).toMatchObject({ '/metric': 'credits', '/asked/amount': 1, '/remaining': 6.5 })
    const { code: _code, ...record } = grant
    expect(await entries(grant.id)).toMatchObject([
      { operation: 'operational.entitlements.creditGrants.delete', recordKind: 'creditGrants', before: record },
      { operation: 'operational.entitlements.creditGrants.issue', recordKind: 'creditGrants', after: record },
    ])
  })

  test('no secret, token or code stands in it after a journey past all of them', async () => {
    const canaries: string[] = []
    const shown = (...secrets: string[]) => {
      for (const secret of secrets) expect(secret).toMatch(/^.{8}/)
      canaries.push(...secrets)
    }
    const client = await send('POST', '/admin/clients', { name: 'ci', scopes: [] })
    shown(client.clientSecret, (await send('POST', `/admin/clients/${client.id}/rotate-secret`, {})).clientSecret)
    const webhooks = { url: 'https://hooks.example.com/audit', eventTypes: ['*'], secret: 'CANARY-of-the-subscription' }
    const subscription = await must(server.api('POST', '/api/v1/webhooks/admin/subscriptions', { body: webhooks }))
    const secretPath = `/api/v1/webhooks/admin/subscriptions/${subscription.id}/secret`
    shown(subscription.secret, (await must(server.api('POST', secretPath, { body: {} }))).secret)
    await send('POST', '/admin/keys/rotate', {})

    await send('POST', '/admin/entitlements/offers', { name: 'Audited', status: 'Active' })
    const sold = await send('POST', '/operational/entitlements/from-offer', {
      ...{ fromEntitlementOfferName: 'Audited', licenseActivationWorkflowParameters: {} },
      entitlementParameters: { status: 'Active', licenseKey: 'CANARY-license-key' },
    })
    const { entitlement, activationCode } = sold
    shown(activationCode, entitlement.licenseKey)
    const codes = `/admin/entitlements/${entitlement.id}/activation-codes`
    const code = await send('POST', codes, { activationCode: 'CANARY-ACTIVATION-CODE' })
    shown(code.activationCode)
    await send('POST', `${codes}/${code.id}/revoke`)
    await send('DELETE', `/operational/entitlements/${entitlement.id}/activation-codes/${code.id}`)

    const user = await send('POST', '/admin/users', { email: 'canary@acme.example' })
    await send('POST', `/admin/entitlements/${entitlement.id}/principals/${user.id}`)
    const { access_token } = await send('POST', `/operational/users/${user.id}/tokens`, { level: 'SignedIn' })
    shown(access_token)
    const before = await count()
    const activated = await send(
      'POST',
      '/activations/license',
      { activationCode, fingerprint: 'bench' },
      { token: null },
    )
    shown(activated.token)
    expect(await count()).toBe(before)
    await send('POST', `/admin/sessions/activations/${activated.session.id}/revoke`, {})

    const metered = await meters.newEntitlement({ credits: { balanceUsage: { initialCreditAmount: 5 } } })
    const redeemer = await meters.devices.post('admin/users', { email: 'redeemer@acme.example' })
    await meters.devices.post(`admin/entitlements/${metered.id}/principals/${redeemer.id}`)
    const granted = { metric: 'credits', amount: 2.5 }
    const { id, code: grantCode } = await meters.devices.post(
      `operational/entitlements/${metered.id}/credit-grants`,
      granted,
    )
    const { access_token: token } = await meters.devices.post(`operational/users/${redeemer.id}/tokens`)
    const body = { code: grantCode }
    await must(meters.devices.at('POST', 'consumer/me/credit-grants', { token, body }))
    shown(grantCode, token)
    const sandboxed = { tenant: 'sandbox' } as const
    const ofUser = await must(server.api('GET', `${audit}?filter=actor==user:${redeemer.id}`, sandboxed))
    expect(ofUser.items).toMatchObject([
      {
        operation: 'consumer.creditGrants.redeem',
        recordKind: 'creditGrants',
        recordId: id,
        after: { '/amount': 2.5 },
      },
    ])

    const database = openDatabase(server.databaseUrl)
    const rows = await database.read.selectFrom('audit_entries').selectAll().execute()
    await database.close()
    expect(canaries.length).toBeGreaterThan(10)
    for (const canary of canaries) expect(JSON.stringify(rows)).not.toContain(canary)
    expect(await entriesOf(`recordId==${activated.session.id}`)).toMatchObject([{ after: { '/isRevoked': true } }])
    expect(await entriesOf(`recordId==${client.id}`)).toHaveLength(2)
  })

  test('the operator is told of by that name, each tenant reads its own, and only who may', async () => {
    const [tenant, ofClient] = (await list('filter=actor==operator&sortOrder=occurredAt,id')).items
    expect(tenant).toMatchObject({
      operation: 'operator.tenants.create',
      recordId: server.tenantIds.acme,
      before: null,
    })
    expect(ofClient).toMatchObject({ operation: 'operator.clients.create', after: { name: 'tests' } })
    expect(problemOf(await server.api('GET', `${audit}/${tenant.id}`, { tenant: 'neighbour' }))).toEqual([
      404,
      'license.record_not_found',
    ])
    const token = await server.tokenWith(['admin.customers:*'])
    expect(problemOf(await server.api('GET', audit, { token }))).toEqual([403, 'auth.insufficient_scope'])
    expect(problemOf(await server.api('DELETE', `${audit}/${tenant.id}`))[0]).toBe(405)
  })
})
