import { describe, expect, test } from 'vitest'
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
    const { revoked, others, neighbour } = await newDevices()
    await revoke(revoked.session, {})
    for (const other of others) await must(acme.say('renew', other))
    for (const { session } of [revoked, neighbour]) await revoke(session, { blockDevice: true })
    for (const other of others) expect(problemOf(await acme.say('renew', other))).toEqual(blocked)
    await acme.post(`admin/sessions/activations/${revoked.session.id}/unblock-device`)
    for (const other of others) await must(acme.say('renew', other))
    const { activationCode, fingerprint } = neighbour.session
    expect(problemOf(await acme.activate(activationCode, fingerprint))).toEqual(blocked)
  })

  describe('a device whose fingerprint has changed', () => {
    const components = { MachineName: 'm', MacAddress: 'a', OsVersion: 'o' }
    const newChanging = async (policy: object = {}) => {
      const licensePolicy = { componentMatchingStrategy: 'Two', ...policy }
      const { id } = await acme.newEntitlement({ licensePolicy })
      const { activationCode } = await acme.newCode(id)
      const first = await acme.newDevice(activationCode, 'f1', { components })
      return { id: id as string, code: activationCode as string, first }
    }
    const unblock = (session: Json) => acme.post(`admin/sessions/activations/${session.id}/unblock-device`)

    test('is blocked by each that its session was activated with, and let in by each again', async () => {
      const { code, first } = await newChanging()
      await acme.newDevice(code, 'f2', { components })
      await acme.newDevice(code, 'f3', { components })
      await revoke(first.session, { blockDevice: true })
      for (const fingerprint of ['f1', 'f2', 'f3'])
        expect(problemOf(await acme.activate(code, fingerprint))).toEqual(blocked)
      await acme.newDevice(code, 'another')
      await unblock(first.session)
      for (const fingerprint of ['f1', 'f2', 'f3']) await acme.newDevice(code, fingerprint)
    })

    test('goes on with no session of it that had one of the blocked ones, nor uses anything', async () => {
      const { id, code, first } = await newChanging()
      await acme.newDevice(code, 'f2', { components })
      const { activationCode: other } = await acme.newCode(id)
      const lost = await acme.newDevice(other, 'f1')
      await revoke(lost.session, { blockDevice: true })
      const use = () =>
        acme.at('POST', `usage/try-preallocate/${first.session.id}/exports`, { token: first.token, body: {} })
      for (const deed of ['renew', 'check-in'] as const) expect(problemOf(await acme.say(deed, first))).toEqual(blocked)
      for (const fingerprint of ['f1', 'f2']) expect(problemOf(await acme.activate(code, fingerprint))).toEqual(blocked)
      expect(problemOf(await acme.activate(code, 'f3', { components }))).toEqual(blocked)
      expect(problemOf(await use())).toEqual(blocked)
      await unblock(first.session)
      await must(acme.say('renew', first))
      await acme.newDevice(code, 'f3', { components })
      expect(problemOf(await use())).toEqual([404, 'usage.metric_not_found'])
    })

    test('is blocked by its components within its code until it is unblocked', async () => {
      const { id, code, first } = await newChanging()
      const { activationCode: other } = await acme.newCode(id)
      await revoke(first.session, { blockDevice: true })
      const alike = { components: { ...components, OsVersion: 'p' } }
      expect(problemOf(await acme.activate(code, 'f2', alike))).toEqual(blocked)
      await acme.newDevice(other, 'f4', alike)
      await acme.newDevice(code, 'f3', { components: { MachineName: 'n', OsVersion: 'o' } })
      await unblock(first.session)
      await acme.newDevice(code, 'f2', alike)
    })

    test('is not blocked by its components where all must match, nor where it is more like one that is known', async () => {
      const { id, code, first } = await newChanging({ componentMatchingStrategy: 'MatchAny' })
      const mine = { components: { MachineName: 'n', MacAddress: 'b', OsVersion: 'o' } }
      const neighbour = await acme.newDevice(code, 'g1', { components: { MachineName: 'n', MacAddress: 'b' } })
      await acme.newDevice(code, 'g1', mine)
      await revoke(first.session, { blockDevice: true })
      expect((await acme.newDevice(code, 'g2', mine)).session.id).toBe(neighbour.session.id)
      expect(problemOf(await acme.activate(code, 'h', { components: { MachineName: 'm' } }))).toEqual(blocked)
      await acme.patch(`admin/entitlements/${id}`, { licensePolicy: { componentMatchingStrategy: 'MatchAll' } })
      await acme.newDevice(code, 'h', { components })
    })

    describe('has a neighbour of whose components it shares some', () => {
      const [mine, theirs] = ['mine', 'theirs'].map((own) => ({
        components: { ...components, MachineName: own, MacAddress: own, UserName: 'u' },
      }))
      const newNeighbours = async (policy: object = {}) => {
        const { code, id } = await newChanging(policy)
        const neighbour = await acme.newDevice(code, 'g', { ...mine, applicationInstanceId: 'one' })
        await acme.patch(`admin/entitlements/${id}`, { licensePolicy: { componentMatchingStrategy: 'MatchAll' } })
        const stolen = await acme.newDevice(code, 'h', { ...theirs, applicationInstanceId: 'two' })
        await acme.patch(`admin/entitlements/${id}`, { licensePolicy: { componentMatchingStrategy: 'Two' } })
        return { code, neighbour, stolen }
      }

      test('who starts another instance', async () => {
        const { code, neighbour, stolen } = await newNeighbours({ concurrentInstances: true })
        await revoke(stolen.session, { blockDevice: true })
        await acme.newDevice(code, 'g', { ...mine, applicationInstanceId: 'three' })
        await acme.newDevice(code, 'changed', { ...mine, applicationInstanceId: 'four' })
        for (const fingerprint of ['h', 'i'])
          expect(problemOf(await acme.activate(code, fingerprint, theirs))).toEqual(blocked)
        await must(acme.say('renew', neighbour))
      })

      test('who starts another instance and tells as much of its components as the blocked one has', async () => {
        const { code, stolen } = await newNeighbours({ concurrentInstances: true })
        await revoke(stolen.session, { blockDevice: true })
        const shared = { components: { OsVersion: 'o', UserName: 'u' }, applicationInstanceId: 'three' }
        await acme.newDevice(code, 'g', shared)
        expect(problemOf(await acme.activate(code, 'i', { ...shared, applicationInstanceId: 'five' }))).toEqual(blocked)
      })

      test('it is blocked though another instance of its own tells more of it', async () => {
        const { code, stolen } = await newNeighbours({ concurrentInstances: true })
        const more = { components: { ...theirs!.components, Serial: 's' } }
        await acme.newDevice(code, 'h', { ...more, applicationInstanceId: 'three' })
        await revoke(stolen.session, { blockDevice: true })
        for (const fingerprint of ['h', 'i'])
          expect(problemOf(await acme.activate(code, fingerprint, more))).toEqual(blocked)
      })

      test('it is blocked though it had another fingerprint before, and gave that seat back', async () => {
        const { code, first } = await newChanging()
        await must(acme.say('release', first))
        const { session } = await acme.newDevice(code, 'f2', { components })
        await revoke(session, { blockDevice: true })
        for (const fingerprint of ['f1', 'f3'])
          expect(problemOf(await acme.activate(code, fingerprint, { components }))).toEqual(blocked)
      })
    })

    test('is let in whole by any session that has one of the fingerprints that were blocked together', async () => {
      const { id, code, first } = await newChanging()
      await acme.newDevice(code, 'f2', { components })
      const { activationCode: other } = await acme.newCode(id)
      const lasting = await acme.newDevice(other, 'f2')
      await revoke(first.session, { blockDevice: true })
      await unblock(lasting.session)
      for (const fingerprint of ['f1', 'f2']) await acme.newDevice(code, fingerprint)
      await acme.newDevice(code, 'f3', { components })
    })
  })
})
