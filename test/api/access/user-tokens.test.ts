import { createPrivateKey } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSealer } from '../../../server/access/installation/master-key.ts'
import { findTenantBySlug } from '../../../server/access/tenants/tenant-lookup.ts'
import { identifyUser } from '../../../server/access/user-tokens/identification.ts'
import { bindSubject } from '../../../server/access/users/subjects.ts'
import type { Database } from '../../../server/database/database.ts'
import { readDatabaseUrl } from '../../../server/database/database-url.ts'
import { openDatabase } from '../../../server/database/open.ts'
import type { Tenant, UserCaller } from '../../../server/kit/context.ts'
import type { Problem } from '../../../server/kit/problem.ts'
import type { TestTenant } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { serveIssuer } from './outside-issuer.ts'

const users = '/api/v1/provision/admin/users'
const settings = '/api/v1/provision/admin/settings'
const tokens = (id: string) => `/api/v1/provision/operational/users/${id}/tokens`

forEachStore((store) => {
  const server = serveTests(store)
  const issuer = serveIssuer()
  let database: Database
  const tenants = {} as Record<TestTenant, Tenant>
  beforeAll(async () => {
    database = openDatabase(server.databaseUrl)
    for (const slug of ['acme', 'neighbour', 'sandbox'] as const)
      tenants[slug] = (await findTenantBySlug(database, slug))!
    await trust({ issuer: issuer.url, audience: 'acme-app', jwksUri: issuer.jwksUri })
  })
  afterAll(() => database.close())

  const trust = (...trustedIssuers: object[]) => must(server.api('PATCH', settings, { body: { trustedIssuers } }))
  const newUser = (body: object = {}) =>
    must(server.api('POST', users, { body: { email: `user-${nextNumber()}@example.com`, ...body } }))
  const issue = (user: { id: string }, body?: object) => server.api('POST', tokens(user.id), { body })
  const tokenOf = async (user: { id: string }, body?: object): Promise<string> =>
    (await must(issue(user, body))).access_token

  /** Who a token is of, as the server finds it out; undefined for nobody. */
  async function identify(token: string, slug: TestTenant = 'acme', now = Date.now()): Promise<UserCaller | undefined> {
    const issuers = [server.baseUrl(slug)]
    const presented = {
      database,
      tenant: tenants[slug],
      issuers,
      isLocal: true,
      now,
      authorization: [],
      answer: { headers: {}, replayed: false },
    }
    const caller = await identifyUser(presented, token).catch((refusal: Problem) => {
      expect(refusal.codeName).toBe('auth.unauthenticated')
      return undefined
    })
    return caller as UserCaller | undefined
  }

  describe('a backend that has signed its user in', () => {
    test('gets that user a token, good for 15 minutes at its tenant alone', async () => {
      const user = await newUser()
      const answer = await issue(user)
      expect(answer.body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 900 })
      expect(answer.headers.get('cache-control')).toContain('no-store')
      const token = answer.body.access_token
      const { body } = await server.api('GET', '/.well-known/jwks.json')
      const { payload } = await jwtVerify(token, createLocalJWKSet(body as JSONWebKeySet), {
        issuer: server.baseUrl(),
        audience: `${server.baseUrl()}/api/v1`,
        typ: 'user+jwt',
        subject: user.id,
      })
      expect(payload.exp! - payload.iat!).toBe(900)
      const caller = { kind: 'user', userId: user.id, email: user.email, level: 'SignedIn' }
      expect(await identify(token)).toEqual(caller)
      expect(await identify(token)).toEqual(caller)
      expect(await identify(token, 'acme', Date.now() + 890_000)).toEqual(caller)
      expect(await identify(token, 'acme', Date.now() + 901_000)).toBeUndefined()
      expect(await identify(token, 'neighbour')).toBeUndefined()
    })

    test.each([
      [{ emailVerified: false }, undefined, 'SignedIn'],
      [{ emailVerified: true }, undefined, 'EmailVerified'],
      [{ emailVerified: true }, {}, 'EmailVerified'],
      [{ emailVerified: true }, { level: null }, 'EmailVerified'],
      [{ emailVerified: true }, { level: 'SignedIn' }, 'SignedIn'],
      [{ emailVerified: false }, { level: 'MultiFactor' }, 'MultiFactor'],
    ] as const)('%j asking %j gets the level %s… %s', async (fields, body, level) => {
      expect((await identify(await tokenOf(await newUser(fields), body)))?.level).toBe(level)
    })

    test('gets none for who is not there, is the tenant next door, or is disabled', async () => {
      const user = await newUser()
      expect(problemOf(await server.api('POST', tokens(user.id), { tenant: 'neighbour' }))).toEqual([
        404,
        'license.record_not_found',
      ])
      expect((await issue({ id: noSuchId })).status).toBe(404)
      for (const body of [{ level: 'Default' }, { level: 'Admin' }, { scope: 'admin' }])
        expect(problemOf(await issue(user, body))).toEqual([400, 'license.validation_error'])
      await must(server.api('PATCH', `${users}/${user.id}`, { body: { isDisabled: true } }))
      expect(problemOf(await issue(user))).toEqual([400, 'license.validation_error'])
    })

    test('needs operational.users:create', async () => {
      const user = await newUser()
      for (const [scope, status] of [
        ['operational.users:create', 200],
        ['operational.users:read', 403],
        ['admin.*:*', 403],
      ] as const)
        expect((await server.api('POST', tokens(user.id), { token: await server.tokenWith([scope]) })).status).toBe(
          status,
        )
    })
  })

  test('who is deleted or disabled is nobody at the next call', async () => {
    const [gone, out] = [await newUser(), await newUser()]
    const held = [await tokenOf(gone), await tokenOf(out)]
    for (const token of held) expect(await identify(token)).toBeDefined()
    await must(server.api('DELETE', `${users}/${gone.id}`))
    await must(server.api('PATCH', `${users}/${out.id}`, { body: { isDisabled: true } }))
    for (const token of held) expect(await identify(token)).toBeUndefined()
    await must(server.api('PATCH', `${users}/${out.id}`, { body: { isDisabled: false } }))
    expect(await identify(held[1]!)).toBeDefined()
  })

  test('the token of a user opens nothing of a client, and that of a client nothing of a user', async () => {
    const token = await tokenOf(await newUser())
    for (const [method, path] of [
      ['GET', users],
      ['POST', tokens(noSuchId)],
    ] as const)
      expect((await server.api(method, path, { token })).status).toBe(401)
    expect(await identify(server.tokens.acme)).toBeUndefined()
  })

  test('properly signed tokens of another kind, level, issuer, audience, tenant or time are of nobody', async () => {
    const user = await newUser()
    const token = await tokenOf(user)
    const [head, claims] = [decodeProtectedHeader(token), decodeJwt(token)]
    const row = await database.read
      .selectFrom('signing_keys')
      .selectAll()
      .where('id', '=', head.kid!)
      .executeTakeFirstOrThrow()
    const sealer = await openSealer(database, readDatabaseUrl(server.databaseUrl))
    const key = createPrivateKey(sealer.open(row.sealed_private_key, `key/${tenants.acme.id}/${row.id}`))
    const signed = (claimed: object, typ = 'user+jwt') =>
      new SignJWT({ ...claims, ...claimed }).setProtectedHeader({ typ, alg: 'ES256', kid: head.kid! }).sign(key)
    const now = Math.floor(Date.now() / 1000)
    expect(await identify(await signed({}))).toMatchObject({ userId: user.id })
    for (const typ of ['at+jwt', 'license+jwt', 'JWT']) expect(await identify(await signed({}, typ))).toBeUndefined()
    for (const claimed of [
      { acr: 'Default' },
      { acr: undefined },
      { iss: server.baseUrl('neighbour') },
      { aud: server.baseUrl() },
      { aud: [`${server.baseUrl()}/api/v1`] },
      { tid: tenants.neighbour.id },
      { sub: noSuchId },
      { exp: now - 1, iat: now - 900 },
      { exp: now + 100_000 },
      { iat: now + 300, exp: now + 900 },
      { nbf: now },
    ])
      expect([claimed, await identify(await signed(claimed))]).toEqual([claimed, undefined])
  })

  describe('a trusted outside issuer', () => {
    const subject = () => `subject-${nextNumber()}`

    test('signs in by subject, whatever the address', async () => {
      const sub = subject()
      const user = await newUser({ issuer: issuer.url, subject: sub })
      const caller = { kind: 'user', userId: user.id, email: user.email, level: 'SignedIn' }
      expect(await identify(await issuer.sign({ sub }))).toEqual(caller)
      const levelOf = async (email: string) =>
        (await identify(await issuer.sign({ sub, email, email_verified: 'true' })))?.level
      expect(await levelOf('another@example.com')).toBe('SignedIn')
      expect(await levelOf(user.email.toUpperCase())).toBe('EmailVerified')
      expect(await identify(await issuer.sign({ sub, amr: ['pwd', 'otp'] }))).toMatchObject({ level: 'MultiFactor' })
      expect(await identify(await issuer.sign({ sub, aud: ['other', 'acme-app'] }, { typ: 'at+jwt' }))).toEqual(caller)
    })

    test('signs in by verified address, and by the first subject alone from then on', async () => {
      const user = await newUser({ email: `kim-${nextNumber()}@example.com` })
      const [sub, email] = [subject(), user.email.toUpperCase()]
      expect(await identify(await issuer.sign({ sub, email }))).toBeUndefined()
      expect(await identify(await issuer.sign({ sub, email, email_verified: false }))).toBeUndefined()
      // Found by the same folded text, and another mailbox.
      const other = `\u212a${email.slice(1)}`
      expect(await identify(await issuer.sign({ sub, email: other, email_verified: true }))).toBeUndefined()
      const token = await issuer.sign({ sub, email, email_verified: true })
      const callers = await Promise.all([1, 2, 3].map(() => identify(token)))
      expect(new Set(callers.map((caller) => caller?.userId))).toEqual(new Set([user.id]))
      expect(await must(server.api('GET', `${users}/${user.id}`))).toMatchObject({
        issuer: issuer.url,
        subject: sub,
        emailVerified: true,
        revisionNumber: 2,
      })
      expect(await identify(await issuer.sign({ sub }))).toMatchObject({ userId: user.id })
    })

    test('signs in a user who is known by a subject already, by another or at another issuer, by verified address', async () => {
      const [first, second] = [subject(), subject()]
      const user = await newUser({ issuer: issuer.url, subject: first })
      const caller = { kind: 'user', userId: user.id, email: user.email, level: 'EmailVerified' }
      const verified = { email: user.email, email_verified: true }
      const elsewhere = `${issuer.url}/elsewhere`
      const kept = (await must(server.api('GET', settings))).trustedIssuers
      await trust(...kept, { issuer: elsewhere, audience: 'acme-app', jwksUri: issuer.jwksUri })
      try {
        for (const claims of [{ sub: second }, { iss: elsewhere, sub: first }, { iss: elsewhere, sub: second }]) {
          expect(await identify(await issuer.sign({ ...claims, ...verified }))).toEqual(caller)
          expect(await identify(await issuer.sign({ ...claims, email: user.email }))).toBeUndefined()
        }
      } finally {
        await trust(...kept)
      }
      expect(await must(server.api('GET', `${users}/${user.id}`))).toEqual(user)
    })

    test('signs in by subject whoever has the verified address', async () => {
      const sub = subject()
      const [known, other] = [await newUser({ issuer: issuer.url, subject: sub }), await newUser()]
      const token = await issuer.sign({ sub, email: other.email, email_verified: true })
      expect(await identify(token)).toMatchObject({ userId: known.id })
    })

    test('means one user by a subject that first comes with two addresses at once', async () => {
      const sub = subject()
      const [first, second] = [await newUser(), await newUser()]
      const token = await issuer.sign({ sub, email: second.email, email_verified: true })
      let identified: Promise<UserCaller | undefined> | undefined
      await database.transact(async (tx) => {
        await bindSubject(tx, tenants.acme.id, { issuer: issuer.url, subject: sub }, first.id, Date.now())
        identified = identify(token)
        await sleep(300)
      })
      expect(await identified).toMatchObject({ userId: first.id })
      expect((await must(server.api('GET', `${users}/${second.id}`))).subject).toBeNull()
    })

    test('signs in nobody who is disabled, deleted, or of another tenant', async () => {
      const user = await newUser({ isDisabled: true })
      const verified = { email: user.email, email_verified: true }
      expect(await identify(await issuer.sign({ sub: subject(), ...verified }))).toBeUndefined()
      expect((await must(server.api('GET', `${users}/${user.id}`))).subject).toBeNull()
      await must(server.api('DELETE', `${users}/${user.id}`))
      expect(await identify(await issuer.sign({ sub: subject(), ...verified }))).toBeUndefined()
      const again = await newUser({ email: user.email })
      expect((await identify(await issuer.sign({ sub: subject(), ...verified })))?.userId).toBe(again.id)
      const sub = subject()
      await newUser({ issuer: issuer.url, subject: sub })
      expect(await identify(await issuer.sign({ sub }), 'neighbour')).toBeUndefined()
    })

    test('is not taken at its word beyond issuer, audience, time and key', async () => {
      const sub = subject()
      await newUser({ issuer: issuer.url, subject: sub })
      const now = Math.floor(Date.now() / 1000)
      for (const claims of [
        { iss: `${issuer.url}/` },
        { aud: 'other-app' },
        { aud: undefined },
        { exp: undefined },
        { exp: now - 1 },
        { nbf: now + 300 },
        { iat: now + 300 },
        { sub: 7 },
        { sub: '' },
        { sub: 'nobody' },
        { sub: `${sub}\u0000` },
      ])
        expect([claims, await identify(await issuer.sign({ sub, ...claims }))]).toEqual([claims, undefined])
      for (const typ of ['user+jwt', 'license+jwt', 'logout+jwt'])
        expect(await identify(await issuer.sign({ sub }, { typ }))).toBeUndefined()
      const token = await issuer.sign({ sub })
      const [head, body, signature] = token.split('.') as [string, string, string]
      const none = Buffer.from('{"alg":"none"}').toString('base64url')
      const shared = new SignJWT({ ...decodeJwt(token) }).setProtectedHeader({ alg: 'HS256', kid: 'key-0' })
      const forged = await shared.sign(Buffer.alloc(64, 'key'))
      for (const bad of [`${none}.${body}.${signature}`, `${head}.${body}.${'A'.repeat(342)}`, forged])
        expect(await identify(bad)).toBeUndefined()
      expect(await identify(token)).toBeDefined()
      expect(await identify(token, 'acme', Date.now() + 301_000)).toBeUndefined()
    })

    test('that changes its key signs in with the new one at once, and is not asked for its keys for each token', async () => {
      const [sub, iss] = [subject(), `${issuer.url}/${nextNumber()}`]
      await newUser({ issuer: iss, subject: sub })
      const kept = (await must(server.api('GET', settings))).trustedIssuers
      await trust(...kept, { issuer: iss, audience: 'acme-app', jwksUri: `${iss}/keys` })
      const before = issuer.asked
      try {
        for (let n = 0; n < 3; n++) expect(await identify(await issuer.sign({ iss, sub }))).toBeDefined()
        expect(issuer.asked - before).toBe(1)
        await issuer.rotate()
        const token = await issuer.sign({ iss, sub })
        expect(await identify(token)).toBeDefined()
        expect(issuer.asked - before).toBe(2)
        for (let n = 0; n < 9; n++) await identify(await issuer.sign({ iss, sub }, { kid: `unheard-of-${n}` }))
        expect(issuer.asked - before).toBe(5)
        expect(await identify(token)).toBeDefined()
      } finally {
        await trust(...kept)
      }
    })

    test.each([
      { status: 500, body: '{"keys":[]}' },
      { status: 302, body: '', location: 'keys' },
      { status: 200, body: 'no keys' },
      { status: 200, body: `{"keys":[],"more":"${'x'.repeat(70_000)}"}` },
    ])('whose keys cannot be had ($status) signs in nobody, and is left alone for a while', async (answer) => {
      const [sub, issuedBy] = [subject(), `${issuer.url}/${nextNumber()}`]
      await newUser({ issuer: issuedBy, subject: sub })
      const jwksUri = `${issuedBy}/keys`
      const kept = (await must(server.api('GET', settings))).trustedIssuers
      await trust(...kept, { issuer: issuedBy, audience: 'acme-app', jwksUri })
      issuer.answerInstead = answer
      const before = issuer.asked
      try {
        for (let n = 0; n < 3; n++) expect(await identify(await issuer.sign({ iss: issuedBy, sub }))).toBeUndefined()
        expect(issuer.asked - before).toBe(1)
      } finally {
        issuer.answerInstead = undefined
        await trust(...kept)
      }
    })

    test('is trusted no more once it is taken off the list', async () => {
      const sub = subject()
      await newUser({ issuer: issuer.url, subject: sub })
      const token = await issuer.sign({ sub })
      expect(await identify(token)).toBeDefined()
      const kept = (await must(server.api('GET', settings))).trustedIssuers
      await trust()
      expect(await identify(token)).toBeUndefined()
      await trust(...kept)
      expect(await identify(token)).toBeDefined()
    })
  })
})
