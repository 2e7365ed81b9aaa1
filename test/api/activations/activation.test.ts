import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must } from '../catalog/catalog-collection.ts'
import { devicesOf } from './devices.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const devices = devicesOf(server)

  const license = async (licensePolicy: object, more: object = {}) => {
    const entitlement = await devices.newEntitlement({ licensePolicy, ...more })
    const { activationCode } = await devices.newCode(entitlement.id)
    return { entitlement, activationCode }
  }

  test('a device activates, checks in, renews and gives its seat back', async () => {
    const { entitlement, activationCode } = await license(
      { maxDeviceActivations: 1 },
      { legalNoticeHtml: '<p>Be kind</p>' },
    )
    const activated = await devices.newDevice(activationCode, 'device one', {
      deviceName: 'Workshop',
      email: 'ada@example.com',
      applicationInfo: { applicationName: 'CAD', installedApplicationVersion: '2.0' },
    })
    expect(activated).toMatchObject({
      entitlement: { id: entitlement.id, name: entitlement.name, version: null },
      provider: { id: server.tenantIds.acme, name: 'The tenant acme' },
      legalNoticeHtml: '<p>Be kind</p>',
      licensedProductIds: [],
      session: {
        isTrial: false,
        isValidSession: true,
        isRevoked: false,
        holdsSeat: true,
        leaseTime: 'P7D',
        fingerprint: 'device one',
        deviceName: 'Workshop',
        email: 'ada@example.com',
        activationCode,
        entitlementId: entitlement.id,
      },
    })
    const day = 24 * 3_600_000
    const { activationTime, leaseExpiration, graceExpiration } = activated.session
    expect(Date.parse(leaseExpiration) - Date.parse(activationTime)).toBe(7 * day)
    expect(Date.parse(graceExpiration) - Date.parse(leaseExpiration)).toBe(3 * day)

    const checkedIn = await must(devices.say('check-in', activated))
    expect(checkedIn).toMatchObject({ session: { id: activated.session.id }, checkInBefore: leaseExpiration })
    const renewed = await must(devices.say('renew', activated))
    expect(renewed.session.id).toBe(activated.session.id)
    expect(renewed.session.leaseExpiration > leaseExpiration).toBe(true)

    const other = await devices.activate(activationCode, 'device two')
    expect([other.status, other.body.codeName]).toEqual([409, 'license.seats_exhausted'])
    const released = await must(devices.say('release', renewed))
    expect(released).toEqual({ sessionId: activated.session.id, released: true, releasedAt: expect.any(String) })
    expect(await must(devices.say('release', activated))).toEqual(released)
    for (const deed of ['renew', 'check-in'] as const) {
      const refused = await devices.say(deed, activated)
      expect([refused.status, refused.body.codeName]).toEqual([403, 'license.session_not_valid'])
    }
    const second = await devices.newDevice(activationCode, 'device two')
    expect(second.session.id).not.toBe(activated.session.id)
  })
})
