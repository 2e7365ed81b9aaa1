import { describe, expect, test } from 'vitest'
import { everyScope } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must } from '../catalog/catalog-collection.ts'
import { databaseBeside } from '../entitlements/coded-entitlements.ts'
import { devicesOf } from './devices.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const beside = databaseBeside(server)
  const options = { tenant: 'sandbox' as const, token: undefined as string | undefined }
  const devices = devicesOf(server, options)

  /** Moves the clock; the administrator signs in again. */
  const pass = async (by: string) => {
    options.token = await server.tokenWith(everyScope, 'sandbox')
    const { now } = await must(devices.at('POST', 'admin/test-clock/advance', { body: { by } }))
    options.token = await server.tokenWith(everyScope, 'sandbox')
    return Date.parse(now)
  }
  const sold = async (body: object, code: object = {}) => {
    options.token = await server.tokenWith(everyScope, 'sandbox')
    const { id } = await devices.newEntitlement(body)
    return { id: id as string, activationCode: (await devices.newCode(id, code)).activationCode as string }
  }
  const outcome = async (activationCode: string, fingerprint: string, more: object = {}) => {
    const { status, body } = await devices.activate(activationCode, fingerprint, more)
    return status === 200 ? 200 : (body.codeName as string)
  }
  const said = async (deed: 'renew' | 'check-in' | 'release', licensed: { token: string; session: { id: string } }) => {
    const { status, body } = await devices.say(deed, licensed)
    return status === 200 ? 200 : (body.codeName as string)
  }
  const seatsOf = async (id: string) => {
    const count = beside.open.read.selectFrom('seat_counts').select('taken').where('entitlement_id', '=', id)
    return (await count.executeTakeFirstOrThrow()).taken
  }

  describe('a lease', () => {
    test('is over in grace, and the token is good until grace ends', async () => {
      const { activationCode } = await sold({ licensePolicy: { leaseTime: 'P7D', graceTime: 'P3D' } })
      const licensed = await devices.newDevice(activationCode)
      await pass('P8D')
      const { session, checkInBefore } = await must(devices.say('check-in', licensed))
      expect([session.isValidSession, session.leaseExpiration]).toEqual([false, licensed.session.leaseExpiration])
      expect(checkInBefore).toBe(licensed.session.graceExpiration)
      const renewed = await must(devices.say('renew', licensed))
      expect([renewed.session.isValidSession, renewed.session.id]).toEqual([true, licensed.session.id])
      await pass('P9D')
      expect(await said('check-in', renewed)).toBe(200)
      expect(await said('check-in', licensed)).toBe('auth.unauthenticated')
      await pass('P2D')
      expect(await said('renew', renewed)).toBe('auth.unauthenticated')
      const again = await devices.newDevice(activationCode, licensed.session.fingerprint)
      expect(again.session.id).toBe(licensed.session.id)
    })

    test('ends with the entitlement, whose renewal it sees', async () => {
      const now = await pass('PT1S')
      const expirationDateTime = new Date(now + 5 * 24 * 3_600_000).toISOString()
      const { id, activationCode } = await sold({ expirationDateTime, renewalPolicy: { period: 'Monthly' } })
      const licensed = await devices.newDevice(activationCode)
      const { leaseExpiration, graceExpiration, notValidAfterTimestamp } = licensed.session
      expect([leaseExpiration, graceExpiration, notValidAfterTimestamp]).toEqual(Array(3).fill(expirationDateTime))
      await devices.post(`admin/entitlements/${id}/renew`)
      const renewed = await must(devices.say('renew', licensed))
      expect(Date.parse(renewed.session.leaseExpiration)).toBeGreaterThan(Date.parse(expirationDateTime))
      await pass('P40D')
      expect(await outcome(activationCode, 'x')).toBe('license.expired')
    })
  })

  describe('a NodeLocked seat', () => {
    test('is held past grace, until it is given back', async () => {
      const { id, activationCode } = await sold({ licensePolicy: { maxDeviceActivations: 1 } })
      await devices.newDevice(activationCode, 'one')
      await pass('P60D')
      expect([await seatsOf(id), await outcome(activationCode, 'two')]).toEqual([1, 'license.seats_exhausted'])
      const again = await devices.newDevice(activationCode, 'one')
      await must(devices.say('release', again))
      expect(await outcome(activationCode, 'two')).toBe(200)
    })
  })

  describe('a Floating seat', () => {
    test('lapses once with its grace, and its token with it', async () => {
      const { id, activationCode } = await sold({
        licensePolicy: { licenseModel: 'Floating', maxDeviceActivations: 2, graceTime: 'PT5M' },
      })
      const [one, two] = [
        await devices.newDevice(activationCode, 'one'),
        await devices.newDevice(activationCode, 'two'),
      ]
      expect(one.session.leaseTime).toBe('PT10M')
      expect(await outcome(activationCode, 'three')).toBe('license.seats_exhausted')
      await pass('PT12M')
      expect(await outcome(activationCode, 'three')).toBe('license.seats_exhausted')
      expect(await said('renew', two)).toBe(200)
      await pass('PT4M')
      expect(await outcome(activationCode, 'three')).toBe(200)
      expect(await outcome(activationCode, 'four')).toBe('license.seats_exhausted')
      expect([await seatsOf(id), await said('renew', one)]).toEqual([2, 'auth.unauthenticated'])
      expect(await outcome(activationCode, 'one')).toBe('license.seats_exhausted')
      await pass('PT16M')
      const back = await devices.newDevice(activationCode, 'one')
      expect([back.session.id, await seatsOf(id)]).toEqual([one.session.id, 1])
    })
  })

  describe('an InactivityBased seat', () => {
    const policy = { licenseModel: 'InactivityBased', maxDeviceActivations: 1, inactivityTimeout: 'PT30M' }

    test('is kept by checking in, and lapses without', async () => {
      const { id, activationCode } = await sold({ licensePolicy: policy })
      const one = await devices.newDevice(activationCode, 'one')
      for (let at = 0; at < 3; at++) {
        await pass('PT20M')
        const { session, serverTime, checkInBefore } = await must(devices.say('check-in', one))
        expect(Date.parse(checkInBefore) - Date.parse(serverTime)).toBe(30 * 60_000)
        expect(session.holdsSeat).toBe(true)
      }
      await pass('PT20M')
      expect(await outcome(activationCode, 'two')).toBe('license.seats_exhausted')
      await pass('PT11M')
      expect(await outcome(activationCode, 'two')).toBe(200)
      expect([await said('check-in', one), await said('renew', one), await seatsOf(id)]).toEqual([
        'license.seats_exhausted',
        'license.seats_exhausted',
        1,
      ])
      await pass('PT31M')
      expect([await said('check-in', one), await seatsOf(id)]).toEqual([200, 1])
      expect(await outcome(activationCode, 'two')).toBe('license.seats_exhausted')
    })

    test('that nobody else took is taken again', async () => {
      const { id, activationCode } = await sold({ licensePolicy: policy })
      const one = await devices.newDevice(activationCode, 'one')
      await pass('PT2H')
      expect([await said('renew', one), await seatsOf(id)]).toEqual([200, 1])
      expect([await said('release', one), await seatsOf(id)]).toEqual([200, 0])
    })
  })

  describe('a trial', () => {
    test('begins with the first device, and ends for all', async () => {
      const { id, activationCode } = await sold({
        isEntitlementTrial: true,
        trialPolicy: { duration: 'P10D' },
        licensePolicy: { leaseTime: 'P7D' },
      })
      await pass('P30D')
      const one = await devices.newDevice(activationCode, 'one')
      expect(one.session).toMatchObject({ isTrial: true, trialExpiration: one.session.notValidAfterTimestamp })
      expect(Date.parse(one.session.trialExpiration) - Date.parse(one.session.activationTime)).toBe(10 * 86_400_000)
      await pass('P6D')
      const two = await devices.newDevice(activationCode, 'two')
      expect(two.session.leaseExpiration).toBe(one.session.trialExpiration)
      await pass('P5D')
      expect(await outcome(activationCode, 'one')).toBe('license.expired')
      expect(await outcome(activationCode, 'three')).toBe('license.expired')
      expect((await must(devices.at('GET', `admin/entitlements/${id}`))).status).toBe('Expired')
    })

    test('that an entitlement becomes later begins when a device activates next, for good', async () => {
      const { id, activationCode } = await sold({})
      const bought = await devices.newDevice(activationCode, 'one')
      expect(bought.session.isTrial).toBe(false)
      await devices.patch(`admin/entitlements/${id}`, { isEntitlementTrial: true, trialPolicy: { duration: 'P10D' } })
      const trying = await devices.newDevice(activationCode, 'one')
      expect(trying.session).toMatchObject({ id: bought.session.id, isTrial: true })
      await pass('P3D')
      const again = await devices.newDevice(activationCode, 'one')
      expect(again.session.trialExpiration).toBe(trying.session.trialExpiration)
    })

    test('by a code that gives trials is one for each device, and cannot be had twice', async () => {
      const { activationCode } = await sold({ trialPolicy: null }, { isTrialActivation: true })
      const one = await devices.newDevice(activationCode, 'one')
      expect(one.session.isTrial).toBe(true)
      await pass('P10D')
      const two = await devices.newDevice(activationCode, 'two')
      const back = await devices.newDevice(activationCode, 'one')
      await must(devices.say('release', back))
      const again = await devices.newDevice(activationCode, 'one')
      expect(again.session.trialExpiration).toBe(one.session.trialExpiration)
      await must(devices.say('release', again))
      await pass('P5D')
      expect(await outcome(activationCode, 'one')).toBe('license.expired')
      expect(await outcome(activationCode, 'two')).toBe(200)
      expect(two.session.trialExpiration > one.session.trialExpiration).toBe(true)
    })

    test('by a code goes with a device that its components tell of, released or not', async () => {
      const trial = { trialPolicy: { duration: 'PT1H' }, isEntitlementTrial: false }
      const known = { licensePolicy: { componentMatchingStrategy: 'Two' } }
      const { activationCode } = await sold({ ...trial, ...known }, { isTrialActivation: true })
      const components = { MachineName: 'm', MacAddress: 'a' }
      const one = await devices.newDevice(activationCode, 'one', { components })
      await must(devices.say('release', one))
      const sameBoard = { components: { ...components, MachineName: 'n' } }
      const [two, other, silent] = [
        await devices.newDevice(activationCode, 'two', { components }),
        await devices.newDevice(activationCode, 'other', sameBoard),
        await devices.newDevice(activationCode, 'silent'),
      ]
      await must(devices.say('release', two))
      expect(two.session.trialExpiration).toBe(one.session.trialExpiration)
      for (const { session } of [other, silent])
        expect(session.trialExpiration > one.session.trialExpiration).toBe(true)
      await pass('PT59M')
      expect((await devices.newDevice(activationCode, 'three', { components })).session.trialExpiration).toBe(
        one.session.trialExpiration,
      )
      const late = await devices.newDevice(activationCode, 'late')
      await pass('PT1M1S')
      for (const fingerprint of ['one', 'two', 'three', 'four'])
        expect(await outcome(activationCode, fingerprint, { components })).toBe('license.expired')
      await must(devices.activate(activationCode, late.session.fingerprint, { components }))
      expect(await outcome(activationCode, 'one', { components })).toBe('license.expired')
      expect(await outcome(activationCode, 'five', { components: { MachineName: 'm', MacAddress: 'b' } })).toBe(200)
    })

    test('by a code, longer than any date, ends with the last', async () => {
      const trialPolicy = { duration: 'P999999Y' }
      const { activationCode } = await sold({ trialPolicy, isEntitlementTrial: false }, { isTrialActivation: true })
      const { session } = await devices.newDevice(activationCode, 'one')
      expect(session).toMatchObject({ isTrial: true, trialExpiration: '9999-12-31T23:59:59.999Z' })
    })
  })

  test('a code activates until it expires; who has activated by it goes on', async () => {
    const now = await pass('PT1S')
    const { activationCode } = await sold({}, { expirationTimeStamp: new Date(now + 86_400_000).toISOString() })
    const licensed = await devices.newDevice(activationCode)
    await pass('P1D')
    expect(await outcome(activationCode, 'another')).toBe('license.expired')
    expect(await said('renew', licensed)).toBe(200)
  })
})
