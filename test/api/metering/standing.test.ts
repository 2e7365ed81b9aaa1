import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, problemOf } from '../catalog/catalog-collection.ts'
import { metersOf, tier } from './metered-sales.ts'

type Json = ReturnType<typeof JSON.parse>

const closed = [403, 'license.session_not_valid']
const notActive = [403, 'license.entitlement_not_active']

forEachStore((store) => {
  const server = serveTests(store)
  const meters = metersOf(server, 'sandbox')
  const { devices } = meters
  const calls = { calls: { meteredUsage: { usageTiers: [tier(0, 100, 'None')] } } }
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
})
