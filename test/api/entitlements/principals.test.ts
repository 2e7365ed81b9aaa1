import { expect, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { listAssigned } from '../../../server/entitlements/principals/assignments.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { serveIssuer } from '../access/outside-issuer.ts'
import { must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'

const entitlements = '/api/v1/provision/admin/entitlements'
const users = '/api/v1/provision/admin/users'
const settings = '/api/v1/provision/admin/settings'
const operational = '/api/v1/provision/operational/users'

forEachStore((store) => {
  const server = serveTests(store)
  const issuer = serveIssuer()
  type Tenant = 'acme' | 'neighbour'
  const newEntitlement = async (tenant: Tenant = 'acme'): Promise<string> =>
    (await must(server.api('POST', entitlements, { tenant, body: { name: `CAD ${nextNumber()}` } }))).id
  const newUser = async (tenant: Tenant = 'acme'): Promise<string> =>
    (await must(server.api('POST', users, { tenant, body: { email: `principal-${nextNumber()}@example.com` } }))).id
  const principal = (method: string, entitlementId: string, userId: string, tenant: Tenant = 'acme') =>
    server.api(method, `${entitlements}/${entitlementId}/principals/${userId}`, { tenant })
  const listed = async (entitlementId: string, query = '') =>
    (await must(server.api('GET', `${entitlements}/${entitlementId}/principals${query}`))).items

  test('a user is assigned, listed, and taken off again', async () => {
    const [entitlementId, ada, ben] = [await newEntitlement(), await newUser(), await newUser()]
    const assigned = await must(principal('POST', entitlementId, ada.toUpperCase()))
    expect(assigned).toEqual({ entitlementId, userId: ada, assignedAt: expect.any(String) })
    expect(await must(principal('POST', entitlementId, ada))).toEqual(assigned)
    await must(principal('POST', entitlementId, ben))
    expect(await listed(entitlementId)).toMatchObject([{ userId: ada }, { userId: ben }])
    expect(await listed(entitlementId, `?filter=userId==${ben}&sortOrder=-assignedAt`)).toMatchObject([{ userId: ben }])
    for (const [field, value] of Object.entries(assigned)) {
      const query = `?filter=${encodeURIComponent(`${field}==${value},userId==${ada}`)}&sortOrder=-${field}`
      expect([field, await listed(entitlementId, query)]).toEqual([field, [assigned]])
    }
    expect(
      problemOf(await server.api('GET', `${entitlements}/${entitlementId}/principals?filter=assignedBy==x`)),
    ).toEqual([400, 'license.validation_error'])
    const stale = { headers: { 'if-match': '"9"' } }
    const refused = await server.api('DELETE', `${entitlements}/${entitlementId}/principals/${ada}`, stale)
    expect(problemOf(refused)).toEqual([412, 'request.precondition_failed'])
    expect((await principal('DELETE', entitlementId, ada)).status).toBe(204)
    expect(problemOf(await principal('DELETE', entitlementId, ada))).toEqual([404, 'license.record_not_found'])
    expect(await listed(entitlementId)).toMatchObject([{ userId: ben }])
  })

  test('entitlements are found by whom they are assigned to', async () => {
    const [ada, ben, foreign] = [await newUser(), await newUser(), await newUser('neighbour')]
    const [first, second, third] = [await newEntitlement(), await newEntitlement(), await newEntitlement()]
    for (const [id, user] of [
      [first, ada],
      [second, ada],
      [second, ben],
    ] as const)
      await principal('POST', id, user)
    const found = async (filter: string) => {
      const query = `?sortOrder=createdAt&filter=${encodeURIComponent(`${filter},id==${first}|${second}|${third}`)}`
      return (await must(server.api('GET', `${entitlements}${query}`))).items.map(({ id }: { id: string }) => id)
    }
    expect(await found(`principalIds==${ada}`)).toEqual([first, second])
    expect(await found(`principalIds==${foreign}|${ben}`)).toEqual([second])
    expect(await found(`principalIds!=${ben}`)).toEqual([first, third])
    expect(problemOf(await server.api('GET', `${entitlements}?sortOrder=principalIds`))).toEqual([
      400,
      'license.validation_error',
    ])
  })

  test('who is assigned at once is assigned once', async () => {
    const [entitlementId, userId] = [await newEntitlement(), await newUser()]
    const answers = await Promise.all([1, 2, 3].map(() => must(principal('POST', entitlementId, userId))))
    expect(new Set(answers.map(({ assignedAt }) => assignedAt)).size).toBe(1)
    expect(await listed(entitlementId)).toHaveLength(1)
  })

  test('only a user and an entitlement of the tenant come together', async () => {
    const [entitlementId, userId] = [await newEntitlement(), await newUser()]
    const [theirEntitlement, theirUser] = [await newEntitlement('neighbour'), await newUser('neighbour')]
    const offer = await must(server.api('POST', `${entitlements}/offers`, { body: { name: `Offer ${nextNumber()}` } }))
    const pairs = [
      [entitlementId, theirUser, 'acme'],
      [theirEntitlement, userId, 'acme'],
      [entitlementId, userId, 'neighbour'],
      [entitlementId, theirUser, 'neighbour'],
      [entitlementId, noSuchId, 'acme'],
      [noSuchId, userId, 'acme'],
      [offer.id, userId, 'acme'],
    ] as const
    for (const [entitlement, user, tenant] of pairs)
      for (const method of ['POST', 'DELETE'])
        expect(problemOf(await principal(method, entitlement, user, tenant))).toEqual([404, 'license.record_not_found'])
    const theirs = await server.api('GET', `${entitlements}/${entitlementId}/principals`, { tenant: 'neighbour' })
    expect(theirs.status).toBe(404)
    expect(await listed(entitlementId)).toEqual([])
  })

  test('who is assigned activates signed in, without a code: by our token or that of a trusted issuer', async () => {
    const [entitlementId, userId] = [await newEntitlement(), await newUser()]
    await must(server.api('POST', `${entitlements}/${entitlementId}/activate`))
    await must(principal('POST', entitlementId, userId))
    const trusted = { issuer: issuer.url, audience: 'acme-app', jwksUri: issuer.jwksUri }
    await must(server.api('PATCH', settings, { body: { trustedIssuers: [trusted] } }))
    const { email } = await must(server.api('GET', `${users}/${userId}`))
    const ours = (await must(server.api('POST', `${operational}/${userId}/tokens`))).access_token
    const theirs = await issuer.sign({ sub: 'ada', email, email_verified: true })
    const activate = (fingerprint: string, token: string | null) =>
      server.api('POST', '/api/v1/provision/activations/license', {
        token,
        body: { useInteractiveUser: true, fingerprint },
      })
    for (const token of [ours, theirs]) {
      const { session } = await must(activate(`device-${nextNumber()}`, token))
      expect(session).toMatchObject({ entitlementId, userId, email })
    }
    for (const token of [null, server.tokens.acme, await issuer.sign({ sub: 'nobody' })])
      expect(problemOf(await activate('another device', token))).toEqual([401, 'auth.unauthenticated'])
    await must(server.api('DELETE', `${users}/${userId}`))
    for (const token of [ours, theirs])
      expect(problemOf(await activate('another device', token))).toEqual([401, 'auth.unauthenticated'])
  })

  test('who or what is deleted is assigned no more', async () => {
    const [kept, gone, userId] = [await newEntitlement(), await newEntitlement(), await newUser()]
    for (const id of [kept, gone]) await must(principal('POST', id, userId))
    const database = openDatabase(server.databaseUrl)
    const assigned = () => listAssigned(database.read, server.tenantIds.acme, userId)
    try {
      expect(await assigned()).toEqual([kept, gone])
      await must(server.api('DELETE', `${entitlements}/${gone}`))
      expect(await assigned()).toEqual([kept])
      await must(server.api('DELETE', `${users}/${userId}`))
      expect(await listed(kept)).toEqual([])
      expect(problemOf(await principal('POST', kept, userId))).toEqual([404, 'license.record_not_found'])
    } finally {
      await database.close()
    }
  })
})
