import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, problemOf } from '../catalog/catalog-collection.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

const closed = [403, 'license.session_not_valid']
const seatless = [409, 'license.seats_exhausted']
const inactivity = { licenseModel: 'InactivityBased', maxDeviceActivations: 1, leaseTime: 'P400D' }
const notActive = [403, 'license.entitlement_not_active']

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server, 'sandbox')
  const { devices } = meters
  const calls = { calls: { meteredUsage: { consumptionPeriod: 'Lifetime', usageTiers: [tier(0, 100, 'None')] } } }
  const to = (entitlementId: string, deed: string, body: object = {}) =>
    devices.post(`admin/entitlements/${entitlementId}/${deed}`, body)

  /** A licence that has consumed 7 under the key `given`, and holds two more. */
  const newUser = async (entitlementId: string): Promise<Json> => {
    const license = await meters.newSession(entitlementId)
    const given = await meters.consume(license, 'calls', 7, 'given')
    const held = (await meters.hold(license, 'calls', { amount: 1, idempotentKey: 'held' })).body
    const more = (await meters.hold(license, 'calls', { amount: 1, idempotentKey: 'more' })).body
    return { ...license, entitlementId, given, held, more }
  }
  const newUserOf = async (body: object = {}) => newUser((await meters.newEntitlement(calls, body)).id)

  /** What each kind of usage call says. */
  const eachCall = async (license: Json) => {
    const { token, session, held, more } = license
    const get = (what: string) => meters.runtime('GET', `${session.id}/calls/${what}`, token)
    return [
      await meters.tryConsume(license, 'calls', 1),
      await meters.tryConsume(license, 'calls', 7, 'given'),
      await meters.runtime('POST', `try-preallocate/${session.id}/calls`, token),
      await get('usage'),
      await get('consumption'),
      await meters.hold(license, 'calls', { amount: 1 }),
      await meters.settle(license, held.holdId, 1),
      await meters.release(license, more.holdId),
      await meters.runtime('POST', `sessions/${session.id}/transactions`, token, { body: [] }),
      await meters.runtime('POST', `entitlements/${license.entitlementId}/transactions`, token, { body: [] }),
      await meters.runtime('POST', `try-consume/${session.id}/calls?amount=7&idempotentKey=given`, token, {
        headers: { 'idempotency-key': `given ${nextNumber()}` },
      }),
    ].map(problemOf)
  }
  const expectAll = async (license: Json, problem: readonly unknown[]) =>
    expect(new Set((await eachCall(license)).map(String))).toEqual(new Set([String(problem)]))

  /** That everything is as it was left, and goes on from there. */
  const expectUnchanged = async (license: Json) => {
    expect(await meters.consume(license, 'calls', 7, 'given')).toEqual({ ...license.given, replayed: true })
    expect(await meters.usage(license, 'calls')).toMatchObject({ usage: 7, remaining: 91 })
    expect((await meters.settle(license, license.held.holdId, 1)).body).toMatchObject({ allowed: true, usage: 8 })
    expect((await meters.release(license, license.more.holdId)).body).toMatchObject({ released: true })
  }

  test('a session that is revoked or released consumes nothing more, and its neighbour does', async () => {
    const neighbour = await newUserOf()
    const revoked = { ...neighbour, ...(await meters.newSession(neighbour.entitlementId)) }
    const released = { ...neighbour, ...(await meters.newSession(neighbour.entitlementId)) }
    await devices.post(`admin/sessions/activations/${revoked.session.id}/revoke`, { reason: 'lost' })
    await must(devices.say('release', released))
    await expectAll(revoked, closed)
    await expectAll(released, closed)
    await expectUnchanged(neighbour)
  })

  test('what belongs to an entitlement that is deleted is used no more', async () => {
    const license = await newUserOf()
    await must(devices.at('DELETE', `admin/entitlements/${license.entitlementId}`))
    await expectAll(license, notActive)
  })

  test('the other sessions of a blocked device consume nothing until it is blocked no more', async () => {
    const entitlement = await meters.newEntitlement(calls)
    const license = await newUser(entitlement.id)
    const { activationCode } = await devices.newCode(entitlement.id)
    const lost = await devices.newDevice(activationCode, license.session.fingerprint)
    await devices.post(`admin/sessions/activations/${lost.session.id}/revoke`, { reason: 'stolen', blockDevice: true })
    await expectAll(license, [403, 'license.device_not_allowed'])
    await devices.post(`admin/sessions/activations/${lost.session.id}/unblock-device`)
    await expectUnchanged(license)
  })

  test('what is suspended or cancelled is not consumed, and a decision that was given stays', async () => {
    const license = await newUserOf()
    await to(license.entitlementId, 'suspend')
    await expectAll(license, notActive)
    await to(license.entitlementId, 'resume')
    await expectUnchanged(license)
    await to(license.entitlementId, 'cancel')
    await expectAll(license, notActive)
  })

  test('what is not yet valid, or has expired, is not consumed; from its time on and after a renewal it is', async () => {
    const { now } = await devices.get('admin/test-clock')
    const inHours = (hours: number) => new Date(Date.parse(now) + hours * 3_600_000).toISOString()
    const license = await newUserOf()
    const path = `admin/entitlements/${license.entitlementId}`
    await devices.patch(path, { notValidBeforeDateTime: inHours(1), expirationDateTime: inHours(2) })
    await expectAll(license, [403, 'license.not_yet_valid'])
    await devices.advance({ to: inHours(1) })
    expect(await meters.consume(license, 'calls', 7, 'given')).toEqual({ ...license.given, replayed: true })
    await devices.advance({ to: inHours(2) })
    await expectAll(license, [403, 'license.expired'])
    await devices.post(`operational/entitlements/${license.entitlementId}/renew`, { until: inHours(9) })
    expect(await meters.consume(license, 'calls', 7, 'given')).toEqual({ ...license.given, replayed: true })
    expect(await meters.consume(license, 'calls', 1)).toMatchObject({ allowed: true, usage: 8, remaining: 92 })
  })

  test('an InactivityBased seat is kept by whatever is used, and only asked for where it lapsed', async () => {
    const { entitlementId, ...license } = await newUserOf({ licensePolicy: inactivity })
    const { activationCode } = await devices.newCode(entitlementId)
    const lastAccess = async () =>
      Date.parse((await devices.get(`admin/sessions/activations/${license.session.id}`)).lastAccessTime)
    const { token, session } = license
    const activated = await lastAccess()
    await devices.advance('PT5M')
    await meters.consume(license, 'calls', 1)
    expect(await lastAccess()).toBe(activated)
    let before = activated
    for (const use of [
      () => meters.tryConsume(license, 'calls', 1),
      () => meters.tryConsume(license, 'calls', 500),
      () => meters.hold(license, 'calls', { amount: 1, expiresIn: 'P1D' }),
      () =>
        meters.runtime('POST', `try-consume/${session.id}/calls?amount=1&idempotentKey=kept`, token, {
          headers: { 'idempotency-key': `kept ${nextNumber()}` },
        }),
      () => meters.runtime('POST', `sessions/${session.id}/transactions`, token, { body: [] }),
      () => meters.runtime('POST', `entitlements/${entitlementId}/transactions`, token, { body: [] }),
    ]) {
      await devices.advance('PT50M')
      await must(use())
      const after = await lastAccess()
      expect(after - before).toBeGreaterThanOrEqual(50 * 60_000)
      before = after
    }
    await devices.advance('PT50M')
    expect(problemOf(await devices.activate(activationCode, 'another'))).toEqual(seatless)
    await meters.usage(license, 'calls')
    await devices.advance('PT11M')
    expect((await devices.activate(activationCode, 'another')).status).toBe(200)
  })

  test('a device whose seat lapsed and was taken uses nothing until one is free, and reports what it did all the same', async () => {
    const license = await newUserOf({ licensePolicy: inactivity })
    const { session, entitlementId, token } = license
    const hold = (await meters.hold(license, 'calls', { amount: 2, expiresIn: 'P1D' })).body
    const spare = (await meters.hold(license, 'calls', { amount: 1, expiresIn: 'P1D' })).body
    const again = () => meters.runtime('POST', `try-consume/${session.id}/calls?amount=1&idempotentKey=again`, token)
    const consumed = (await again()).body
    const { activationCode } = await devices.newCode(entitlementId)
    await devices.advance('PT61M')
    const other = await devices.newDevice(activationCode, 'another')
    const keyed = { headers: { 'idempotency-key': `key ${nextNumber()}` } }
    for (const refused of [
      await meters.tryConsume(license, 'calls', 1),
      await meters.runtime('POST', `try-consume/${session.id}/calls?amount=1&idempotentKey=x`, token, keyed),
      await meters.hold(license, 'calls', { amount: 1 }),
    ])
      expect(problemOf(refused)).toEqual(seatless)
    expect((await again()).body).toEqual({ ...consumed, replayed: true })
    expect(await meters.usage(license, 'calls')).toMatchObject({ usage: 8 })
    expect((await meters.settle(license, hold.holdId, 2)).body).toMatchObject({ allowed: true, usage: 10 })
    expect((await meters.release(license, spare.holdId)).body).toMatchObject({ released: true })
    const occurredAt = other.session.activationTime
    const eventData = JSON.stringify({ metricName: 'calls', amount: 3, occurredAt })
    const records = [{ transactionId: 1, eventName: 'UsageReported', eventData }]
    const sent = await meters.runtime('POST', `sessions/${session.id}/transactions`, token, { body: records })
    expect(sent.body).toMatchObject({ processed: 1 })
    await must(devices.say('release', other))
    expect((await meters.tryConsume(license, 'calls', 1)).body).toMatchObject({ allowed: true, usage: 14 })
    expect(problemOf(await devices.activate(activationCode, 'another'))).toEqual(seatless)
  })
})
