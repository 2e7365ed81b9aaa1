import { expect, test } from 'vitest'
import { forEachStore } from '../../support/stores.ts'
import { askToken, basicOf, getToken, send, serveScene } from './scene.ts'

const grant = { grant_type: 'client_credentials' }

forEachStore((store) => {
  const scene = serveScene(store)
  const makeClient = () => scene.makeClient(scene.acme, 'admin.tags:read', 'admin.products:*')

  test('client credentials in a header or in the form give a bearer token that nobody may cache', async () => {
    const client = await makeClient()
    const scope = 'admin.tags:read'
    const inHeader = await askToken(scene.base, { ...grant, scope }, basicOf(client))
    const inForm = await askToken(scene.base, {
      ...grant,
      scope,
      client_id: client.clientId,
      client_secret: client.clientSecret,
    })
    for (const { status, headers, body } of [inHeader, inForm]) {
      expect(status).toBe(200)
      expect(headers.get('content-type')).toMatch(/^application\/json/)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('pragma')).toBe('no-cache')
      expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 900, scope })
    }
  })

  test('a token is an RFC 9068 access token of its tenant, alive for 15 minutes', async () => {
    const client = await makeClient()
    const token = await getToken(scene.base, client, 'admin.*:read')
    const [header, claims] = token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    expect(header).toEqual({ typ: 'at+jwt', alg: 'ES256', kid: expect.any(String) })
    expect(claims).toEqual({
      iss: scene.base,
      aud: `${scene.base}/api/v1`,
      sub: client.clientId,
      client_id: client.clientId,
      tid: scene.acme.id,
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: claims.iat + 900,
      scope: 'admin.tags:read admin.products:read',
    })
  })

  test('scopes are capped to the registered ones, and an omitted scope gives none', async () => {
    const client = await makeClient()
    const ask = (scope: string) => askToken(scene.base, { ...grant, scope }, basicOf(client))
    expect((await ask('admin.tags:read admin.tags:delete')).body.scope).toBe('admin.tags:read')
    expect((await ask('admin.*:*')).body.scope).toBe('admin.tags:read admin.products:*')
    expect(await ask('operational.*:*')).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    expect(await ask('a"b')).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    const without = await askToken(scene.base, grant, basicOf(client))
    expect(without.status).toBe(200)
    expect(without.body.scope).toBeUndefined()
  })

  test('a wrong secret, an unknown client and a client of another tenant are one and the same refusal', async () => {
    const client = await makeClient()
    const foreign = await scene.makeClient(scene.neighbour, 'admin.*:*')
    const answers = [
      await askToken(scene.base, grant, basicOf({ ...client, clientSecret: 'wrong' })),
      await askToken(scene.base, grant, basicOf({ clientId: 'nobody', clientSecret: 'wrong' })),
      await askToken(scene.base, grant, basicOf(foreign)),
      await askToken(scene.base, { ...grant, client_id: client.clientId, client_secret: 'wrong' }),
    ]
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual(answers[0]!.body)
      expect(body).toEqual({ error: 'invalid_client', error_description: expect.any(String) })
      expect(headers.get('www-authenticate')).toBe('Basic realm="licet"')
      expect(headers.get('content-type')).toMatch(/^application\/json/)
    }
  })

  test('malformed requests are refused as OAuth has it, never with a problem', async () => {
    const client = await makeClient()
    const basic = basicOf(client)
    const both = { ...grant, client_id: client.clientId, client_secret: client.clientSecret }
    const json = { ...basic, 'content-type': 'application/json' }
    const multipart = { ...basic, 'content-type': 'multipart/form-data; boundary=x' }
    const refusals: [string, Promise<{ status: number; body: object }>][] = [
      ['invalid_request', askToken(scene.base, both, basic)],
      ['invalid_request', askToken(scene.base, {}, basic)],
      ['invalid_request', askToken(scene.base, 'grant_type=', basic)],
      ['invalid_request', askToken(scene.base, 'grant_type=client_credentials&scope=a&scope=b', basic)],
      ['invalid_request', askToken(scene.base, 'grant_type=client_credentials&x=%zz', basic)],
      ['invalid_request', askToken(scene.base, JSON.stringify(grant), json)],
      ['invalid_request', askToken(scene.base, '--x--', multipart)],
      ['invalid_request', askToken(scene.base, 'grant_type=x', { ...basic, 'content-type': 'form' })],
      ['invalid_request', askToken(scene.base, 'grant_type=x', { ...basic, 'content-type': '' })],
      ['invalid_request', askToken(scene.base, grant, { ...basic, 'content-encoding': 'gzip' })],
      ['unsupported_grant_type', askToken(scene.base, { grant_type: 'password' }, basic)],
      ['unsupported_grant_type', askToken(scene.base, { grant_type: 'refresh_token' }, basic)],
      ['unsupported_grant_type', askToken(scene.base, { grant_type: 'authorization_code' }, basic)],
    ]
    for (const [error, answer] of refusals) expect(await answer).toMatchObject({ status: 400, body: { error } })
    const inQuery = await fetch(
      `${scene.base}/auth/connect/token?client_id=${client.clientId}&client_secret=${client.clientSecret}`,
      { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'grant_type=x' },
    )
    expect([inQuery.status, await inQuery.json()]).toMatchObject([400, { error: 'invalid_request' }])
    const unknownParameter = await askToken(scene.base, { ...grant, audience: 'x', scope: '' }, basic)
    expect(unknownParameter.status).toBe(200)
  })

  test('only POST is a token request', async () => {
    const answer = await send('GET', `${scene.base}/auth/connect/token`)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toContain('POST')
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.body).toEqual({ error: 'invalid_request', error_description: 'This path knows OPTIONS, POST.' })
    expect((await send('GET', `${scene.base}/auth/connect/nothing`)).headers.get('content-type')).toMatch(/problem/)
  })

  test('a client that fails too often is told to wait; others and its right secret are not', async () => {
    const [client, other] = [await makeClient(), await makeClient()]
    const statuses: number[] = []
    let last = await askToken(scene.base, grant, basicOf({ ...client, clientSecret: 'wrong' }))
    for (let attempt = 1; attempt < 32; attempt++) {
      statuses.push(last.status)
      last = await askToken(scene.base, grant, basicOf({ ...client, clientSecret: 'wrong' }))
    }
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(401))
    expect([last.status, last.body.error]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await askToken(scene.base, grant, basicOf({ ...other, clientSecret: 'wrong' }))).status).toBe(401)
    expect((await askToken(scene.base, grant, basicOf(other))).status).toBe(200)
    expect((await askToken(scene.base, grant, basicOf(client))).status).toBe(200)
  })

  test('the metadata names the issuer exactly, its token endpoint and its keys', async () => {
    const { body } = await send('GET', `${scene.base}/.well-known/oauth-authorization-server`)
    expect(body).toMatchObject({
      issuer: scene.base,
      token_endpoint: `${scene.base}/auth/connect/token`,
      jwks_uri: `${scene.base}/.well-known/jwks.json`,
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    })
    expect((await send('GET', `${scene.base}/.well-known/openid-configuration`)).body).toMatchObject(body)
    const keysOf = async (base: string) =>
      (await send('GET', `${base}/.well-known/jwks.json`)).body.keys as Record<string, unknown>[]
    const keys = await keysOf(scene.base)
    expect(keys.map(({ alg, use }) => [alg, use]).sort()).toEqual([
      ['ES256', 'sig'],
      ['RS256', 'sig'],
    ])
    for (const key of keys)
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(key).not.toHaveProperty(member)
    const foreign = new Set((await keysOf(scene.neighbourBase)).map(({ kid }) => kid))
    expect(keys.filter(({ kid }) => foreign.has(kid))).toEqual([])
  })

  test('every scope is listed with what it opens, for anyone', async () => {
    const { status, body } = await send('GET', `${scene.base}/api/v1/scopes`)
    expect(status).toBe(200)
    expect(body).toContainEqual(
      expect.objectContaining({ scope: 'admin.catalog:read', audience: 'admin', resource: 'catalog', verb: 'read' }),
    )
  })
})
