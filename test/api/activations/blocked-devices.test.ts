import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, problemOf } from '../catalog/catalog-collection.ts'
import { devicesOf } from './devices.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const acme = devicesOf(serveTests(store))
  const blocked = [403, 'license.device_not_allowed']
  const revoke = (session: Json, body: object) =>
    acme.post(`admin/sessions/activations/${session.id}/revoke`, { reason: 'stolen', ...body })

  /** An entitlement with two codes, and a device that has three sessions of it. */
  const newDevices = async () => {
    const { id } = await acme.newEntitlement({ licensePolicy: { concurrentInstances: true } })
    const [one, two] = [await acme.newCode(id), await acme.newCode(id)].map(({ activationCode }) => activationCode)
    const fingerprint = `device ${nextNumber()}`
    return {
      revoked: await acme.newDevice(one, fingerprint, { applicationInstanceId: 'one' }),
      others: [
        await acme.newDevice(one, fingerprint, { applicationInstanceId: 'two' }),
        await acme.newDevice(two, fingerprint, { applicationInstanceId: 'one' }),
      ],
      neighbour: await acme.newDevice(one, `device ${nextNumber()}`),
    }
  }

  test('a blocked device goes on with none of its sessions of the entitlement, by whichever code or instance', async () => {
    const { revoked, others, neighbour } = await newDevices()
    await revoke(revoked.session, { blockDevice: true })
    for (const other of others)
      for (const deed of ['renew', 'check-in'] as const) expect(problemOf(await acme.say(deed, other))).toEqual(blocked)
    expect(problemOf(await acme.say('renew', revoked))).toEqual([403, 'license.session_not_valid'])
    for (const deed of ['renew', 'check-in'] as const) await must(acme.say(deed, neighbour))
  })

  test('a blocked device may give its other seats back', async () => {
    const { revoked, others } = await newDevices()
    await revoke(revoked.session, { blockDevice: true })
    for (const other of others) expect(await must(acme.say('release', other))).toMatchObject({ released: true })
  })

  test('its other sessions go on when it is blocked no more, or was revoked alone', async () => {
    const { revoked, others } = await newDevices()
    await revoke(revoked.session, {})
    for (const other of others) await must(acme.say('renew', other))
    await revoke(revoked.session, { blockDevice: true })
    for (const other of others) expect(problemOf(await acme.say('renew', other))).toEqual(blocked)
    await acme.post(`admin/sessions/activations/${revoked.session.id}/unblock-device`)
    for (const other of others) await must(acme.say('renew', other))
  })
})
