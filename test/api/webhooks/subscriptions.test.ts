import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { newId } from '../../../server/kit/ids.ts'
import { subscriptionContracts } from '../../../server/webhooks/subscriptions/contract.ts'
import { requestToken } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { openReceiver, type Receiver } from './receiver.ts'

const path = '/api/v1/webhooks/admin/subscriptions'
const integrator = '/api/v1/webhooks/integrator/subscriptions'
const day = 24 * 3_600_000

const typeOf = ({ type }: { type: string }) => type

forEachStore((store) => {
  const server = serveTests(store, { allowPrivateWebhooks: true })
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await openReceiver()
  })
  afterAll(() => receiver.close())

  const post = (body: unknown, more: { headers?: Record<string, string>; token?: string } = {}) =>
    server.api('POST', path, { body, ...more })
  const bodyOf = (more: object = {}) => ({
    url: receiver.url,
    eventTypes: ['Entitlement.*'],
    secret: receiver.secret,
    ...more,
  })
  const create = (more: object = {}) => must(post(bodyOf(more)))
  const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    server.api('PATCH', `${path}/${id}`, { body, headers })
  const act = (id: string, action: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.api('POST', `${path}/${id}/${action}`, { body, headers })
  const createActive = async (more: object = {}) => {
    const { id } = await create(more)
    return must(act(id, 'verify'))
  }
  const read = (id: string) => must(server.api('GET', `${path}/${id}`))
  const pointersOf = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer)

  test('a subscription starts as PendingVerification, is read without its secret, changed and deleted', async () => {
    const { secret, ...created } = await create({ secret: null })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(created).toEqual({
      id: expect.any(String),
      name: new URL(receiver.url).host,
      url: receiver.url,
      eventTypes: ['Entitlement.*'],
      filter: { entityKinds: [], severities: [], attributes: {} },
      callbackScopes: [],
      signatureProfile: 'Default',
      status: 'PendingVerification',
      origin: 'Admin',
      lastDeliveryAt: null,
      consecutiveFailures: 0,
      isDeleted: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      revisionNumber: 1,
    })
    expect(await read(created.id)).toEqual(created)
    const edited = await must(
      patch(created.id, { name: 'CRM', filter: { severities: ['Critical'] } }, { 'if-match': '"1"' }),
    )
    expect(edited).toMatchObject({ name: 'CRM', revisionNumber: 2, status: 'PendingVerification' })
    expect(problemOf(await patch(created.id, { name: 'X' }, { 'if-match': '"1"' }))).toEqual([
      412,
      'request.precondition_failed',
    ])
    expect(await must(patch(created.id, { name: null, eventTypes: null }))).toEqual(edited)
    const gone = await server.api('DELETE', `${path}/${created.id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE'])
      expect(problemOf(await server.api(method, `${path}/${created.id}`))).toEqual([404, 'license.record_not_found'])
    expect(receiver.challenges).toEqual([])
  })

  test('a filter is merged field by field, its attributes whole', async () => {
    const filter = { entityKinds: ['entitlement'], attributes: { trial: true, 'order.id': '7', customerId: null } }
    const { id, filter: made } = await create({ filter })
    expect(made).toEqual({ severities: [], ...filter })
    const edited = await must(
      patch(id, { filter: { severities: ['Warning'], attributes: { level: null }, entityKinds: null } }),
    )
    expect(edited.filter).toEqual({
      entityKinds: ['entitlement'],
      severities: ['Warning'],
      attributes: { level: null },
    })
  })

  test.each<[string, object]>([
    ['/url', { url: 'ftp://example.com/' }],
    ['/url', { url: 7 }],
    ['/url', { url: undefined }],
    ['/eventTypes', { eventTypes: undefined }],
    ['/eventTypes', { eventTypes: [] }],
    ['/eventTypes', { eventTypes: Array.from({ length: 51 }, () => '*') }],
    ['/eventTypes/1', { eventTypes: ['*', 'Ent*'] }],
    ['/filter/entityKinds/0', { filter: { entityKinds: ['product'] } }],
    ['/filter/severities/0', { filter: { severities: ['Bad'] } }],
    ['/filter/colour', { filter: { colour: 'red' } }],
    ['/filter/attributes/a', { filter: { attributes: { a: [1] } } }],
    ['/filter/attributes/b', { filter: { attributes: { a: null, b: {} } } }],
    ['/filter/attributes', { filter: { attributes: { ['k'.repeat(201)]: 1 } } }],
    [
      '/filter/attributes',
      { filter: { attributes: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`a${n}`, n])) } },
    ],
    ['/callbackScopes/0', { callbackScopes: ['admin.entitlements:delete'] }],
    ['/callbackScopes/0', { callbackScopes: ['admin.*:read'] }],
    ['/signatureProfile', { signatureProfile: 'default' }],
    ['/secret', { secret: 'short' }],
    ['/secret', { secret: 'whsec_is-not-base64' }],
    ['/status', { status: 'Active' }],
    ['/origin', { origin: 'Integrator' }],
  ])('%s is pointed at when it will not do', async (pointer, wrong) => {
    const refused = await post(bodyOf(wrong))
    expect(problemOf(refused)).toEqual([400, 'license.validation_error'])
    expect(pointersOf(refused.body)).toContain(pointer)
    expect(refused.text).not.toContain('is-not-base64')
  })

  test('an edit is held to the same rules, and to the two statuses', async () => {
    const { id } = await create()
    for (const [pointer, body] of [
      ['/url', { url: 'http://user@example.com/' }],
      ['/eventTypes/0', { eventTypes: ['entitlement.*'] }],
      ['/status', { status: 'Suspended' }],
      ['/secret', { secret: receiver.secret }],
    ] as const) {
      const refused = await patch(id, body)
      expect([problemOf(refused)[0], pointersOf(refused.body)]).toEqual([400, [pointer]])
    }
  })

  test('the status that it has is no switch', async () => {
    const { id } = await create()
    const stay = async (status: string) => {
      expect(await must(patch(id, { status, name: status }))).toMatchObject({ status, name: status })
      for (const other of ['PendingVerification', 'Suspended'].filter((one) => one !== status))
        expect(pointersOf((await patch(id, { status: other })).body)).toEqual(['/status'])
    }
    await stay('PendingVerification')
    const database = openDatabase(server.databaseUrl)
    try {
      await database.transact((tx) =>
        tx.updateTable('webhook_subscriptions').set({ status: 'Suspended' }).where('id', '=', id).execute(),
      )
    } finally {
      await database.close()
    }
    await stay('Suspended')
    expect(problemOf(await patch(id, { status: 'Active' }))).toEqual([409, 'catalog.invalid_transition'])
  })

  test('it is switched off and on once it is verified, and another URL has to be verified anew', async () => {
    const { id } = await create()
    expect(problemOf(await patch(id, { status: 'Active' }))).toEqual([409, 'catalog.invalid_transition'])
    expect((await must(patch(id, { status: 'Disabled' }))).status).toBe('Disabled')
    expect(problemOf(await patch(id, { status: 'Active' }))).toEqual([409, 'catalog.invalid_transition'])
    expect((await must(act(id, 'verify'))).status).toBe('Active')
    expect((await must(patch(id, { status: 'Disabled' }))).status).toBe('Disabled')
    expect((await must(patch(id, { status: 'Active' }))).status).toBe('Active')
    expect((await must(patch(id, { url: receiver.url }))).status).toBe('Active')
    expect(problemOf(await patch(id, { url: `${receiver.url}?2`, status: 'Active' }))).toEqual([
      409,
      'catalog.invalid_transition',
    ])
    expect((await must(patch(id, { url: `${receiver.url}?2` }))).status).toBe('PendingVerification')
  })

  test('a list is filtered and sorted by every field that it says', async () => {
    const created = await createActive({ name: `Listed ${nextNumber()}` })
    for (const field of subscriptionContracts.list.filterable) {
      const value = String(created[field]).replaceAll(/[,|\\()=!<>@_*-]/g, '\\$&')
      const found = await must(
        server.api('GET', `${path}?filter=${encodeURIComponent(`${field}==${value},id==${created.id}`)}`),
      )
      expect([field, found.items]).toEqual([field, [created]])
      await must(server.api('GET', `${path}?sortOrder=-${field}`))
    }
    expect(problemOf(await server.api('GET', `${path}?filter=sealed_secrets==x`))).toEqual([
      400,
      'license.validation_error',
    ])
  })

  test("another tenant's subscription is as absent as one that never was", async () => {
    const { id } = await create()
    const tenant = 'neighbour'
    for (const [method, below, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['POST', '/verify'],
      ['POST', '/secret', {}],
      ['POST', '/test-fire', { eventType: 'User.Erased' }],
    ] as const)
      for (const asked of [id, noSuchId])
        expect(problemOf(await server.api(method, `${path}/${asked}${below}`, { tenant, body }))).toEqual([
          404,
          'license.record_not_found',
        ])
    expect((await must(server.api('GET', path, { tenant }))).items).toEqual([])
    expect(await read(id)).toMatchObject({ revisionNumber: 1, status: 'PendingVerification' })
  })

  test('under one Idempotency-Key there is one subscription, with one secret', async () => {
    const headers = { 'idempotency-key': `create-${nextNumber()}` }
    const first = await post(bodyOf({ secret: null }), { headers })
    const again = await post(bodyOf({ secret: null }), { headers })
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body])
    expect(problemOf(await post(bodyOf({ secret: 'another-secret-than' }), { headers }))).toEqual([
      409,
      'request.idempotency_conflict',
    ])
  })

  test('a new secret signs beside the one it replaces, and is shown once', async () => {
    const { id } = await create()
    const headers = { 'idempotency-key': `rotate-${nextNumber()}` }
    const before = Date.now()
    const rotated = await must(act(id, 'secret', {}, headers))
    expect(rotated).toEqual({ id, secret: expect.stringMatching(/^whsec_/), previousUntil: expect.any(String) })
    expect(Date.parse(rotated.previousUntil) - before).toBeGreaterThanOrEqual(day)
    expect((await act(id, 'secret', {}, headers)).body).toEqual(rotated)
    expect((await read(id)).revisionNumber).toBe(2)
    const own = await must(act(id, 'secret', { secret: 'a-secret-of-my-own', overlap: 'PT0S' }))
    expect(own.secret).toBe('a-secret-of-my-own')
    for (const [pointer, body] of [
      ['/secret', { secret: 'a-secret-of-my-own' }],
      ['/secret', { secret: 'short' }],
      ['/overlap', { overlap: 'P31D' }],
      ['/overlap', { overlap: 'soon' }],
    ] as const) {
      const refused = await act(id, 'secret', body)
      expect([problemOf(refused)[0], pointersOf(refused.body)]).toEqual([400, [pointer]])
    }
    const everything = `${JSON.stringify(await read(id))}${(await server.api('GET', `${path}?pageSize=100`)).text}`
    for (const secret of [rotated.secret, own.secret, receiver.secret]) expect(everything).not.toContain(secret)
  })

  test('a test event is signed and delivered to this one alone, whatever it wants, and says that it is a test', async () => {
    const { id } = await createActive({ eventTypes: ['User.Erased'] })
    await createActive({ eventTypes: ['*'] })
    const seen = receiver.received.length
    const headers = { 'idempotency-key': `fire-${nextNumber()}` }
    const fired = await must(act(id, 'test-fire', { eventType: 'Entitlement.Activated' }, headers))
    expect((await act(id, 'test-fire', { eventType: 'Entitlement.Activated' }, headers)).body).toEqual(fired)
    await expect.poll(() => receiver.received.length).toBe(seen + 1)
    const [{ headers: sent, body }] = receiver.received.slice(seen) as [Receiver['received'][0]]
    expect(sent).toMatchObject({
      'webhook-id': fired.eventId,
      'webhook-subscription': id,
      'webhook-delivery-attempt': '1',
    })
    const envelope = JSON.parse(body.toString())
    expect(envelope).toMatchObject({ type: 'Entitlement.Activated', data: { _test: true } })
    expect(envelope.entityid).toBe(envelope.data.entitlementId)
    await expect.poll(async () => (await read(id)).lastDeliveryAt).not.toBeNull()
    expect(receiver.received).toHaveLength(seen + 1)
  })

  test('there is a test event of every type, that of a challenge too', async () => {
    const { id } = await createActive()
    const types: string[] = (await server.api('GET', '/api/v1/webhooks/schemas')).body.eventTypes.map(typeOf)
    const before = [...receiver.received, ...receiver.challenges]
    const sent = () => [...receiver.received, ...receiver.challenges].filter((one) => !before.includes(one))
    for (const eventType of types) await must(act(id, 'test-fire', { eventType }))
    await expect.poll(() => sent().length).toBe(types.length)
    const envelopes = sent().map(({ body }) => JSON.parse(body.toString()))
    expect(envelopes.map(typeOf).toSorted()).toEqual(types.toSorted())
    for (const { data } of envelopes) expect(data).toMatchObject({ _test: true })
  })

  test('a test event is of a known type, and for an Active subscription', async () => {
    const { id } = await create()
    expect(problemOf(await act(id, 'test-fire', { eventType: 'Nothing.Happened' }))).toEqual([
      400,
      'license.validation_error',
    ])
    expect(problemOf(await act(id, 'test-fire', { eventType: 'User.Erased' }))).toEqual([
      409,
      'catalog.invalid_transition',
    ])
  })

  test('a client hands out what it is registered for, whatever its token asked for', async () => {
    const name = `hooks ${nextNumber()}`
    const scopes = ['webhooks.subscriptions:*', 'admin.entitlements:read']
    const client = await must(server.api('POST', '/api/v1/provision/admin/clients', { body: { name, scopes } }))
    const token = await requestToken(server.baseUrl(), client, ['webhooks.subscriptions:*'])
    const own = await must(post(bodyOf({ callbackScopes: ['admin.entitlements:read'] }), { token }))
    const refused = await post(bodyOf({ callbackScopes: ['admin.entitlements:write'] }), { token })
    expect(problemOf(refused)).toEqual([403, 'auth.insufficient_scope'])
    expect(refused.body.detail).toContain('admin.entitlements:write')
    const wider = await create({ callbackScopes: ['admin.entitlements:write'] })
    const edit = (id: string, body: object) => server.api('PATCH', `${path}/${id}`, { token, body })
    await must(edit(wider.id, { name: 'Renamed' }))
    await must(edit(wider.id, { callbackScopes: ['admin.entitlements:write', 'admin.entitlements:read'] }))
    // Whoever moved the endpoint would be sent the tokens.
    expect(problemOf(await edit(wider.id, { url: `${receiver.url}?mine` }))).toEqual([403, 'auth.insufficient_scope'])
    await must(edit(own.id, { url: `${receiver.url}?mine` }))
    expect(problemOf(await edit(own.id, { callbackScopes: ['admin.users:read'] }))).toEqual([
      403,
      'auth.insufficient_scope',
    ])
  })

  test('each verb asks for its own scope', async () => {
    const { id } = await create()
    const token = await server.tokenWith(['webhooks.subscriptions:read'])
    expect((await server.api('GET', `${path}/${id}`, { token })).status).toBe(200)
    for (const [method, below, body] of [
      ['POST', '', bodyOf()],
      ['PATCH', `/${id}`, {}],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/verify`],
      ['POST', `/${id}/secret`, {}],
      ['POST', `/${id}/test-fire`, { eventType: 'User.Erased' }],
    ] as const)
      expect(problemOf(await server.api(method, path + below, { token, body }))).toEqual([
        403,
        'auth.insufficient_scope',
      ])
    expect((await server.api('POST', integrator, { token, body: bodyOf() })).status).toBe(403)
  })

  test('integrators subscribe at a path of their own, and see none but theirs', async () => {
    const token = await server.tokenWith(['webhooks.integrations:*'])
    const at = (method: string, below = '', body?: unknown) => server.api(method, integrator + below, { token, body })
    const { secret, ...created } = await must(at('POST', '', bodyOf()))
    expect([created.origin, secret]).toEqual(['Integrator', receiver.secret])
    expect(await must(at('GET', `/${created.id}`))).toEqual(created)
    expect((await must(server.api('GET', `${path}?filter=origin==Integrator`))).items).toEqual([created])
    const { id } = await create()
    for (const [method, below] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/verify'],
    ] as const)
      expect(problemOf(await at(method, `/${id}${below}`))).toEqual([404, 'license.record_not_found'])
    await must(at('DELETE', `/${created.id}`))
    expect((await at('GET', `/${created.id}`)).status).toBe(404)
    expect((await read(id)).id).toBe(id)
  })

  test('what is pending for a deleted subscription is given up', async () => {
    const { id } = await createActive()
    receiver.answer = 500
    const { eventId } = await must(act(id, 'test-fire', { eventType: 'User.Erased' }))
    await must(server.api('DELETE', `${path}/${id}`))
    receiver.answer = 204
    const database = openDatabase(server.databaseUrl)
    try {
      const rows = database.read.selectFrom('webhook_deliveries').selectAll().where('event_id', '=', eventId)
      expect(await rows.execute()).toMatchObject([{ status: 'DeadLettered', next_attempt_at: null }])
    } finally {
      await database.close()
    }
  })

  test('the thousandth subscription is the last', async () => {
    const tenant = 'neighbour'
    const database = openDatabase(server.databaseUrl)
    try {
      const one = database.read.selectFrom('webhook_subscriptions').selectAll().limit(1)
      const model = await one.executeTakeFirstOrThrow()
      const rows = Array.from({ length: 999 }, () => ({
        ...model,
        id: newId(),
        tenant_id: server.tenantIds.neighbour,
        is_deleted: 0,
      }))
      await database.transact(async (tx) => {
        for (let start = 0; start < rows.length; start += 500)
          await tx
            .insertInto('webhook_subscriptions')
            .values(rows.slice(start, start + 500))
            .execute()
      })
    } finally {
      await database.close()
    }
    const last = () => server.api('POST', path, { tenant, body: bodyOf() })
    const answers = await Promise.all([last(), last(), last()])
    const { id } = answers.find(({ status }) => status < 300)!.body
    expect(answers.map(problemOf).filter(([, name]) => name === 'webhook.too_many_subscriptions')).toHaveLength(2)
    expect(problemOf(await last())).toEqual([409, 'webhook.too_many_subscriptions'])
    await must(server.api('DELETE', `${path}/${id}`, { tenant }))
    await must(last())
  })
})
