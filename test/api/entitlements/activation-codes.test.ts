import { expect, test } from 'vitest'
import { codeContracts } from '../../../server/entitlements/activation-codes/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { pointersOf } from '../catalog/things-to-sell.ts'
import { codesOf, databaseBeside } from './coded-entitlements.ts'

type Json = ReturnType<typeof JSON.parse>
const notFound = [404, 'license.record_not_found']
const taken = [409, 'catalog.duplicate_key']

forEachStore((store) => {
  const server = serveTests(store)
  const database = databaseBeside(server)
  const { at, codes, issue, newEntitlement, newCode, readCode, listCodes } = codesOf(server)

  const setUsed = (codeId: string, used: number) =>
    database.open.transact((tx) =>
      tx.updateTable('activation_codes').set({ used_activations: used }).where('id', '=', codeId).execute(),
    )

  test('a code that nothing was said of is made in the default form, and answered whole', async () => {
    const { id } = await newEntitlement()
    const code = await newCode(id)
    const { id: codeId, activationCode, createdAt, updatedAt, ...rest } = code
    expect(activationCode).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){3}$/)
    expect([typeof codeId, updatedAt]).toEqual(['string', createdAt])
    expect(rest).toEqual({
      entitlementId: id,
      status: 'Pending',
      usedActivations: 0,
      requiredAuthenticationLevel: null,
      preAuthorizedDevices: [],
      fingerprint: null,
      maxDeviceActivations: null,
      useEntitlementMaxActivations: false,
      email: null,
      isTrialActivation: false,
      requiresUserConsent: false,
      sendUserNotification: false,
      organizationGroupId: null,
      requiredUserId: null,
      expirationTimeStamp: null,
      isDeleted: false,
      revisionNumber: 1,
    })
    expect(await readCode(id.toUpperCase(), codeId.toUpperCase())).toEqual(code)
    expect(await listCodes(id.toUpperCase())).toMatchObject({ items: [code], totalCount: 1 })
  })

  test('a code is the one that was given, with all that was said of it', async () => {
    const { id } = await newEntitlement()
    const user = await must(at('POST', 'admin/users', { body: { email: `ada-${nextNumber()}@example.com` } }))
    const group = await must(at('POST', 'admin/organization-groups', { body: { name: `Group ${nextNumber()}` } }))
    const said = {
      activationCode: `Given ${nextNumber()} ~!`,
      requiredAuthenticationLevel: 'EmailVerified',
      preAuthorizedDevices: ['one', 'two'],
      fingerprint: 'a fingerprint',
      useEntitlementMaxActivations: true,
      email: 'Ada@example.com',
      isTrialActivation: true,
      requiresUserConsent: true,
      sendUserNotification: true,
    }
    const code = await newCode(id, {
      ...said,
      maxDeviceActivations: '3',
      requiredUserId: user.id.toUpperCase(),
      organizationGroupId: group.id.toUpperCase(),
      expirationTimeStamp: '2099-01-01T00:00:00+02:00',
    })
    expect(code).toMatchObject({
      ...said,
      maxDeviceActivations: 3,
      requiredUserId: user.id,
      organizationGroupId: group.id,
      expirationTimeStamp: '2098-12-31T22:00:00.000Z',
    })
    expect(await readCode(id, code.id)).toEqual(code)
    const nulls = Object.fromEntries(Object.keys(said).map((field) => [field, null]))
    expect(await newCode(id, { ...nulls, requiredUserId: null, expirationTimeStamp: null })).toMatchObject({
      isTrialActivation: false,
      fingerprint: null,
    })
  })

  test.each([
    [{ activationCode: '' }, '/activationCode'],
    [{ activationCode: '   ' }, '/activationCode'],
    [{ activationCode: 'x'.repeat(201) }, '/activationCode'],
    [{ activationCode: 'Ärger' }, '/activationCode'],
    [{ activationCode: 'line\nbreak' }, '/activationCode'],
    [{ activationCode: 7 }, '/activationCode'],
    [{ requiredAuthenticationLevel: 'emailverified' }, '/requiredAuthenticationLevel'],
    [{ preAuthorizedDevices: 'one' }, '/preAuthorizedDevices'],
    [{ preAuthorizedDevices: [''] }, '/preAuthorizedDevices/0'],
    [{ fingerprint: 'x'.repeat(501) }, '/fingerprint'],
    [{ maxDeviceActivations: -1 }, '/maxDeviceActivations'],
    [{ maxDeviceActivations: 1.5 }, '/maxDeviceActivations'],
    [{ useEntitlementMaxActivations: 'true' }, '/useEntitlementMaxActivations'],
    [{ email: 'nobody' }, '/email'],
    [{ requiredUserId: noSuchId }, '/requiredUserId'],
    [{ requiredUserId: 'ada' }, '/requiredUserId'],
    [{ organizationGroupId: noSuchId }, '/organizationGroupId'],
    [{ expirationTimeStamp: 'soon' }, '/expirationTimeStamp'],
    [{ expirationTimeStamp: '2020-01-01T00:00:00Z' }, '/expirationTimeStamp'],
    [{ status: 'Active' }, '/status'],
    [{ usedActivations: 1 }, '/usedActivations'],
  ])('%j is refused where it is wrong', async (body, pointer) => {
    const { id } = await newEntitlement()
    for (const audience of ['admin', 'operational'])
      expect(pointersOf(await at('POST', `${audience}/${codes(id)}`, { body }))).toEqual([
        400,
        'license.validation_error',
        [pointer],
      ])
    expect((await listCodes(id)).totalCount).toBe(0)
  })

  test('a user or a group of another tenant is as unknown as none', async () => {
    const { id } = await newEntitlement()
    const theirs = { tenant: 'neighbour' } as const
    const email = `eve-${nextNumber()}@example.com`
    const user = await must(at('POST', 'admin/users', { ...theirs, body: { email } }))
    const group = await must(
      at('POST', 'admin/organization-groups', { ...theirs, body: { name: `Group ${nextNumber()}` } }),
    )
    const refused = await issue(id, { requiredUserId: user.id, organizationGroupId: group.id })
    expect(pointersOf(refused)[2]).toEqual(['/requiredUserId', '/organizationGroupId'])
  })

  test('two codes that look up alike are refused, until the first is deleted', async () => {
    const [{ id }, other] = [await newEntitlement(), await newEntitlement()]
    const n = nextNumber()
    const first = await newCode(id, { activationCode: `Team-OIL ${n}` })
    for (const alike of [`Team-OIL ${n}`, `TEAM-OIL${n}`, ` team-o i l${n} `, `Team-01L${n}`])
      for (const owner of [id, other.id]) {
        const refused = await issue(owner, { activationCode: alike })
        expect(problemOf(refused)).toEqual(taken)
        expect(refused.text.toLowerCase()).not.toContain('oil')
      }
    await newCode(other.id, { activationCode: `TeamOIL${n}` })
    const plain = await newEntitlement({ keyIssuancePolicy: { alphabet: 'Hex' } })
    for (const text of [`Hex-OIL${n}`, `Hex-01L${n}`]) await newCode(plain.id, { activationCode: text })
    const neighbour = codesOf(server, { tenant: 'neighbour' })
    await neighbour.newCode((await neighbour.newEntitlement()).id, { activationCode: `Team-OIL ${n}` })
    expect((await at('DELETE', `admin/${codes(id, first.id)}`)).status).toBe(204)
    expect((await newCode(other.id, { activationCode: `team-oil${n}` })).activationCode).toBe(`team-oil${n}`)
  })

  test('a code that is given is refused when the same text looks up a made one', async () => {
    const n = nextNumber()
    const { id } = await newEntitlement({ keyIssuancePolicy: { template: `OLD${n}-{seq:4}` } })
    expect((await newCode(id)).activationCode).toBe(`OLD${n}-0001`)
    for (const alike of [`OLD${n}-0001`, `old${n} 0001`, `01D${n}-OOO1`])
      expect(problemOf(await issue(id, { activationCode: alike }))).toEqual(taken)
    const other = await newEntitlement({ keyIssuancePolicy: { template: `IO${n}-{seq:4}`, alphabet: 'Numeric' } })
    expect((await newCode(other.id)).activationCode).toBe(`IO${n}-0001`)
    expect(problemOf(await issue(id, { activationCode: `io${n}-0001` }))).toEqual(taken)
    // Unlike the numeric one; the second would look up the first, were it still there.
    for (const unlike of [`10${n}-0001`, `IO${n}0001`]) {
      const { id: codeId } = await newCode(id, { activationCode: unlike })
      expect((await at('DELETE', `admin/${codes(id, codeId)}`)).status).toBe(204)
    }
  })

  test('a code is revoked once, and stays so', async () => {
    const { id } = await newEntitlement()
    const code = await newCode(id)
    const where = `admin/${codes(id, code.id)}/revoke`
    expect(problemOf(await at('POST', where, { headers: { 'if-match': '"2"' } }))[0]).toBe(412)
    const revoked = await must(at('POST', where, { headers: { 'if-match': '"1"' } }))
    expect(revoked).toMatchObject({ ...code, status: 'Revoked', revisionNumber: 2, updatedAt: expect.any(String) })
    expect(await must(at('POST', where))).toEqual(revoked)
    expect(await readCode(id, code.id)).toEqual(revoked)
    expect(problemOf(await issue(id, { activationCode: code.activationCode }))).toEqual(taken)
  })

  test('a code is deleted at either path, once', async () => {
    const { id } = await newEntitlement()
    for (const audience of ['admin', 'operational']) {
      const code = await must(at('POST', `${audience}/${codes(id)}`, { body: {} }))
      const where = `${audience}/${codes(id, code.id)}`
      expect(problemOf(await at('DELETE', where, { headers: { 'if-match': '"2"' } }))[0]).toBe(412)
      const gone = await at('DELETE', where)
      expect([gone.status, gone.text]).toEqual([204, ''])
      expect(problemOf(await at('DELETE', where))).toEqual(notFound)
      expect(problemOf(await at('GET', `admin/${codes(id, code.id)}`))).toEqual(notFound)
    }
    expect((await listCodes(id)).totalCount).toBe(0)
  })

  test('a code is found under its own entitlement of its own tenant, and an offer has none', async () => {
    const [{ id }, other] = [await newEntitlement(), await newEntitlement()]
    const offer = await must(at('POST', 'admin/entitlements/offers', { body: { name: `Offer ${nextNumber()}` } }))
    const code = await newCode(id)
    const requests = (entitlementId: string, codeId: string) =>
      [
        ['POST', `admin/${codes(entitlementId)}`],
        ['GET', `admin/${codes(entitlementId)}`],
        ['POST', `operational/${codes(entitlementId)}`],
        ['GET', `admin/${codes(entitlementId, codeId)}`],
        ['POST', `admin/${codes(entitlementId, codeId)}/revoke`],
        ['DELETE', `admin/${codes(entitlementId, codeId)}`],
        ['DELETE', `operational/${codes(entitlementId, codeId)}`],
      ] as const
    for (const [method, where] of requests(id, code.id))
      expect(problemOf(await at(method, where, { tenant: 'neighbour' }))).toEqual(notFound)
    for (const unknown of [offer.id, noSuchId])
      for (const [method, where] of requests(unknown, code.id))
        expect(problemOf(await at(method, where))).toEqual(notFound)
    for (const [method, where] of requests(other.id, code.id).slice(3))
      expect(problemOf(await at(method, where))).toEqual(notFound)
    expect(await readCode(id, code.id)).toEqual(code)
  })

  test('each path asks for the scope of its audience', async () => {
    const { id } = await newEntitlement()
    const code = await newCode(id)
    const tokenFor = Object.fromEntries(
      await Promise.all(
        ['admin.entitlements:read', 'admin.entitlements:*', 'operational.entitlements:*'].map(async (scope) => [
          scope,
          await server.tokenWith([scope]),
        ]),
      ),
    )
    const asked = async (scope: string, method: string, where: string) =>
      (await at(method, where, { token: tokenFor[scope] })).status
    expect(await asked('admin.entitlements:read', 'GET', `admin/${codes(id)}`)).toBe(200)
    expect(await asked('admin.entitlements:read', 'POST', `admin/${codes(id)}`)).toBe(403)
    expect(await asked('admin.entitlements:read', 'POST', `admin/${codes(id, code.id)}/revoke`)).toBe(403)
    expect(await asked('admin.entitlements:*', 'POST', `operational/${codes(id)}`)).toBe(403)
    expect(await asked('operational.entitlements:*', 'POST', `operational/${codes(id)}`)).toBe(200)
    expect(await asked('operational.entitlements:*', 'GET', `admin/${codes(id)}`)).toBe(403)
    expect(await asked('operational.entitlements:*', 'DELETE', `operational/${codes(id, code.id)}`)).toBe(204)
  })

  test('under one Idempotency-Key one code is issued', async () => {
    const { id } = await newEntitlement()
    const headers = { 'idempotency-key': `code-${nextNumber()}` }
    const [first, again] = [await issue(id, {}, { headers }), await issue(id, {}, { headers })]
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([200, first.body, 'true'])
    expect(problemOf(await issue(id, { email: 'a@b' }, { headers }))).toEqual([409, 'request.idempotency_conflict'])
    expect((await listCodes(id)).totalCount).toBe(1)
  })

  test('a list goes by status and by everything that is no secret', async () => {
    const { id } = await newEntitlement()
    const made: Record<string, Json> = {
      Pending: await newCode(id, { maxDeviceActivations: 2, email: 'a@example.com' }),
      Active: await newCode(id, { maxDeviceActivations: 2, useEntitlementMaxActivations: true }),
      Exhausted: await newCode(id, { maxDeviceActivations: 2 }),
      Expired: await newCode(id, { maxDeviceActivations: 2 }),
      Revoked: await newCode(id),
    }
    for (const status of ['Active', 'Exhausted', 'Expired']) await setUsed(made[status].id, 2)
    await database.open.transact((tx) =>
      tx.updateTable('activation_codes').set({ expires_at: 1 }).where('id', '=', made.Expired.id).execute(),
    )
    await must(at('POST', `admin/${codes(id, made.Revoked.id)}/revoke`))
    for (const [status, { id: codeId }] of Object.entries(made)) {
      const { items } = await listCodes(id, `?filter=status==${status}`)
      expect(items.map((item: Json) => [item.id, item.status])).toEqual([[codeId, status]])
    }
    const idsOf = async (query: string) => (await listCodes(id, query)).items.map((item: Json) => item.status)
    expect(await idsOf('?sortOrder=-status')).toEqual(['Revoked', 'Pending', 'Expired', 'Exhausted', 'Active'])
    expect(await idsOf('?filter=email==a@example.com')).toEqual(['Pending'])
    expect(await idsOf('?filter=usedActivations>0,expirationTimeStamp==null&sortOrder=status')).toEqual([
      'Active',
      'Exhausted',
    ])
    for (const secret of ['activationCode@=A', 'lookupKey==A', 'sealedCode==A'])
      expect(pointersOf(await at('GET', `admin/${codes(id)}?filter=${secret}`))[1]).toBe('license.validation_error')
    for (const field of codeContracts.list.filterable!) {
      const sorted = await at('GET', `admin/${codes(id)}?sortOrder=-${field}`)
      if ((codeContracts.list.notSortable as readonly string[]).includes(field)) expect(sorted.status).toBe(400)
      else expect(sorted.body.totalCount).toBe(5)
    }
    const { activationCode } = made.Active
    for (const text of [activationCode, activationCode.toLowerCase().replaceAll('-', '')])
      expect(await idsOf(`?filter=activationCode==${text}`)).toEqual(['Active'])
    expect(await idsOf(`?filter=activationCode!=${activationCode}&sortOrder=status`)).not.toContain('Active')
    expect((await listCodes((await newEntitlement()).id, `?filter=activationCode==${activationCode}`)).items).toEqual(
      [],
    )
  })

  test('a code expires on the clock of its tenant', async () => {
    const sandbox = codesOf(server, { tenant: 'sandbox' })
    const clock = await must(sandbox.at('GET', 'admin/test-clock'))
    const { id } = await sandbox.newEntitlement()
    const soon = new Date(Date.parse(clock.now) + 600_000).toISOString()
    const code = await sandbox.newCode(id, { expirationTimeStamp: soon })
    expect(code.status).toBe('Pending')
    await must(sandbox.at('POST', 'admin/test-clock/advance', { body: { to: soon } }))
    expect((await sandbox.readCode(id, code.id)).status).toBe('Expired')
    expect((await sandbox.listCodes(id, '?filter=status==Expired')).totalCount).toBe(1)
    expect(pointersOf(await sandbox.issue(id, { expirationTimeStamp: soon }))[2]).toEqual(['/expirationTimeStamp'])
  })
})
