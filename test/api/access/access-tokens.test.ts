import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { createConnection } from 'node:net'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { describe, expect, test } from 'vitest'
import { forEachStore } from '../../support/stores.ts'
import { getToken, send, serveScene } from './scene.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

forEachStore((store) => {
  const scene = serveScene(store)
  const clients = () => `${scene.base}/api/v1/provision/admin/clients`
  const call = (token: string) => send('GET', clients(), { token })

  async function getParts() {
    const client = await scene.makeClient(scene.acme, 'admin.clients:read')
    const token = await getToken(scene.base, client, 'admin.clients:read')
    const [header, payload, signature] = token.split('.') as [string, string, string]
    return { client, token, header, payload, signature, head: decode(header), claims: decode(payload) }
  }

  /** The tenant's own private key, as a thief of it would have it. */
  async function getPrivateKey(tenantId: string): Promise<{ kid: string; key: KeyObject }> {
    const row = await scene.database.read
      .selectFrom('signing_keys')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('purpose', '=', 'token')
      .executeTakeFirstOrThrow()
    const pem = scene.sealer.open(row.sealed_private_key, `key/${tenantId}/${row.id}`)
    return { kid: row.id, key: createPrivateKey(pem) }
  }

  const signed = (head: object, claims: object, key: KeyObject) => {
    const text = `${encode(head)}.${encode(claims)}`
    return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }

  const expectRefused = async (token: string) => {
    const answer = await call(token)
    expect(answer).toMatchObject({ status: 401, body: { codeName: 'auth.unauthenticated', code: 1101, status: 401 } })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  }

  test('a token opens what its scope says, at its tenant alone', async () => {
    const { token } = await getParts()
    expect((await call(token)).status).toBe(200)
    expect((await call(token)).status).toBe(200)
    const neighbours = await send('GET', `${scene.neighbourBase}/api/v1/provision/admin/clients`, { token })
    expect(neighbours.status).toBe(401)
  })

  test('the published keys verify a token with a foreign library', async () => {
    const { token } = await getParts()
    const { body } = await send('GET', `${scene.base}/.well-known/jwks.json`)
    const { protectedHeader } = await compactVerify(token, createLocalJWKSet(body as unknown as JSONWebKeySet))
    expect(protectedHeader.typ).toBe('at+jwt')
  })

  describe('who shows no good token is 401', () => {
    test('without any, the challenge names no error', async () => {
      const answer = await send('GET', clients())
      expect(answer).toMatchObject({ status: 401, body: { codeName: 'auth.unauthenticated' } })
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    })

    test.each(['Bearer garbage', 'Bearer', 'Basic aTpz', 'Bearer a.b.c', 'Token x', 'Bearer x y'])(
      '%s is an invalid token',
      async (authorization) => {
        const answer = await send('GET', clients(), { headers: { authorization } })
        expect(answer.status).toBe(401)
        expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      },
    )

    test('two Authorization headers are refused even when both are good', async () => {
      const { token } = await getParts()
      const { hostname, port, pathname } = new URL(clients())
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = createConnection(Number(port), hostname, () => {
          const line = `Authorization: Bearer ${token}\r\n`
          socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n${line}${line}Connection: close\r\n\r\n`)
        })
        let text = ''
        socket.on('data', (chunk) => {
          text += chunk
        })
        socket.on('end', () => resolve(text)).on('error', reject)
      })
      expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    })

    test('a token in the query string is none', async () => {
      const { token } = await getParts()
      expect((await send('GET', `${clients()}?access_token=${token}`)).status).toBe(401)
    })
  })

  test('algorithms that are none, or keyed with the public key, are refused', async () => {
    const { head, payload, signature } = await getParts()
    const { kid, key } = await getPrivateKey(scene.acme.id)
    for (const alg of ['none', 'None', 'nOnE', 'NONE'])
      for (const last of ['', signature]) await expectRefused(`${encode({ ...head, alg })}.${payload}.${last}`)
    const publicKey = createPublicKey(key)
    const secrets = [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(publicKey.export({ format: 'jwk' })),
      '',
    ]
    for (const secret of secrets) {
      const text = `${encode({ ...head, kid, alg: 'HS256' })}.${payload}`
      await expectRefused(`${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`)
    }
  })

  test('properly signed tokens of another kind, header, time, issuer or audience are refused', async () => {
    const { head, claims } = await getParts()
    const { key } = await getPrivateKey(scene.acme.id)
    const now = Math.floor(Date.now() / 1000)
    expect((await call(signed(head, claims, key))).status).toBe(200)
    const heads = [
      { typ: 'license+jwt' },
      { typ: 'JWT' },
      { typ: undefined },
      { crit: ['exp'] },
      { crit: ['x'], x: 1 },
      { b64: false },
      { jku: 'https://keys.example' },
      { kid: '../../dev/null' },
      { kid: '__proto__' },
      { kid: undefined },
      { kid: 7 },
    ]
    for (const change of heads) await expectRefused(signed({ ...head, ...change }, claims, key))
    const bodies = [
      { iat: now - 1000, exp: now - 100 },
      { exp: now },
      { exp: String(now + 500) },
      { exp: undefined },
      { iat: now + 300, exp: now + 900 },
      { nbf: now + 300 },
      { iss: `${scene.base}/` },
      { iss: scene.neighbourBase, aud: `${scene.neighbourBase}/api/v1` },
      { aud: scene.base },
      { aud: [`${scene.base}/api/v1`] },
      { tid: scene.neighbour.id },
      { client_id: 'other' },
    ]
    for (const change of bodies) await expectRefused(signed(head, { ...claims, ...change }, key))
  })

  test('a token signed with the key of another tenant is refused, whatever it says of itself', async () => {
    const { head, claims } = await getParts()
    const { kid, key } = await getPrivateKey(scene.neighbour.id)
    await expectRefused(signed({ ...head, kid }, claims, key))
    await expectRefused(signed(head, claims, key))
  })

  test('no single character of a token can be changed', async () => {
    const { token } = await getParts()
    for (let at = 0; at < token.length; at += 7) {
      const changed = token[at] === 'A' ? 'B' : 'A'
      expect((await call(token.slice(0, at) + changed + token.slice(at + 1))).status, `at ${at}`).toBe(401)
    }
    const last = token.at(-1)!
    for (const other of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
      if (other !== last) expect((await call(token.slice(0, -1) + other)).status).toBe(401)
  })

  test('a token of a client that lost a scope, or was deleted, is refused at the next call', async () => {
    const admin = await scene.makeClient(scene.acme, 'admin.*:*')
    const adminToken = await getToken(scene.base, admin, 'admin.*:*')
    const { client, token } = await getParts()
    const one = `${clients()}/${client.clientId}`
    expect((await call(token)).status).toBe(200)
    await send('PATCH', one, { token: adminToken, json: { scopes: ['admin.tags:read'] } })
    expect(await call(token)).toMatchObject({ status: 403, body: { codeName: 'auth.insufficient_scope' } })
    await send('PATCH', one, { token: adminToken, json: { scopes: ['admin.clients:*'] } })
    expect((await call(token)).status).toBe(200)
    expect((await send('DELETE', one, { token: adminToken })).status).toBe(204)
    await expectRefused(token)
  })

  test('a rotated key signs new tokens while the old ones go on', async () => {
    const admin = await scene.makeClient(scene.acme, 'admin.*:*')
    const before = await getToken(scene.base, admin, 'admin.*:*')
    const keys = `${scene.base}/api/v1/provision/admin/keys`
    const rotated = await send('POST', `${keys}/rotate`, { token: before })
    expect(rotated.status).toBe(200)
    const after = await getToken(scene.base, admin, 'admin.*:*')
    expect(decode(after.split('.')[0]!).kid).toBe(rotated.body.id)
    expect([(await call(before)).status, (await call(after)).status]).toEqual([200, 200])
    const published = (await send('GET', `${scene.base}/.well-known/jwks.json`)).body.keys as { kid: string }[]
    for (const token of [before, after])
      expect(published.map(({ kid }) => kid)).toContain(decode(token.split('.')[0]!).kid)
    const listed = await send('GET', keys, { token: after })
    expect(listed.body.items).toContainEqual(
      expect.objectContaining({ id: decode(before.split('.')[0]!).kid, retiredAt: expect.any(String) }),
    )
    expect(JSON.stringify(listed.body)).not.toContain('"d"')
    const one = await send('GET', `${keys}?filter=purpose==token,retiredAt==null&pageSize=1`, { token: after })
    expect(one.body).toMatchObject({ items: [{ id: rotated.body.id }], pageSize: 1, totalCount: 1, hasNextPage: false })
    for (const key of listed.body.items as { id: string }[])
      expect(await send('GET', `${keys}/${key.id}`, { token: after })).toMatchObject({ status: 200, body: key })
    const neighbour = await getToken(
      scene.neighbourBase,
      await scene.makeClient(scene.neighbour, 'admin.*:*'),
      'admin.*:*',
    )
    const foreign = `${scene.neighbourBase}/api/v1/provision/admin/keys/${rotated.body.id}`
    expect(await send('GET', foreign, { token: neighbour })).toMatchObject({ status: 404, body: { code: 2005 } })
  })
})
