import { beforeAll, describe, expect, test } from 'vitest'
import { listSessions } from '../../../server/activations/administration/contract.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { adminOf, pointersOf } from '../catalog/things-to-sell.ts'
import { devicesOf } from './devices.ts'

type Json = ReturnType<typeof JSON.parse>
const sessions = 'admin/sessions/activations'
const where = (filter: string) => `?filter=${encodeURIComponent(filter)}`
const idsOf = ({ items }: Json) => items.map(({ id }: Json) => id)

forEachStore((store) => {
  const server = serveTests(store)
  const acme = devicesOf(server)
  const neighbour = devicesOf(server, { tenant: 'neighbour' })
  const sandbox = devicesOf(server, { tenant: 'sandbox' })

  /** An entitlement with a code, and a device that is activated by it. */
  const newSession = async (of = acme, policy: object = {}, device: object = {}) => {
    const entitlement = await of.newEntitlement({ licensePolicy: policy })
    const code = await of.newCode(entitlement.id)
    const licence = await of.newDevice(code.activationCode, undefined, device)
    return { entitlement, code, licence, id: licence.session.id as string, session: licence.session }
  }
  const revoke = (id: string, body: object = {}) => must(acme.at('POST', `${sessions}/${id}/revoke`, { body }))
  const read = (id: string) => acme.get(`${sessions}/${id}`)

  test('a session is answered with every field there is', async () => {
    const product = await adminOf(server).newProduct()
    const entitlement = await acme.newEntitlement({
      licenseKey: 'LK-1',
      expirationDateTime: '2900-01-01T00:00:00Z',
      notValidBeforeDateTime: '2020-01-01T00:00:00Z',
      licensePolicy: { concurrentInstances: true, allowedApplicationScopes: ['editor'] },
      products: [{ productId: product.id }],
    })
    const code = await acme.newCode(entitlement.id, { email: 'a@b.example' })
    const device = { deviceName: 'A desk', applicationInstanceId: 'process 1' }
    const { session } = await acme.newDevice(code.activationCode, 'the device', device)
    const answered = await read(session.id)
    expect(answered).toEqual({
      id: session.id,
      isTrial: false,
      isValidSession: true,
      activationTime: expect.any(String),
      lastAccessTime: answered.activationTime,
      leaseExpiration: new Date(Date.parse(answered.activationTime) + 7 * 86_400_000).toISOString(),
      graceExpiration: new Date(Date.parse(answered.activationTime) + 10 * 86_400_000).toISOString(),
      trialExpiration: null,
      leaseTime: 'P7D',
      isRevoked: false,
      revokedAt: null,
      revokeReason: null,
      releasedAt: null,
      holdsSeat: true,
      isOffline: false,
      fingerprint: 'the device',
      deviceName: 'A desk',
      applicationInstanceId: 'process 1',
      applicationScope: 'editor',
      activationCode: code.activationCode,
      licenseKey: 'LK-1',
      entitlementId: entitlement.id,
      appliedPlanSetId: null,
      appliedPlanName: null,
      licensedProducts: [product.id],
      cannotActivateBeforeTimestamp: '2020-01-01T00:00:00.000Z',
      notValidAfterTimestamp: '2900-01-01T00:00:00.000Z',
      userId: null,
      email: 'a@b.example',
    })
    expect(answered).toEqual(session)
    expect(await acme.get(sessions + where(`id==${session.id}`))).toMatchObject({ items: [answered], totalCount: 1 })
  })

  describe('a list', () => {
    let one: Json
    let other: Json
    beforeAll(async () => {
      const user = await acme.post('admin/users', { email: `u${nextNumber()}@x.example`, emailVerified: true })
      const { access_token } = await acme.post(`operational/users/${user.id}/tokens`)
      const product = await adminOf(server).newProduct()
      const set = await adminOf(server).newPlanSet({ productId: product.id }, { plans: [{ name: 'Pro' }] })
      const entitlement = await acme.newEntitlement({
        licenseKey: 'LK-2',
        expirationDateTime: '2901-01-01T00:00:00Z',
        notValidBeforeDateTime: '2021-01-01T00:00:00Z',
        licensePolicy: { leaseTime: 'P30D', concurrentInstances: true },
        products: [{ productId: product.id }],
        assignedPlanSetId: set.id,
        assignedPlanName: 'Pro',
      })
      const code = await acme.newCode(entitlement.id, { isTrialActivation: true })
      const said = {
        ...{ deviceName: 'Bench, left', applicationInstanceId: 'p|2', email: 'c@d.example', useInteractiveUser: true },
        applicationInfo: { applicationScope: 'viewer' },
      }
      const activated = await must(
        acme.activate(code.activationCode, `bench ${nextNumber()}`, said, { token: access_token }),
      )
      one = await revoke(activated.session.id, { reason: 'Sold on' })
      other = (await newSession()).session
    })

    test.each(listSessions.filterable)('is filtered and sorted by %s', async (name) => {
      const value = one[name]
      const text = value === null ? 'null' : String(value).replace(/[\\,|]/g, '\\$&')
      const found = await acme.get(sessions + where(`${name}==${text},id==${one.id}|${other.id}`))
      expect(idsOf(found)).toContain(one.id)
      expect(idsOf(found).includes(other.id)).toBe(one[name] === other[name])
      const isSorted = !listSessions.notSortable.includes(name)
      for (const order of [name, `-${name}`])
        expect((await acme.at('GET', `${sessions}?sortOrder=${order}`)).status).toBe(isSorted ? 200 : 400)
    })

    test('knows every scalar field of its items', () => {
      const scalars = Object.keys(one).filter((name) => name !== 'licensedProducts')
      expect([...listSessions.filterable].sort()).toEqual(scalars.sort())
    })

    const idsAsked = async (filter: string) => idsOf(await acme.get(sessions + where(filter)))
    test('finds those that came by a code, however that is typed, and no part of it', async () => {
      const { activationCode: mine } = one
      const typed = `==${mine.toLowerCase().replaceAll('-', ' ')}`
      const found = { [typed]: one.id, [`==NO|${other.activationCode}`]: other.id, [`!=${mine}`]: other.id }
      for (const [asked, id] of Object.entries(found))
        expect([asked, await idsAsked(`activationCode${asked},id==${one.id}|${other.id}`)]).toEqual([asked, [id]])
    })

    test.each(['activationCode@=x', 'activationCode>x', 'tenantId==x', 'sealedCode==x', 'isValidSession>true', 'id=='])(
      'refuses %s',
      async (filter) => {
        expect(pointersOf(await acme.at('GET', sessions + where(filter)))).toEqual([
          ...[400, 'license.validation_error'],
          ['filter'],
        ])
      },
    )

    test('is of pages, the earliest session first', async () => {
      const first = await acme.get(`${sessions}?pageSize=1`)
      expect(first).toMatchObject({ pageNumber: 1, pageSize: 1, hasNextPage: true, totalPages: first.totalCount })
      const all = await acme.get(`${sessions}?pageSize=500`)
      expect(all.pageSize).toBe(100)
      expect(all.items[0]).toEqual(first.items[0])
      const times = all.items.map(({ activationTime }: Json) => activationTime)
      expect(times).toEqual(times.toSorted())
    })

    test("of a user's sessions has no others", async () => {
      const found = await acme.get(`${sessions}/by-user/${one.userId.toUpperCase()}`)
      expect(found).toMatchObject({ items: [{ id: one.id, userId: one.userId }], totalCount: 1 })
      expect(await acme.get(`${sessions}/by-user/${one.userId}${where('isRevoked==false')}`)).toMatchObject({
        items: [],
      })
      expect(await neighbour.get(`${sessions}/by-user/${one.userId}`)).toMatchObject({ items: [], totalCount: 0 })
      expect(await acme.get(`${sessions}/by-user/${noSuchId}`)).toMatchObject({ items: [], totalCount: 0 })
    })
  })

  test('isValidSession is answered and filtered alike, whatever makes a session invalid', async () => {
    const steps = async (id: string, ...names: string[]) => {
      for (const name of names) await sandbox.post(`admin/entitlements/${id}/${name}`)
    }
    const renewable = { renewalPolicy: { period: 'Monthly', autoRenew: true } }
    const states: Record<string, { id: string; valid: boolean }> = {}
    const add = async (name: string, valid: boolean, body: object, after: (s: Json) => Promise<unknown>) => {
      const entitlement = await sandbox.newEntitlement(body)
      const { activationCode } = await sandbox.newCode(entitlement.id)
      const licence = await sandbox.newDevice(activationCode)
      await after({ entitlement, licence })
      states[name] = { id: licence.session.id, valid }
    }
    const nothing = async () => undefined
    const long = { licensePolicy: { leaseTime: 'P60D' } }
    const { now } = await sandbox.get('admin/test-clock')
    const in5Days = new Date(Date.parse(now) + 5 * 86_400_000).toISOString()
    await add('good', true, long, nothing)
    await add('lease over', false, {}, nothing)
    await add('revoked', false, long, ({ licence }) => sandbox.post(`${sessions}/${licence.session.id}/revoke`))
    await add('released', false, long, ({ licence }) => sandbox.say('release', licence))
    await add('suspended', false, long, ({ entitlement }) => steps(entitlement.id, 'suspend'))
    await add('resumed', true, long, ({ entitlement }) => steps(entitlement.id, 'suspend', 'resume'))
    await add('cancelled', false, long, ({ entitlement }) => steps(entitlement.id, 'cancel'))
    await add('deleted', false, long, ({ entitlement }) =>
      must(sandbox.at('DELETE', `admin/entitlements/${entitlement.id}`)),
    )
    await add('expired', false, { ...long, expirationDateTime: in5Days }, nothing)
    await add('trial over', false, { ...long, trialPolicy: { duration: 'P5D' } }, nothing)
    await add('not valid any more', false, long, ({ entitlement }) =>
      sandbox.patch(`admin/entitlements/${entitlement.id}`, { notValidBeforeDateTime: '2999-01-01T00:00:00Z' }),
    )
    await add('renewing itself', true, { ...long, ...renewable }, nothing)
    await sandbox.advance('P8D')

    const answered = await Promise.all(
      Object.entries(states).map(async ([name, { id }]) => [
        name,
        (await sandbox.get(`${sessions}/${id}`)).isValidSession,
      ]),
    )
    expect(Object.fromEntries(answered)).toEqual(
      Object.fromEntries(Object.entries(states).map(([name, { valid }]) => [name, valid])),
    )
    for (const isValid of [true, false]) {
      const listed = await sandbox.get(`${sessions}${where(`isValidSession==${isValid}`)}&pageSize=100`)
      const expected = Object.values(states).filter(({ valid }) => valid === isValid)
      expect(idsOf(listed).sort()).toEqual(expected.map(({ id }) => id).sort())
      expect(listed.items.every(({ isValidSession }: Json) => isValidSession === isValid)).toBe(true)
    }
  })

  test('a revoked session is refused at its next call, and its seat is free at once', async () => {
    const { code, licence, id, session } = await newSession(acme, { maxDeviceActivations: 1 })
    expect(problemOf(await acme.activate(code.activationCode, 'another'))).toEqual([409, 'license.seats_exhausted'])
    const revoked = await revoke(id, { reason: 'Stolen' })
    expect(revoked).toEqual({
      ...session,
      ...{
        isValidSession: false,
        isRevoked: true,
        revokedAt: expect.any(String),
        revokeReason: 'Stolen',
        holdsSeat: false,
      },
    })
    for (const deed of ['renew', 'check-in', 'release'] as const)
      expect(problemOf(await acme.say(deed, licence))).toEqual([403, 'license.session_not_valid'])
    expect((await acme.activate(code.activationCode, 'another')).status).toBe(200)
    expect(await revoke(id, { reason: 'Again' })).toEqual(revoked)
    expect(await must(acme.at('POST', `${sessions}/${id}/release`))).toEqual(revoked)
    expect(problemOf(await acme.activate(code.activationCode, 'a third'))).toEqual([409, 'license.seats_exhausted'])
    expect((await acme.get(`admin/entitlements/${session.entitlementId}/activation-codes`)).items).toMatchObject([
      { usedActivations: 1 },
    ])
  })

  test('a session is revoked by the shorter path too', async () => {
    const { id } = await newSession()
    const revoked = await must(acme.at('POST', `admin/sessions/${id.toUpperCase()}/revoke`, { body: { reason: null } }))
    expect(revoked).toMatchObject({ id, isRevoked: true, revokeReason: null })
    expect(await read(id)).toEqual(revoked)
  })

  test('a revoked device may activate again, a blocked one may not until it is unblocked', async () => {
    const { code, id, session, entitlement } = await newSession()
    const again = () => acme.activate(code.activationCode, session.fingerprint)
    await revoke(id)
    const second = (await must(again())).session
    expect(second.id).not.toBe(id)

    await revoke(second.id, { reason: 'Shared', blockDevice: true })
    expect(problemOf(await again())).toEqual([403, 'license.device_not_allowed'])
    const otherCode = await acme.newCode(entitlement.id)
    expect((await acme.activate(otherCode.activationCode, session.fingerprint)).status).toBe(403)
    expect((await acme.activate(code.activationCode, 'another')).status).toBe(200)
    const elsewhere = await acme.newCode((await acme.newEntitlement()).id)
    expect((await acme.activate(elsewhere.activationCode, session.fingerprint)).status).toBe(200)

    for (let time = 0; time < 2; time++)
      expect(await must(acme.at('POST', `${sessions}/${second.id}/unblock-device`))).toMatchObject({
        ...{ id: second.id, isRevoked: true, revokeReason: 'Shared' },
      })
    expect((await again()).status).toBe(200)
  })

  test('the device of a session that has ended can still be blocked', async () => {
    const { code, id, licence, session } = await newSession()
    await must(acme.say('release', licence))
    expect(await revoke(id, { blockDevice: true })).toMatchObject({ isRevoked: true, releasedAt: expect.any(String) })
    expect(problemOf(await acme.activate(code.activationCode, session.fingerprint))).toEqual([
      ...[403, 'license.device_not_allowed'],
    ])
  })

  test('support frees the seat of a lost device, even where devices may not release', async () => {
    const { code, licence, id } = await newSession(acme, { maxDeviceActivations: 1, allowRelease: false })
    expect((await acme.say('release', licence)).status).toBe(403)
    const released = await must(acme.at('POST', `${sessions}/${id}/release`))
    expect(released).toMatchObject({ holdsSeat: false, isRevoked: false, isValidSession: false })
    expect(released.releasedAt).toEqual(expect.any(String))
    expect(await must(acme.at('POST', `${sessions}/${id}/release`))).toEqual(released)
    expect(problemOf(await acme.say('check-in', licence))).toEqual([403, 'license.session_not_valid'])
    expect((await acme.activate(code.activationCode, 'another')).status).toBe(200)
    expect((await acme.activate(code.activationCode, 'a third')).status).toBe(409)
  })

  test('ten that free one seat at once free one seat', async () => {
    const { code, licence, id } = await newSession(acme, { maxDeviceActivations: 2 })
    await acme.newDevice(code.activationCode)
    await Promise.all([
      ...Array.from({ length: 4 }, () => acme.at('POST', `${sessions}/${id}/release`)),
      ...Array.from({ length: 4 }, () => acme.at('POST', `${sessions}/${id}/revoke`, { body: {} })),
      ...Array.from({ length: 2 }, () => acme.say('release', licence)),
    ])
    const statuses = await Promise.all([1, 2, 3].map((n) => acme.activate(code.activationCode, `next ${n}`)))
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('a revocation under an Idempotency-Key is answered again as it was', async () => {
    const { id } = await newSession()
    const ask = (reason: string) =>
      acme.at('POST', `${sessions}/${id}/revoke`, { body: { reason }, headers: { 'idempotency-key': `revoke ${id}` } })
    const first = await ask('Once')
    const second = await ask('Once')
    expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
    expect(problemOf(await ask('Twice'))).toEqual([409, 'request.idempotency_conflict'])
  })

  test("the vendor's backend lists the sessions of an entitlement that hold a seat", async () => {
    const floating = { licenseModel: 'Floating', leaseTime: 'PT10M' }
    const entitlement = await sandbox.newEntitlement({ licensePolicy: floating })
    const { activationCode } = await sandbox.newCode(entitlement.id)
    const [stays, lapses, released, revoked] = [
      ...[await sandbox.newDevice(activationCode), await sandbox.newDevice(activationCode)],
      ...[await sandbox.newDevice(activationCode), await sandbox.newDevice(activationCode)],
    ]
    await newSession(sandbox)
    const list = async (query = '') =>
      idsOf(await sandbox.get(`operational/entitlements/${entitlement.id}/activations${query}`))
    expect(await list()).toEqual([stays, lapses, released, revoked].map(({ session }) => session.id))
    await must(sandbox.say('release', released))
    await sandbox.post(`${sessions}/${revoked.session.id}/revoke`)
    expect(await list()).toEqual([stays.session.id, lapses.session.id])
    expect(await list(where(`id==${lapses.session.id}`))).toEqual([lapses.session.id])
    await sandbox.advance('PT9M')
    await must(sandbox.say('renew', stays))
    await sandbox.advance('PT2M')
    expect(await list()).toEqual([stays.session.id])
  })

  test('what is not there, of another tenant or no entitlement is not found', async () => {
    const { id, entitlement } = await newSession()
    const offer = await acme.post('admin/entitlements/offers', { name: `Offer ${nextNumber()}` })
    const deeds = (of: string) =>
      [
        ['GET', `${sessions}/${of}`],
        ['POST', `${sessions}/${of}/revoke`],
        ['POST', `admin/sessions/${of}/revoke`],
        ['POST', `${sessions}/${of}/release`],
        ['POST', `${sessions}/${of}/unblock-device`],
      ] as const
    for (const [of, session] of [
      [neighbour, id],
      [acme, noSuchId],
      [acme, 'x'],
    ] as const)
      for (const [method, path] of deeds(session))
        expect(problemOf(await of.at(method, path, method === 'POST' ? { body: {} } : {}))).toEqual([
          ...[404, 'license.record_not_found'],
        ])
    expect((await read(id)).isValidSession).toBe(true)
    expect((await neighbour.get(sessions)).totalCount).toBe(0)
    for (const [of, owner] of [
      [neighbour, entitlement.id],
      [acme, noSuchId],
      [acme, offer.id],
    ] as const)
      expect(problemOf(await of.at('GET', `operational/entitlements/${owner}/activations`))).toEqual([
        ...[404, 'license.record_not_found'],
      ])
  })

  test('a body says what is known, and nothing else', async () => {
    const { id } = await newSession()
    const ask = (path: string, body: unknown) => acme.at('POST', `${sessions}/${id}/${path}`, { body })
    expect(pointersOf(await ask('revoke', { reasons: 'x' }))).toEqual([400, 'license.validation_error', ['/reasons']])
    expect(pointersOf(await ask('revoke', { blockDevice: 'yes' }))[2]).toEqual(['/blockDevice'])
    expect(pointersOf(await ask('revoke', { reason: 'x'.repeat(501) }))[2]).toEqual(['/reason'])
    expect((await ask('release', { reason: 'x' })).status).toBe(400)
    expect((await read(id)).isRevoked).toBe(false)
  })

  test('each operation asks for its scope', async () => {
    const { id, entitlement } = await newSession()
    const reading = await server.tokenWith(['admin.sessions:read', 'operational.entitlements:read'])
    const writing = await server.tokenWith(['admin.sessions:update', 'operational.entitlements:create'])
    const operations = [
      ['GET', sessions, reading, writing],
      ['GET', `${sessions}/${id}`, reading, writing],
      ['GET', `${sessions}/by-user/${noSuchId}`, reading, writing],
      ['GET', `operational/entitlements/${entitlement.id}/activations`, reading, writing],
      ['POST', `${sessions}/${id}/unblock-device`, writing, reading],
      ['POST', `${sessions}/${id}/release`, writing, reading],
      ['POST', `${sessions}/${id}/revoke`, writing, reading],
      ['POST', `admin/sessions/${id}/revoke`, writing, reading],
    ] as const
    for (const [method, path, right, wrong] of operations) {
      const body = method === 'POST' ? { body: {} } : {}
      expect(problemOf(await acme.at(method, path, { ...body, token: null }))).toEqual([401, 'auth.unauthenticated'])
      expect(problemOf(await acme.at(method, path, { ...body, token: wrong }))).toEqual([
        403,
        'auth.insufficient_scope',
      ])
      expect((await acme.at(method, path, { ...body, token: right })).status).toBe(200)
    }
  })
})
