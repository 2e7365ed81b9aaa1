import { execFileSync } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import jsonwebtoken from 'jsonwebtoken'
import { beforeAll, describe, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'
import { adminOf } from '../catalog/things-to-sell.ts'
import { devicesOf } from './devices.ts'

type Json = ReturnType<typeof JSON.parse>

const decoded = (segment: string): Json => JSON.parse(Buffer.from(segment, 'base64url').toString())
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

forEachStore((store) => {
  const server = serveTests(store)
  const devices = devicesOf(server)
  const admin = adminOf(server)
  let licensed: Json
  let codeOf: string
  let entitlement: Json
  let product: Json

  beforeAll(async () => {
    const features = [
      { featureCode: 'SEATS', featureType: 'Numeric', value: '5', isEnabled: true, includeInLicenseToken: true },
      { featureCode: 'SECRET', featureType: 'Text', value: 'kept', isEnabled: true, includeInLicenseToken: false },
      {
        featureCode: 'GRACELESS',
        featureType: 'Boolean',
        value: 'true',
        isEnabled: true,
        includeInLicenseToken: true,
        isAvailableDuringGracePeriod: false,
      },
    ]
    product = await admin.newProduct({ tags: ['Hidden'], features })
    entitlement = await devices.newEntitlement({
      products: [{ productId: product.id, features: [] }],
      tags: ['Hush'],
      licensePolicy: { allowedApplicationScopes: ['editor', 'viewer'] },
    })
    codeOf = (await devices.newCode(entitlement.id)).activationCode
    licensed = await devices.newDevice(codeOf, 'the fingerprint')
  })

  const sayWith = (token: string, id = licensed.session.id, tenant: 'acme' | 'neighbour' = 'acme') =>
    server.api('POST', `/api/v1/provision/activations/${id}/check-in`, { token, body: {}, tenant })

  test('the token of a product with a thousand features opens its session', async () => {
    const features = Array.from({ length: 1000 }, (_, n) => ({
      ...{ featureCode: `A_FEATURE_OF_A_REAL_PRICE_LIST_${n}`, featureType: 'Boolean', value: 'true' },
    }))
    const { id } = await admin.newProduct({ features })
    const { activationCode } = await devices.newCode(
      (await devices.newEntitlement({ products: [{ productId: id }] })).id,
    )
    const { token, session } = await devices.newDevice(activationCode)
    expect(decoded(token.split('.')[1]).features).toHaveLength(1000)
    expect(await sayWith(token, session.id)).toMatchObject({ status: 200 })
    expect(await sayWith(token, session.id)).toMatchObject({ status: 200 })
    const digest = createHash('sha256').update(token).digest('base64url')
    expect(await sayWith(digest, session.id)).toMatchObject({ status: 401 })
  })

  test('a token says what the licence is, and no more', () => {
    const [header, payload] = licensed.token
      .split('.')
      .map((part: string, at: number) => (at < 2 ? decoded(part) : part))
    expect(header).toEqual({ typ: 'license+jwt', alg: 'ES256', kid: licensed.publicKey.kid })
    const seconds = (text: string) => Math.floor(Date.parse(text) / 1000)
    const { activationTime, leaseExpiration, graceExpiration } = licensed.session
    expect(payload).toEqual({
      iss: server.baseUrl(),
      aud: server.baseUrl(),
      sub: licensed.session.id,
      jti: expect.any(String),
      iat: seconds(activationTime),
      nbf: seconds(activationTime),
      exp: seconds(graceExpiration),
      lease_exp: seconds(leaseExpiration),
      grace_exp: seconds(graceExpiration),
      entitlement_id: entitlement.id,
      tenant_id: server.tenantIds.acme,
      fingerprint: createHash('sha256').update('the fingerprint').digest('hex'),
      trial: false,
      products: [{ id: product.id, code: product.productCode, version: '2.0' }],
      features: [
        { code: 'SEATS', type: 'Numeric', value: '5', enabled: true, expires: null },
        { code: 'GRACELESS', type: 'Boolean', value: 'true', enabled: true, expires: seconds(leaseExpiration) },
      ],
      plan: null,
      application_scope: 'editor',
    })
    expect(licensed.token + JSON.stringify(payload)).not.toMatch(/Hidden|Hush|SECRET/)
    expect(licensed).toMatchObject({
      products: payload.products,
      features: payload.features,
      licensedProductIds: [product.id],
    })
  })

  test('jsonwebtoken verifies it with the key that came with it, and with the published one', async () => {
    const options = { algorithms: ['ES256' as const], issuer: server.baseUrl(), audience: server.baseUrl() }
    const claims = jsonwebtoken.verify(licensed.token, licensed.publicKey.pem, options)
    expect(claims.sub).toBe(licensed.session.id)
    const { keys } = await must(server.api('GET', '/.well-known/jwks.json', { token: null }))
    const jwk = keys.find((key: Json) => key.kid === licensed.publicKey.kid)
    expect(jwk).toEqual(licensed.publicKey.jwk)
    expect(jsonwebtoken.verify(licensed.token, createPublicKey({ key: jwk, format: 'jwk' }), options)).toEqual(claims)
    expect(licensed.offlinePublicKey).toEqual({
      kid: expect.any(String),
      alg: 'RS256',
      pem: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/),
    })
  })

  test('openssl verifies it', () => {
    const directory = mkdtempSync(join(tmpdir(), 'licet-token-'))
    try {
      const [header, payload, signature] = licensed.token.split('.')
      const raw = Buffer.from(signature, 'base64url')
      writeFileSync(join(directory, 'key.pem'), licensed.publicKey.pem)
      writeFileSync(join(directory, 'signed'), `${header}.${payload}`)
      writeFileSync(join(directory, 'signature'), derOf(raw))
      const verify = () =>
        execFileSync('openssl', ['dgst', '-sha256', '-verify', 'key.pem', '-signature', 'signature', 'signed'], {
          cwd: directory,
        }).toString()
      expect(verify()).toBe('Verified OK\n')
      writeFileSync(join(directory, 'signed'), `${header}.${payload.slice(0, -1)}A`)
      expect(verify).toThrow('Command failed')
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  describe('a token that was tampered with', () => {
    test('is refused whichever claim or header was changed, when the one that it ends like was verified, too', async () => {
      expect((await sayWith(licensed.token)).status).toBe(200)
      const [header, payload, signature] = licensed.token.split('.')
      const claims = decoded(payload)
      const changed = (value: unknown) =>
        typeof value === 'number' ? value + 1 : typeof value === 'string' ? `${value}x` : [value]
      for (const name of Object.keys(claims)) {
        const forged = `${header}.${encoded({ ...claims, [name]: changed(claims[name]) })}.${signature}`
        expect([name, (await sayWith(forged)).status]).toEqual([name, 401])
        const { [name]: _, ...rest } = claims
        expect([name, (await sayWith(`${header}.${encoded(rest)}.${signature}`)).status]).toEqual([name, 401])
      }
      for (const forgedHeader of [
        { alg: 'none', typ: 'license+jwt', kid: decoded(header).kid },
        { alg: 'HS256', typ: 'license+jwt', kid: decoded(header).kid },
        { alg: 'ES256', typ: 'at+jwt', kid: decoded(header).kid },
        { alg: 'ES256', typ: 'license+jwt', kid: 'other' },
        { alg: 'ES256', typ: 'license+jwt' },
      ])
        expect((await sayWith(`${encoded(forgedHeader)}.${payload}.${signature}`)).status).toBe(401)
      const otherBegun = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
      for (const broken of [
        `${header}.${payload}.`,
        `${header}.${payload}`,
        `${header}.${payload}.${signature}=`,
        `${header}.${payload}.${otherBegun}`,
        signature.slice(-43),
      ])
        expect((await sayWith(broken)).status).toBe(401)
      expect((await sayWith(licensed.token)).status).toBe(200)
    })

    test("is refused when somebody else's key has signed it", async () => {
      const [header, payload] = licensed.token.split('.')
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const signature = sign('sha256', Buffer.from(`${header}.${payload}`), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      })
      expect((await sayWith(`${header}.${payload}.${signature.toString('base64url')}`)).status).toBe(401)
    })
  })

  test('tokens of other kinds are no license tokens, and a license token is no other', async () => {
    const client = await sayWith(server.tokens.acme)
    expect([client.status, client.body.codeName]).toEqual([401, 'auth.unauthenticated'])
    const none = await server.api('POST', `/api/v1/provision/activations/${licensed.session.id}/check-in`, {
      token: null,
    })
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    const user = await devices.post('admin/users', { email: `u${nextNumber()}@example.com` })
    const signedIn = await devices.post(`operational/users/${user.id}/tokens`)
    expect((await sayWith(signedIn.access_token)).status).toBe(401)
    for (const path of ['/api/v1/provision/admin/entitlements', '/api/v1/provision/admin/products'])
      expect((await server.api('GET', path, { token: licensed.token })).status).toBe(401)
    const interactive = await devices.activate(codeOf, 'other', { useInteractiveUser: true }, { token: licensed.token })
    expect(interactive.status).toBe(401)
  })

  test("one tenant's token is no other's", async () => {
    const answer = await sayWith(licensed.token, licensed.session.id, 'neighbour')
    expect([answer.status, answer.body.codeName]).toEqual([401, 'auth.unauthenticated'])
    expect((await devices.activate(codeOf, 'x', {}, { tenant: 'sandbox' })).body.codeName).toBe('license.not_found')
  })

  test("a token opens its own session's path alone, whatever else there is", async () => {
    const other = await devices.newDevice(codeOf)
    for (const id of [other.session.id, '01890000-0000-7000-8000-000000000000']) {
      const answer = await sayWith(licensed.token, id)
      expect([answer.status, answer.body.codeName]).toEqual([403, 'auth.insufficient_scope'])
    }
    expect((await sayWith(licensed.token, 'no-uuid')).status).toBe(404)
    expect((await sayWith(licensed.token, licensed.session.id.toUpperCase())).status).toBe(200)
  })

  test('the compact token alone is answered as application/jwt, or as JSON to who would rather have that', async () => {
    const activate = (accept?: string) =>
      server.api('POST', '/api/v1/provision/activations/jwt', {
        token: null,
        body: { activationCode: codeOf, fingerprint: 'the fingerprint' },
        headers: accept === undefined ? {} : { accept },
      })
    for (const accept of [undefined, '*/*', 'application/jwt', 'application/jwt, application/json', 'text/html']) {
      const answer = await activate(accept)
      expect([accept, answer.status, answer.headers.get('content-type')]).toEqual([accept, 200, 'application/jwt'])
      expect(decoded(answer.text.split('.')[1]!).sub).toBe(licensed.session.id)
      expect((await sayWith(answer.text)).status).toBe(200)
    }
    for (const accept of [
      'application/json',
      'application/json, text/plain, */*',
      'application/jwt;q=0.5, application/json',
    ]) {
      const answer = await activate(accept)
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      expect(Object.keys(answer.body)).toEqual(['token'])
    }
    const refused = await server.api('POST', '/api/v1/provision/activations/jwt', { token: null, body: {} })
    expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  })

  test('no client notices that the key was rotated, however long the lease is', async () => {
    const { id } = await devices.newEntitlement({ licensePolicy: { leaseTime: 'P1Y' } })
    const { activationCode } = await devices.newCode(id)
    const before = await devices.newDevice(activationCode)
    await must(server.api('POST', '/api/v1/provision/admin/keys/rotate', { body: {} }))
    const after = await devices.newDevice(activationCode, before.session.fingerprint)
    expect(after.publicKey.kid).not.toBe(before.publicKey.kid)
    for (const one of [before, after, licensed]) expect((await devices.say('check-in', one)).status).toBe(200)
    const { items } = await must(server.api('GET', '/api/v1/provision/admin/keys'))
    const retired = items.find((key: Json) => key.id === before.publicKey.kid)
    expect(retired.verifiesUntil).toBe(before.session.graceExpiration)
  })

  test('a feature that is over is switched off in the next token', async () => {
    const { id } = await devices.newEntitlement({ products: [{ productId: product.id, features: [] }] })
    const device = await devices.newDevice((await devices.newCode(id)).activationCode)
    const over = '2020-01-01T00:00:00Z'
    const features = [{ productId: product.id, featureCode: 'SEATS', featureExpiration: over }]
    await must(devices.at('PATCH', `admin/entitlements/${id}`, { body: { features } }))
    const { token } = await must(devices.say('renew', device))
    const seats = { code: 'SEATS', type: 'Numeric', value: '5', enabled: false, expires: Date.parse(over) / 1000 }
    expect(decoded(token.split('.')[1]!).features).toContainEqual(seats)
  })

  test('of rotations at the same time the last one alone leaves its key in use', async () => {
    const rotate = () => server.api('POST', '/api/v1/provision/admin/keys/rotate', { body: {} })
    await Promise.all(Array.from({ length: 6 }, () => must(rotate())))
    const { items } = await must(server.api('GET', '/api/v1/provision/admin/keys'))
    const inUse = items.filter((key: Json) => key.purpose === 'token' && key.retiredAt === null)
    const { publicKey } = await devices.newDevice(codeOf)
    expect(inUse.map((key: Json) => key.id)).toEqual([publicKey.kid])
  })
})

/** An ECDSA signature as openssl reads it: a sequence of two integers. */
function derOf(raw: Buffer): Buffer {
  const integer = (bytes: Buffer) => {
    let from = 0
    while (from < bytes.length - 1 && bytes[from] === 0) from++
    const value = bytes[from]! & 0x80 ? Buffer.concat([Buffer.of(0), bytes.subarray(from)]) : bytes.subarray(from)
    return Buffer.concat([Buffer.of(2, value.length), value])
  }
  const body = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))])
  return Buffer.concat([Buffer.of(0x30, body.length), body])
}
