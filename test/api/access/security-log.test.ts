import { once } from 'node:events'
import { connect } from 'node:net'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { furnishedDatabase, requestToken } from '../../support/server.ts'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { forEachStore } from '../../support/stores.ts'
import { noSuchId } from '../catalog/catalog-collection.ts'
import { askToken, basicOf, send } from './scene.ts'

type Line = Record<string, unknown>

forEachStore((store) => {
  const start = serverProcesses()
  let base: string
  let databaseUrl: string
  let acme: { clientId: string; clientSecret: string }
  let logged = ''
  let end: () => Promise<void>
  const tokens: string[] = []

  beforeAll(async () => {
    const furnished = await furnishedDatabase(store)
    databaseUrl = furnished.databaseUrl
    acme = furnished.clients.acme
    const server = start(databaseUrl, 'info')
    server.stderr!.on('data', (part: Buffer) => {
      logged += part.toString()
    })
    base = `${await originOf(server)}/t/acme`
    end = async () => {
      server.kill('SIGTERM')
      await once(server, 'close')
    }
  })
  afterAll(() => end())

  const tokenWith = async (...scopes: string[]) => {
    const token = await requestToken(base, acme, scopes)
    tokens.push(token)
    return token
  }
  const lines = () =>
    logged
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)
  /** The security lines of one request, once its own line is written, too. */
  const securityLinesOf = async (correlationId: string) => {
    const ofRequest = () => lines().filter((line) => line.correlationId === correlationId)
    await expect.poll(() => ofRequest().filter(({ millis }) => millis !== undefined)).toHaveLength(1)
    return ofRequest().filter(({ security }) => security !== undefined)
  }
  const under = (correlationId: string) => ({ 'x-correlation-id': correlationId })
  const [warn, info] = [40, 30]

  test.each([
    ['a wrong secret', (id: string) => basicOf({ clientId: id, clientSecret: 'nobody-may-see' }), {}, 'invalid_client'],
    ['a scope the client has not', () => basicOf(acme), { scope: 'admin.nothing:read' }, 'invalid_scope'],
    ['another grant', () => basicOf(acme), { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('%s at the token endpoint is a line that names the client', async (what, headersFor, form, reason) => {
    const id = `${store.kind}-${what.replaceAll(' ', '-')}`
    const headers = { ...headersFor(acme.clientId), ...under(id) }
    await askToken(base, { grant_type: 'client_credentials', ...form }, headers)
    expect(await securityLinesOf(id)).toMatchObject([
      { level: warn, security: 'token_refused', tenant: 'acme', client: acme.clientId, operation: 'token', reason },
    ])
  })

  test('what stands in place of a client id may be a secret, and is not logged', async () => {
    const credentials = { clientId: 'nobody-may-see', clientSecret: acme.clientId }
    await askToken(base, { grant_type: 'client_credentials' }, { ...basicOf(credentials), ...under('swapped') })
    const [line] = await securityLinesOf('swapped')
    expect(line).toMatchObject({ security: 'token_refused', reason: 'invalid_client' })
    expect(line!.client).toBeUndefined()
  })

  test('who lacks the scope where another token would do, too, is named, over REST and tRPC', async () => {
    const token = await tokenWith('admin.tags:read')
    const upload = `${base}/api/v1/provision/usage/entitlements/${noSuchId}/transactions`
    await send('POST', upload, { token, json: [], headers: under('either') })
    const call = `${base}/trpc/usage.entitlements.transactions`
    await send('POST', call, { token, json: { entitlementId: noSuchId, records: [] }, headers: under('trpc-either') })
    for (const id of ['either', 'trpc-either'])
      expect(await securityLinesOf(id)).toMatchObject([
        {
          level: warn,
          security: 'access_denied',
          client: acme.clientId,
          operation: 'usage.entitlements.transactions',
          reason: 'auth.insufficient_scope',
        },
      ])
  })

  test('a token that is none, and a scope that a token lacks, are lines, over REST and tRPC', async () => {
    const token = await tokenWith('admin.tags:read')
    const products = `${base}/api/v1/provision/admin/products`
    const list = `${base}/trpc/admin.products.list`
    const forged = 'nobody.may.see'
    await send('GET', products, { token: forged, headers: under('forged') })
    await send('GET', products, { token, headers: under('denied') })
    await send('GET', list, { token: forged, headers: under('trpc-forged') })
    await send('GET', list, { token, headers: under('trpc-denied') })
    const denied = { level: warn, security: 'access_denied', tenant: 'acme' }
    for (const id of ['forged', 'trpc-forged'])
      expect(await securityLinesOf(id)).toMatchObject([{ ...denied, reason: 'auth.unauthenticated' }])
    for (const id of ['denied', 'trpc-denied'])
      expect(await securityLinesOf(id)).toMatchObject([
        {
          ...denied,
          client: acme.clientId,
          operation: 'admin.products.list',
          reason: 'auth.insufficient_scope',
          detail: 'The token lacks the scope admin.products:read.',
        },
      ])
  })

  test('a signing key and a client secret that are replaced are lines, over REST and tRPC', async () => {
    const token = await tokenWith('admin.*:*')
    const admin = `${base}/api/v1/provision/admin`
    const done = { level: info, tenant: 'acme', client: acme.clientId }
    const key = await send('POST', `${admin}/keys/rotate`, { token, json: {}, headers: under('key') })
    expect(await securityLinesOf('key')).toMatchObject([
      { ...done, security: 'signing_key_rotated', operation: 'admin.keys.rotate', subject: key.body.id },
    ])
    const rotation = { token: await tokenWith('admin.*:*'), json: {}, headers: under('trpc-key') }
    expect((await send('POST', `${base}/trpc/admin.keys.rotate`, rotation)).status).toBe(200)
    expect(await securityLinesOf('trpc-key')).toMatchObject([{ ...done, security: 'signing_key_rotated' }])
    const other = await send('POST', `${admin}/clients`, { token, json: { name: 'other', scopes: [] } })
    const rotated = await send('POST', `${admin}/clients/${other.body.id}/rotate-secret`, {
      token,
      json: {},
      headers: under('secret'),
    })
    expect(await securityLinesOf('secret')).toMatchObject([
      { ...done, security: 'client_secret_rotated', subject: other.body.id },
    ])
    tokens.push(String(other.body.clientSecret), String(rotated.body.clientSecret))
  })

  test("a webhook's secret that is replaced is a line, and no line holds one", async () => {
    const token = await tokenWith('webhooks.*:*')
    const subscriptions = `${base}/api/v1/webhooks/admin/subscriptions`
    const json = { url: 'https://crm.example.com/hook', eventTypes: ['*'] }
    const { body: created } = await send('POST', subscriptions, { token, json, headers: under('subscribed') })
    const rotation = { token, json: { secret: 'whsec_of-another-form' }, headers: under('refused-webhook-secret') }
    await send('POST', `${subscriptions}/${created.id}/secret`, rotation)
    const again = { token, json: {}, headers: under('webhook-secret') }
    const { body: rotated } = await send('POST', `${subscriptions}/${created.id}/secret`, again)
    expect(await securityLinesOf('webhook-secret')).toMatchObject([
      { level: info, security: 'webhook_secret_rotated', tenant: 'acme', subject: created.id },
    ])
    tokens.push(String(created.secret), String(rotated.secret), 'whsec_of-another-form')
  })

  test('an endpoint that is not to be asked is a line', async () => {
    const token = await tokenWith('webhooks.*:*')
    const json = { url: 'gopher://169.254.169.254/', eventTypes: ['*'] }
    await send('POST', `${base}/api/v1/webhooks/admin/subscriptions`, { token, json, headers: under('elsewhere') })
    expect(await securityLinesOf('elsewhere')).toMatchObject([
      { level: warn, security: 'endpoint_refused', tenant: 'acme', operation: 'webhooks.subscriptions.create' },
    ])
  })

  test('keys of an outside issuer that are not to be fetched are a line, as it is trusted and as a token names it', async () => {
    const settings = `${base}/api/v1/provision/admin/settings`
    const token = await tokenWith('admin.settings:*')
    const issuer = { issuer: 'https://accounts.example.com', audience: 'acme-app' }
    const trust = (jwksUri: string, headers = {}) =>
      send('PATCH', settings, { token, json: { trustedIssuers: [{ ...issuer, jwksUri }] }, headers })
    await trust('https://10.0.0.7/keys?key=nobody-may-see', under('settings'))
    const refused = { level: warn, security: 'endpoint_refused', tenant: 'acme' }
    expect(await securityLinesOf('settings')).toMatchObject([
      { ...refused, operation: 'admin.settings.update', reason: 'must lead to a public address' },
    ])
    await trust('https://accounts.example.com/keys')
    // As an older version took it, or one that listened elsewhere.
    const stored = JSON.stringify({ trustedIssuers: [{ ...issuer, jwksUri: 'https://127.0.0.1/?key=nobody-may-see' }] })
    const database = openDatabase(databaseUrl)
    await database.transact((tx) => tx.updateTable('tenant_settings').set({ settings: stored }).execute())
    await database.close()
    const now = Math.floor(Date.now() / 1000)
    const outside = await new SignJWT({ iss: issuer.issuer, aud: issuer.audience, sub: 'one', exp: now + 300 })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign((await generateKeyPair('RS256')).privateKey)
    tokens.push(outside)
    const sessions = `${base}/api/v1/provision/consumer/me/sessions`
    await send('GET', sessions, { token: outside, headers: under('keys') })
    expect(await securityLinesOf('keys')).toMatchObject([
      { security: 'access_denied', reason: 'auth.unauthenticated' },
      { ...refused, reason: 'the URI of the keys must not lead to a loopback address' },
    ])
  })

  test('whoever asks too often is a line', async () => {
    const asking = Array.from({ length: 6 }, (_, at) =>
      send('POST', `${base}/api/v1/provision/registrations`, {
        json: { email: 'somebody@example.com' },
        headers: under(`often-${at}`),
      }),
    )
    const answers = await Promise.all(asking)
    const late = answers.findIndex(({ status }) => status === 429)
    expect(await securityLinesOf(`often-${late}`)).toMatchObject([
      { level: warn, security: 'rate_limited', tenant: 'acme', reason: 'request.rate_limited' },
    ])
  })

  test('what is refused before it is a request has its line', async () => {
    const headers = `Host: a\r\nX-Correlation-Id: early\r\nExpect: tea\r\nAuthorization: Bearer nobody.may.see`
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    socket.end(`POST /t/acme/x HTTP/1.1\r\n${headers}\r\n\r\n`).resume()
    await once(socket, 'close')
    const line = {
      level: info,
      correlationId: 'early',
      method: 'POST',
      status: 417,
      reason: 'request.expectation_failed',
    }
    await expect.poll(() => lines().filter(({ correlationId }) => correlationId === 'early')).toMatchObject([line])
  })

  test('what is done as it should be has no line of its own', async () => {
    await send('GET', `${base}/api/v1/provision/admin/tags`, {
      token: await tokenWith('admin.tags:read'),
      headers: under('allowed'),
    })
    expect(await securityLinesOf('allowed')).toEqual([])
  })

  test('no line holds a secret or a token', () => {
    expect(tokens.length).toBeGreaterThan(3)
    for (const secret of [...tokens, acme.clientSecret, 'nobody-may-see', 'nobody.may.see'])
      expect(logged).not.toContain(secret)
  })
})
