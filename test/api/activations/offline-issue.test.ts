import { createHash, createPublicKey, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CallOptions } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { nextNumber, problemOf } from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'
import { devicesOf } from './devices.ts'
import { bytesOf, hasCryptography, verifyByOpenssl, verifyByPython } from './verifying-envelopes.ts'

type Json = ReturnType<typeof JSON.parse>
const path = 'operational/activations/offline/issue'

/** What a device writes that has no network. */
const request = (activationCode: string, fingerprint = `machine ${nextNumber()}`, body: object = {}) => ({
  meta: {
    ...{ schemaVersion: 1, nonce: randomBytes(32).toString('base64url') },
    ...{ requestedAt: '2026-03-04T05:06:07.000Z', sdkVersion: 'test/1' },
  },
  body: { activationCode, fingerprint, ...body },
})
const licenceIn = (envelope: Json): Json => JSON.parse(bytesOf(envelope).payload.toString('utf8'))
const claimsOf = (token: string): Json => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8'))
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

forEachStore((store) => {
  const server = serveTests(store)
  const acme = devicesOf(server)
  const neighbour = devicesOf(server, { tenant: 'neighbour' })
  const sandbox = devicesOf(server, { tenant: 'sandbox' })
  const ask = (artifact: unknown, more: CallOptions = {}) => acme.at('POST', path, { body: artifact, ...more })
  const issue = (artifact: unknown, of = acme): Promise<Json> => of.post(path, artifact as object)
  const reasonOf = async (artifact: unknown, of = acme) => {
    const { status, body } = await of.at('POST', path, { body: artifact })
    return [status, body.code, body.codeName, body.reason]
  }
  const refused = (reason: string) => [400, 5002, 'offline.activation_refused', reason]

  /** An entitlement that is sold, and the text of a code of it. */
  const sell = async (policy: object = {}, body: object = {}, code: object = {}, of = acme) => {
    const entitlement = await of.newEntitlement({ licensePolicy: policy, ...body })
    return { entitlement, ...(await of.newCode(entitlement.id, code)) } as { entitlement: Json; activationCode: string }
  }
  const seatsOf = async (entitlementId: string, of = acme): Promise<Json[]> =>
    (await of.get(`operational/entitlements/${entitlementId}/activations`)).items
  /** The public key that verifies what is issued now, as PEM. */
  const keyOf = async (of = acme): Promise<{ kid: string; pem: string }> => {
    const { activationCode } = await sell({}, {}, {}, of)
    return (await of.newDevice(activationCode)).offlinePublicKey
  }

  test('openssl accepts the signature over the bytes, and over no others', async () => {
    const { activationCode } = await sell()
    const [one, other] = [bytesOf(await issue(request(activationCode))), bytesOf(await issue(request(activationCode)))]
    const { pem } = await keyOf()
    expect(verifyByOpenssl(one, pem)).toBe(true)
    expect(verifyByOpenssl({ ...one, signature: other.signature }, pem)).toBe(false)
    for (const part of ['payload', 'signature'] as const)
      for (const place of [0, Math.floor(one[part].length / 2), one[part].length - 1]) {
        const altered = Buffer.from(one[part])
        altered[place]! ^= 1
        expect(verifyByOpenssl({ ...one, [part]: altered }, pem)).toBe(false)
      }
    expect(verifyByOpenssl(one, (await keyOf(neighbour)).pem)).toBe(false)
  })

  test.skipIf(!hasCryptography())("Python's cryptography says the same", async () => {
    const signed = bytesOf(await issue(request((await sell()).activationCode)))
    const { pem } = await keyOf()
    expect(verifyByPython(signed, pem)).toBe(true)
    const altered = Buffer.from(signed.payload)
    altered[10]! ^= 1
    expect(verifyByPython({ ...signed, payload: altered }, pem)).toBe(false)
    expect(verifyByPython(signed, (await keyOf(neighbour)).pem)).toBe(false)
  })

  test('the licence says what a license token of the device says, and what it answers', async () => {
    const product = await adminOf(server).newProduct({
      features: [{ featureCode: 'EXPORT', value: true, includeInLicenseToken: true }],
    })
    const sold = await sell({}, { products: [{ productId: product.id }], expirationDateTime: '2900-01-01T00:00:00Z' })
    const artifact = request(sold.activationCode)
    const licence = licenceIn(await issue(artifact))
    const { kid } = await keyOf()
    const [session] = await seatsOf(sold.entitlement.id)
    expect(session).toMatchObject({ isOffline: true, fingerprint: artifact.body.fingerprint })
    expect(licence).toEqual({
      iss: server.baseUrl(),
      aud: server.baseUrl(),
      sub: session.id,
      jti: expect.any(String),
      iat: Math.floor(Date.parse(licence.issuedAt) / 1000),
      nbf: licence.iat,
      exp: Math.floor(Date.parse(session.graceExpiration) / 1000),
      lease_exp: Math.floor(Date.parse(session.leaseExpiration) / 1000),
      grace_exp: licence.exp,
      entitlement_id: sold.entitlement.id,
      tenant_id: server.tenantIds.acme,
      fingerprint: sha256(artifact.body.fingerprint),
      trial: false,
      products: [{ id: product.id, code: product.productCode, version: product.productVersion }],
      features: [{ code: 'EXPORT', type: 'Boolean', value: 'true', enabled: true, expires: null }],
      plan: null,
      application_scope: null,
      schemaVersion: 1,
      nonce: artifact.meta.nonce,
      requestedAt: '2026-03-04T05:06:07.000Z',
      issuedAt: session.activationTime,
      kid,
    })
    const online = claimsOf((await acme.newDevice(sold.activationCode, artifact.body.fingerprint)).token)
    expect(Object.keys(licence)).toEqual(expect.arrayContaining(Object.keys(online)))
    expect(online.sub).toBe(licence.sub)
  })

  test('an envelope is the two texts, and nothing of the code or the tenant is beside them', async () => {
    const { activationCode } = await sell()
    const answer = await ask(request(activationCode))
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['signedPayload', 'signature']])
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(bytesOf(answer.body).payload.toString()).not.toContain(activationCode)
  })

  describe('the same request again', () => {
    test('is answered with the same bytes and takes no further seat, however often and at once', async () => {
      const { entitlement, activationCode } = await sell({ maxDeviceActivations: 1 })
      const artifact = request(activationCode)
      const atOnce = await Promise.all(Array.from({ length: 20 }, () => ask(artifact)))
      const later = await ask(artifact)
      expect(new Set([...atOnce, later].map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(later.status).toBe(200)
      expect(await seatsOf(entitlement.id)).toHaveLength(1)
      const codes = await acme.get(`admin/entitlements/${entitlement.id}/activation-codes`)
      expect(codes.items).toMatchObject([{ usedActivations: 1 }])
    })

    test.each([
      [
        'what is not part of the request',
        (artifact: Json) => ({ ...artifact, meta: { ...artifact.meta, sdkVersion: 'x' } }),
      ],
      [
        'how its instant is written',
        (artifact: Json) => ({ ...artifact, meta: { ...artifact.meta, requestedAt: '2026-03-04T07:06:07+02:00' } }),
      ],
      ['how it is laid out', (artifact: Json) => JSON.stringify({ body: artifact.body, meta: artifact.meta }, null, 3)],
    ])('is the same whatever %s', async (_words, change) => {
      const artifact = request((await sell()).activationCode)
      expect((await ask(change(artifact))).text).toBe((await ask(artifact)).text)
    })

    test.each(['2026-03-04T05:06:07Z', '2026-03-04T07:06:07.5+02:00', '2026-03-04T05:06:07.123456Z'])(
      'is answered with the time as it is written: %s',
      async (requestedAt) => {
        const artifact = request((await sell()).activationCode)
        const issued = await issue({ ...artifact, meta: { ...artifact.meta, requestedAt } })
        expect(licenceIn(issued).requestedAt).toBe(requestedAt)
      },
    )

    test('is answered the same when the key was rotated, the device revoked and the entitlement cancelled since', async () => {
      const { entitlement, activationCode } = await sell({}, {}, {}, neighbour)
      const artifact = request(activationCode)
      const first = await issue(artifact, neighbour)
      const { pem, kid } = await keyOf(neighbour)
      await neighbour.post('admin/keys/rotate', { purpose: 'offline' })
      const rotated = await keyOf(neighbour)
      expect(rotated.kid).not.toBe(kid)
      expect(await issue(artifact, neighbour)).toEqual(first)
      const anew = await issue(request(activationCode), neighbour)
      expect([licenceIn(first).kid, licenceIn(anew).kid]).toEqual([kid, rotated.kid])
      expect([verifyByOpenssl(bytesOf(first), pem), verifyByOpenssl(bytesOf(anew), rotated.pem)]).toEqual([true, true])
      expect(verifyByOpenssl(bytesOf(anew), pem)).toBe(false)
      const { items } = await neighbour.get('admin/keys')
      const old = items.find(({ id }: Json) => id === kid).publicKey
      expect(createPublicKey({ key: old, format: 'jwk' }).export({ type: 'spki', format: 'pem' })).toBe(pem)

      await neighbour.post(`admin/sessions/${licenceIn(first).sub}/revoke`, { blockDevice: true })
      await neighbour.post(`admin/entitlements/${entitlement.id}/cancel`)
      expect(await issue(artifact, neighbour)).toEqual(first)
      expect(await reasonOf(request(activationCode, artifact.body.fingerprint), neighbour)).toEqual(
        refused('license.entitlement_not_active'),
      )
    })

    test.each([
      ['nonce', { nonce: Buffer.alloc(32, 9).toString('base64url') }],
      ['time', { requestedAt: '2026-03-04T05:06:08Z' }],
    ])('but for its %s is another request, of the same session', async (_words, meta) => {
      const { entitlement, activationCode } = await sell({ maxDeviceActivations: 1 })
      const artifact = request(activationCode)
      const first = licenceIn(await issue(artifact))
      const second = licenceIn(await issue({ ...artifact, meta: { ...artifact.meta, ...meta } }))
      expect(second.sub).toBe(first.sub)
      expect(second.jti).not.toBe(first.jti)
      expect(await seatsOf(entitlement.id)).toHaveLength(1)
    })

    test("in another tenant is another tenant's request", async () => {
      const artifact = request((await sell({}, {}, { activationCode: `SHARED-${nextNumber()}-CODE` })).activationCode)
      const first = licenceIn(await issue(artifact))
      expect(await reasonOf(artifact, neighbour)).toEqual(refused('license.not_found'))
      const theirs = await sell({}, {}, { activationCode: artifact.body.activationCode }, neighbour)
      expect(licenceIn(await issue(artifact, neighbour))).toMatchObject({
        ...{ tenant_id: server.tenantIds.neighbour, entitlement_id: theirs.entitlement.id },
      })
      expect(licenceIn(await issue(artifact))).toEqual(first)
    })

    test('under an Idempotency-Key is told to be a replay', async () => {
      const artifact = request((await sell()).activationCode)
      const headers = { 'idempotency-key': artifact.meta.nonce }
      const [first, second] = [await ask(artifact, { headers }), await ask(artifact, { headers })]
      expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
    })
  })

  describe('an activation that is refused', () => {
    test.each([
      ['a code that there is not', 'license.not_found', async () => request('NO-SUCH-CODE')],
      [
        'a suspended entitlement',
        'license.entitlement_not_active',
        async () => {
          const { entitlement, activationCode } = await sell()
          await acme.post(`admin/entitlements/${entitlement.id}/suspend`)
          return request(activationCode)
        },
      ],
      [
        'an entitlement of the future',
        'license.not_yet_valid',
        async () => request((await sell({}, { notValidBeforeDateTime: '2900-01-01T00:00:00Z' })).activationCode),
      ],
      [
        'an entitlement that is over',
        'license.expired',
        async () => {
          const { entitlement, activationCode } = await sell()
          await acme.patch(`admin/entitlements/${entitlement.id}`, { expirationDateTime: '2020-01-01T00:00:00Z' })
          return request(activationCode)
        },
      ],
      [
        'a user who must sign in',
        'license.authentication_required',
        async () => request((await sell({}, {}, { requiredAuthenticationLevel: 'SignedIn' })).activationCode),
      ],
      [
        'a product code that a request cannot name',
        'license.product_code_required',
        async () => request((await sell({}, { activationPolicy: { requireProductCode: true } })).activationCode),
      ],
      [
        'an application scope that is not allowed',
        'license.scope_not_allowed',
        async () =>
          request((await sell({ allowedApplicationScopes: ['editor'] })).activationCode, undefined, {
            applicationInfo: { applicationScope: 'Editor' },
          }),
      ],
      [
        'a network that is not allowed',
        'license.network_not_allowed',
        async () => request((await sell({}, { activationPolicy: { allowedIpCidr: ['192.0.2.0/24'] } })).activationCode),
      ],
      [
        'a fingerprint that is too short',
        'license.device_not_allowed',
        async () =>
          request(
            (await sell({}, { activationPolicy: { requiredDeviceIdentificationSignatureLength: 9 } })).activationCode,
            'short',
          ),
      ],
      [
        'a code that is used up',
        'license.code_used_up',
        async () => {
          const { activationCode } = await sell({}, {}, { maxDeviceActivations: 1 })
          await issue(request(activationCode))
          return request(activationCode)
        },
      ],
      [
        'no seat left',
        'license.seats_exhausted',
        async () => request((await sell({ maxDeviceActivations: 0 })).activationCode),
      ],
    ] as [string, string, () => Promise<Json>][])('for %s says so', async (_words, reason, artifactOf) => {
      const artifact = await artifactOf()
      expect(await reasonOf(artifact)).toEqual(refused(reason))
    })

    test('is asked anew once the reason is gone', async () => {
      const { activationCode, entitlement } = await sell({ maxDeviceActivations: 0 })
      const artifact = request(activationCode)
      expect(await reasonOf(artifact)).toEqual(refused('license.seats_exhausted'))
      await acme.patch(`admin/entitlements/${entitlement.id}`, { licensePolicy: { maxDeviceActivations: 1 } })
      expect(licenceIn(await issue(artifact)).nonce).toBe(artifact.meta.nonce)
    })
  })

  test.each([
    ['the scope asked for', { applicationInfo: { applicationScope: 'viewer' } }, 'viewer'],
    ['the first scope for null', { applicationInfo: { applicationScope: null } }, 'editor'],
    ['the first scope for none', {}, 'editor'],
  ])('the licence is of %s', async (_words, body, scope) => {
    const { activationCode } = await sell({ allowedApplicationScopes: ['editor', 'viewer'] })
    expect(licenceIn(await issue(request(activationCode, undefined, body))).application_scope).toBe(scope)
  })

  test('a changed device that is known by its components keeps its session', async () => {
    const { activationCode } = await sell({ componentMatchingStrategy: 'Two', maxDeviceActivations: 1 })
    const components = { MachineName: 'a', MacAddress: 'b', OsVersion: 'c' }
    const first = licenceIn(await issue(request(activationCode, 'before', { components })))
    const changed = request(activationCode, 'after', { components: { ...components, OsVersion: 'd' } })
    expect(licenceIn(await issue(changed))).toMatchObject({ sub: first.sub, fingerprint: sha256('after') })
    const stranger = request(activationCode, 'stranger', {
      components: { ...components, MacAddress: 'x', OsVersion: 'y' },
    })
    expect(await reasonOf(stranger)).toEqual(refused('license.seats_exhausted'))
  })

  test("the licence ends with the entitlement, on the tenant's clock", async () => {
    const { now } = await sandbox.get('admin/test-clock')
    const end = new Date(Date.parse(now) + 3 * 86_400_000).toISOString()
    const { activationCode } = await sell({}, { expirationDateTime: end }, {}, sandbox)
    const brief = await sell({}, {}, { expirationTimeStamp: end }, sandbox)
    const artifact = request(activationCode)
    const first = await issue(artifact, sandbox)
    expect(licenceIn(first).exp).toBe(Math.floor(Date.parse(end) / 1000))
    await sandbox.advance('P30D')
    for (const code of [activationCode, brief.activationCode])
      expect(await reasonOf(request(code), sandbox)).toEqual(refused('license.expired'))
    expect(await issue(artifact, sandbox)).toEqual(first)
  })

  test('a request of another version, or with something wrong, is 400 and says what', async () => {
    const good = request((await sell()).activationCode)
    const version = (schemaVersion: unknown) => ({ ...good, meta: { ...good.meta, schemaVersion } })
    for (const artifact of [{}, version(0), version(2), version('1'), version(null), { meta: { schemaVersion: 7 } }])
      expect(problemOf(await ask(artifact))).toEqual([400, 'offline.schema_version'])
    expect(pointersOf(await ask({ ...good, meta: { ...good.meta, nonce: 'short' } }))).toEqual([
      ...[400, 'license.validation_error'],
      ['/meta/nonce'],
    ])
    expect(pointersOf(await ask({ ...good, body: { fingerprint: '' } }))[2]).toEqual([
      '/body/activationCode',
      '/body/fingerprint',
    ])
    expect(pointersOf(await ask([good]))).toEqual([400, 'license.validation_error', ['']])
    expect(problemOf(await ask('{"meta":'))).toEqual([400, 'request.malformed'])
    expect(problemOf(await ask({ ...good, pad: 'x'.repeat(1024 * 1024) }))).toEqual([413, 'request.too_large'])
    expect((await ask(JSON.stringify(good).replace('"schemaVersion":1', '"schemaVersion":1.0'))).status).toBe(200)
  })

  test('blanks for a code or a scope that is no text are refused at their place', async () => {
    const { activationCode } = await sell()
    expect(pointersOf(await ask(request('   ')))[2]).toEqual(['/body/activationCode'])
    const artifact = request(activationCode, undefined, { applicationInfo: { applicationScope: 7 } })
    expect(pointersOf(await ask(artifact))[2]).toEqual(['/body/applicationInfo/applicationScope'])
  })

  test('a field that version 1 does not name is refused at its place, and one of another version is not judged', async () => {
    const { meta, body } = request((await sell()).activationCode)
    const odd = {
      ...{ more: 1, meta: { ...meta, sdk: 'x' } },
      body: { ...body, productCode: 'CAD', applicationInfo: { build: 7 }, components: { Gpu: 'x', 'a b': 'y' } },
    }
    expect(pointersOf(await ask(odd))).toEqual([
      ...[400, 'license.validation_error'],
      ['/more', '/meta/sdk', '/body/productCode', '/body/applicationInfo/build', '/body/components'],
    ])
    expect(problemOf(await ask({ ...odd, meta: { ...odd.meta, schemaVersion: 2 } }))).toEqual([
      ...[400, 'offline.schema_version'],
    ])
    await issue({ meta, body: { ...body, components: { Gpu: 'x' } } })
  })

  test('issuing asks for operational.entitlements:create', async () => {
    const artifact = request((await sell()).activationCode)
    expect(problemOf(await ask(artifact, { token: null }))).toEqual([401, 'auth.unauthenticated'])
    const { token: license } = await acme.newDevice((await sell()).activationCode)
    expect(problemOf(await ask(artifact, { token: license }))).toEqual([401, 'auth.unauthenticated'])
    const wrong = ['operational.entitlements:update', 'operational.activations:*', 'admin.*:*']
    expect(problemOf(await ask(artifact, { token: await server.tokenWith(wrong) }))).toEqual([
      ...[403, 'auth.insufficient_scope'],
    ])
    expect(problemOf(await ask({}, { token: null }))).toEqual([401, 'auth.unauthenticated'])
    const right = await server.tokenWith(['operational.entitlements:create'])
    expect((await ask(artifact, { token: right })).status).toBe(200)
  })
})
