import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { openSealer } from '../../../server/access/installation/master-key.ts'
import { readDatabaseUrl } from '../../../server/database/database-url.ts'
import type { Sealer } from '../../../server/kit/sealing.ts'
import { issueCallbackToken } from '../../../server/webhooks/callback-tokens/issuance.ts'
import type { TestTenant } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { webhooks, webhooksOf } from './subscribed.ts'

const tags = '/api/v1/provision/admin/tags'
const clients = '/api/v1/provision/admin/clients'
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

forEachStore((store) => {
  const server = serveTests(store, { allowPrivateWebhooks: true })
  const { subscribe, cause, ask, advance, deliveriesTo, database } = webhooksOf(server)
  let sealer: Sealer
  let subscription: string
  beforeAll(async () => {
    sealer = await openSealer(database(), readDatabaseUrl(server.databaseUrl))
    subscription = await newSubscription('admin.tags:read', 'admin.tags:create')
  })

  const newSubscription = async (...callbackScopes: string[]) => (await subscribe({ callbackScopes }, 'acme')).id
  const change = (id: string, body: object) => ask('PATCH', `${webhooks}/subscriptions/${id}`, body, 'acme')

  /** A token as a delivery to the subscription brings one; when it is asked for more than the subscription has, a forged one. */
  const tokenOf = (
    id = subscription,
    callbackScopes = ['admin.tags:read', 'admin.tags:create'],
    { now = Date.now(), tenant = 'acme' as TestTenant } = {},
  ) =>
    issueCallbackToken(
      { read: database().read, sealer, tenantId: server.tenantIds[tenant], baseUrl: server.baseUrl(tenant), now },
      { id, callbackScopes },
    )
  const list = (token: string, tenant: TestTenant = 'acme') => server.api('GET', tags, { token, tenant })
  const aTag = () => ({ scope: 'Product', name: `tag ${nextNumber()}` })

  test('a delivery brings a token that opens what its subscription asked for, and nothing else', async () => {
    const receiver = await subscribe({ callbackScopes: ['admin.tags:write'] }, 'acme')
    const bare = await subscribe({}, 'acme')
    await cause(1, {}, 'acme')
    await expect.poll(() => [receiver.received.length, bare.received.length], { timeout: 10_000 }).toEqual([1, 1])
    expect(bare.received[0]!.headers).not.toHaveProperty('webhook-callback-token')
    const token = String(receiver.received[0]!.headers['webhook-callback-token'])
    expect(decodeProtectedHeader(token)).toEqual({ typ: 'callback+jwt', alg: 'ES256', kid: expect.any(String) })
    const { iat, ...claims } = decodeJwt(token)
    expect(claims).toEqual({
      iss: server.baseUrl(),
      aud: `${server.baseUrl()}/api/v1`,
      sub: receiver.id,
      tid: server.tenantIds.acme,
      jti: expect.any(String),
      exp: iat! + 300,
      scope: 'admin.tags:write',
    })
    const { id } = await must(server.api('POST', tags, { token, body: aTag() }))
    await must(server.api('PATCH', `${tags}/${id}`, { token, body: { color: '#123456' } }))
    for (const [method, path] of [
      ['GET', tags],
      ['DELETE', `${tags}/${id}`],
      ['POST', '/api/v1/provision/admin/products'],
    ] as const)
      expect([method, problemOf(await server.api(method, path, { token }))]).toEqual([
        method,
        [403, 'auth.insufficient_scope'],
      ])
  })

  test('an endpoint that mirrors what it was sent shows nobody the token', async () => {
    const receiver = await subscribe({ callbackScopes: ['admin.tags:write'] }, 'acme')
    receiver.answer = ({ headers }, reply) => void reply.end(`Grüße ${'.'.repeat(1500)} ${JSON.stringify(headers)}`)
    await cause(1, {}, 'acme')
    await expect
      .poll(async () => (await deliveriesTo(receiver, 'acme'))[0]?.status, { timeout: 10_000 })
      .toBe('Delivered')
    const [{ id }] = await deliveriesTo(receiver, 'acme')
    const [{ responseExcerpt }] = (await ask('GET', `${webhooks}/deliveries/${id}`, undefined, 'acme')).attempts
    expect(responseExcerpt).toMatch(/^Grüße \.+ .*"webhook-callback-token":"\[withheld\]"/)
    const token = String(receiver.received[0]!.headers['webhook-callback-token'])
    for (const part of token.split('.')) expect(responseExcerpt).not.toContain(part)
  })

  describe('who calls back counts as a client does', () => {
    test('over tRPC, too', async () => {
      const token = await tokenOf()
      const asked = await server.api('GET', '/trpc/admin.tags.list?input=%7B%7D', { token })
      expect(asked.status).toBe(200)
      const refused = await server.api('GET', '/trpc/admin.products.list?input=%7B%7D', { token })
      expect(refused).toMatchObject({ status: 403, body: { error: { codeName: 'auth.insufficient_scope' } } })
    })

    test('in records, and with keys of its own for what is done once', async () => {
      const [body, headers] = [aTag(), { 'idempotency-key': 'the same for all' }]
      const created = await must(server.api('POST', tags, { token: await tokenOf(), body, headers }))
      const again = await server.api('POST', tags, { token: await tokenOf(), body, headers })
      expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([created, 'true'])
      const clients = await server.api('POST', tags, { body, headers })
      expect(clients.headers.get('idempotency-replayed')).toBeNull()
      const { updated_by } = await database()
        .read.selectFrom('tags')
        .select('updated_by')
        .where('id', '=', created.id)
        .executeTakeFirstOrThrow()
      expect(updated_by).toBe(`callback:${subscription}`)
    })

    test('where either of two tokens will do, for what its tenant has', async () => {
      const scopes = ['operational.entitlements:update', 'admin.tags:read']
      const id = await newSubscription(...scopes)
      const path = `/api/v1/provision/usage/entitlements/${noSuchId}/transactions`
      const upload = (token: string) => server.api('POST', path, { token, body: [] })
      expect(problemOf(await upload(await tokenOf(id, scopes)))).toEqual([404, 'license.record_not_found'])
      expect(problemOf(await upload(await tokenOf()))).toEqual([403, 'auth.insufficient_scope'])
    })

    test('and gives to clients and subscriptions what it holds, no more', async () => {
      const scopes = ['admin.clients:create', 'webhooks.subscriptions:create', 'admin.tags:read']
      const token = await tokenOf(await newSubscription(...scopes), scopes)
      const newClient = (...given: string[]) =>
        server.api('POST', clients, { token, body: { name: 'by callback', scopes: given } })
      expect((await newClient('admin.tags:read')).status).toBe(200)
      for (const beyond of ['admin.tags:create', 'admin.tags:*', 'admin.*:read', 'admin.*:*'])
        expect([beyond, problemOf(await newClient(beyond))]).toEqual([beyond, [403, 'auth.insufficient_scope']])
      const newHook = (...callbackScopes: string[]) =>
        server.api('POST', `${webhooks}/subscriptions`, {
          token,
          body: { url: 'http://127.0.0.1:1/', eventTypes: ['*'], callbackScopes },
        })
      expect((await newHook('admin.tags:read')).status).toBe(200)
      expect(problemOf(await newHook('admin.tags:create'))).toEqual([403, 'auth.insufficient_scope'])
    })

    test('but never as a session or a user', async () => {
      const token = await tokenOf()
      for (const [method, path] of [
        ['POST', `/api/v1/provision/activations/${noSuchId}/check-in`],
        ['GET', '/api/v1/provision/consumer/me/sessions'],
      ] as const) {
        const answer = await server.api(method, path, { token, ...(method === 'POST' ? { body: {} } : {}) })
        expect([path, problemOf(answer)]).toEqual([path, [401, 'auth.unauthenticated']])
      }
    })
  })

  describe('at the next call a token is worth', () => {
    test('less when its subscription asks for less, and no more when it asks for more', async () => {
      const id = await newSubscription('admin.tags:read', 'admin.tags:create')
      const token = await tokenOf(id)
      const create = () => server.api('POST', tags, { token, body: aTag() })
      expect((await create()).status).toBe(200)
      await change(id, { callbackScopes: ['admin.tags:read', 'admin.products:read'] })
      expect(problemOf(await create())).toEqual([403, 'auth.insufficient_scope'])
      expect((await list(token)).status).toBe(200)
      expect((await server.api('GET', '/api/v1/provision/admin/products', { token })).status).toBe(403)
      await change(id, { callbackScopes: [] })
      expect(problemOf(await list(token))).toEqual([403, 'auth.insufficient_scope'])
    })

    test('nothing while its subscription is not Active, or once it is gone', async () => {
      const id = await newSubscription('admin.tags:read')
      const token = await tokenOf(id)
      const statuses = []
      for (const body of [{ status: 'Disabled' }, { status: 'Active' }, { url: 'http://127.0.0.1:1/' }]) {
        await change(id, body)
        statuses.push((await list(token)).status)
      }
      expect(statuses).toEqual([401, 200, 401])
      const other = await newSubscription('admin.tags:read')
      const held = await tokenOf(other)
      expect((await list(held)).status).toBe(200)
      await must(server.api('DELETE', `${webhooks}/subscriptions/${other}`))
      const refused = await list(held)
      expect(problemOf(refused)).toEqual([401, 'auth.unauthenticated'])
      expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      expect((await list(await tokenOf(noSuchId))).status).toBe(401)
    })

    test('nothing after five minutes of the tenant’s clock', async () => {
      const now = Date.now()
      for (const [age, status] of [
        [290, 200],
        [301, 401],
        [-55, 200],
        [-90, 401],
      ] as const)
        expect([age, (await list(await tokenOf(subscription, undefined, { now: now - age * 1000 }))).status]).toEqual([
          age,
          status,
        ])
      const receiver = await subscribe({ callbackScopes: ['admin.tags:read'] })
      const held = await tokenOf(receiver.id, ['admin.tags:read'], { tenant: 'sandbox' })
      expect((await list(held, 'sandbox')).status).toBe(200)
      await advance('PT6M')
      expect((await list(held, 'sandbox')).status).toBe(401)
    })
  })

  describe('refused is', () => {
    /** The tenant's own private key, as a thief of it would have it. */
    async function keyOf(tenant: TestTenant): Promise<{ kid: string; key: KeyObject }> {
      const row = await database()
        .read.selectFrom('signing_keys')
        .selectAll()
        .where('tenant_id', '=', server.tenantIds[tenant])
        .where('purpose', '=', 'token')
        .executeTakeFirstOrThrow()
      const place = `key/${server.tenantIds[tenant]}/${row.id}`
      return { kid: row.id, key: createPrivateKey(sealer.open(row.sealed_private_key, place)) }
    }
    const signed = (head: object, claims: object, key: KeyObject) => {
      const text = `${encode(head)}.${encode(claims)}`
      return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
    }

    test('the token of another tenant, and one that another tenant’s key has signed', async () => {
      const theirs = await subscribe({ callbackScopes: ['admin.tags:read'] }, 'neighbour')
      const token = await tokenOf(theirs.id, ['admin.tags:read'], { tenant: 'neighbour' })
      expect([(await list(token, 'neighbour')).status, (await list(token)).status]).toEqual([200, 401])
      const ours = await tokenOf()
      expect((await list(ours, 'neighbour')).status).toBe(401)
      const { kid, key } = await keyOf('neighbour')
      for (const head of [decodeProtectedHeader(ours), { ...decodeProtectedHeader(ours), kid }])
        expect((await list(signed(head, decodeJwt(ours), key))).status).toBe(401)
      const { key: own } = await keyOf('acme')
      const crossing = { ...decodeJwt(ours), sub: theirs.id }
      expect((await list(signed(decodeProtectedHeader(ours), crossing, own))).status).toBe(401)
    })

    test('a well signed token of another kind, header, time, issuer or audience', async () => {
      const token = await tokenOf()
      const [head, claims] = [decodeProtectedHeader(token), decodeJwt(token)]
      const { key } = await keyOf('acme')
      const now = Math.floor(Date.now() / 1000)
      expect((await list(signed(head, claims, key))).status).toBe(200)
      const heads = [
        ...['at+jwt', 'user+jwt', 'license+jwt', 'JWT', 'callback', 'Callback+JWT', undefined].map((typ) => ({ typ })),
        ...[
          { crit: ['exp'] },
          { b64: false },
          { jku: 'https://keys.example' },
          { kid: '__proto__' },
          { kid: undefined },
        ],
      ]
      for (const more of heads)
        expect([more, (await list(signed({ ...head, ...more }, claims, key))).status]).toEqual([more, 401])
      const bodies = [
        { iat: now - 400, exp: now - 100 },
        { exp: now },
        { exp: now + 301, iat: now },
        { exp: String(now + 200) },
        { exp: undefined },
        { iat: now + 120, exp: now + 400 },
        { nbf: now - 10 },
        { iss: `${server.baseUrl()}/` },
        { iss: server.baseUrl('neighbour'), aud: `${server.baseUrl('neighbour')}/api/v1` },
        { aud: server.baseUrl() },
        { aud: [`${server.baseUrl()}/api/v1`] },
        { tid: server.tenantIds.neighbour },
        { sub: server.clients.acme.clientId },
        { sub: undefined },
        { scope: undefined },
        { scope: ['admin.tags:read'] },
        { jti: 7 },
      ]
      for (const more of bodies)
        expect([more, (await list(signed(head, { ...claims, ...more }, key))).status]).toEqual([more, 401])
    })

    test('a client’s token whose type says that it is a callback’s, and the reverse', async () => {
      const { key } = await keyOf('acme')
      const [clients, callback] = [server.tokens.acme, await tokenOf()]
      const mixed = [
        [decodeProtectedHeader(callback), decodeJwt(clients)],
        [decodeProtectedHeader(clients), decodeJwt(callback)],
        [decodeProtectedHeader(clients), { ...decodeJwt(callback), client_id: subscription }],
        [
          decodeProtectedHeader(callback),
          { ...decodeJwt(callback), sub: server.clients.acme.clientId, scope: 'admin.*:*' },
        ],
      ] as const
      for (const [head, claims] of mixed) expect((await list(signed(head, claims, key))).status).toBe(401)
    })

    test('one that is unsigned, signed with the public key, or differs in a single character', async () => {
      const token = await tokenOf()
      const [, payload, signature] = token.split('.')
      const head = decodeProtectedHeader(token)
      const forged = ['none', 'None'].flatMap((alg) => [
        `${encode({ ...head, alg })}.${payload}.`,
        `${encode({ ...head, alg })}.${payload}.${signature}`,
      ])
      const text = `${encode({ ...head, alg: 'HS256' })}.${payload}`
      const pem = createPublicKey((await keyOf('acme')).key).export({ type: 'spki', format: 'pem' })
      forged.push(`${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`)
      for (let at = 0; at < token.length; at += 29)
        forged.push(token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1))
      for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
        if (last !== token.at(-1)) forged.push(token.slice(0, -1) + last)
      forged.push(`${token}=`, `${token}.`, token.replace('.', '..'))
      expect((await list(token)).status).toBe(200)
      for (const other of forged) expect([other, (await list(other)).status]).toEqual([other, 401])
    })
  })
})
