import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'
import { devicesOf } from './devices.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const sandbox = devicesOf(server, { tenant: 'sandbox' })

  /** An entitlement of one seat, which a device holds. */
  const sell = async (policy: object) => {
    const entitlement = await sandbox.newEntitlement({ licensePolicy: { ...policy, maxDeviceActivations: 1 } })
    const { id: codeId, activationCode } = await sandbox.newCode(entitlement.id)
    return { id: entitlement.id as string, codeId, activationCode, device: await sandbox.newDevice(activationCode) }
  }
  const change = (id: string, policy: object) =>
    sandbox.patch(`admin/entitlements/${id}`, { licensePolicy: { ...policy, maxDeviceActivations: 1 } })
  const wants = async (activationCode: string) => {
    const { status, body } = await sandbox.activate(activationCode, `device ${nextNumber()}`)
    return status === 200 ? 'a seat' : (body.codeName as string)
  }
  /** What everybody who does not want a seat is told of it. */
  const told = async ({ id, codeId, activationCode, device }: Json) => {
    const codes = `admin/entitlements/${id}/activation-codes`
    const filter = encodeURIComponent(`entitlementId==${id},holdsSeat==true`)
    const check = { token: null, body: { activationCode } }
    const { intervals } = await sandbox.get('admin/reports/activations?interval=Month')
    const { totalCount: held } = await sandbox.get('admin/sessions/activations?filter=holdsSeat==true')
    expect(intervals.at(-1).seats).toBe(held)
    return {
      record: (await sandbox.get(`admin/sessions/activations/${device.session.id}`)).holdsSeat,
      filtered: (await sandbox.get(`admin/sessions/activations?filter=${filter}`)).totalCount === 1,
      active: (await sandbox.get(`operational/entitlements/${id}/activations`)).totalCount === 1,
      code: (await sandbox.get(`${codes}/${codeId}`)).status === 'Active',
      codeFiltered: (await sandbox.get(`${codes}?filter=usedActivations==1`)).totalCount === 1,
      admission: !(await must(sandbox.at('POST', 'activations/admission/check', check))).admitted,
    }
  }
  const everywhere = (held: boolean) => ({
    ...{ record: held, filtered: held, active: held },
    ...{ code: held, codeFiltered: held, admission: held },
  })

  const nodeLocked = { licenseModel: 'NodeLocked' }
  const floating = { licenseModel: 'Floating' }
  const inactivity = (inactivityTimeout: string) => ({ licenseModel: 'InactivityBased', inactivityTimeout })

  test.each([
    ['NodeLocked, now Floating, is free after its grace', nodeLocked, floating, 'P30D'],
    [
      'NodeLocked, now InactivityBased, is free when it was not used for so long',
      nodeLocked,
      inactivity('P1M'),
      'P40D',
    ],
    [
      'held for ten days without use, now for an hour, is free after two',
      inactivity('P10D'),
      inactivity('PT1H'),
      'PT2H',
    ],
    ['InactivityBased, now Floating, is free after its grace', inactivity('P90D'), floating, 'P30D'],
  ])('a seat %s', async (_words, before, after, time) => {
    const sold = await sell(before)
    await change(sold.id, after)
    expect(await told(sold)).toEqual(everywhere(true))
    await sandbox.advance(time)
    expect(await told(sold)).toEqual(everywhere(false))
    expect(await wants(sold.activationCode)).toBe('a seat')
    expect(await wants(sold.activationCode)).toBe('license.seats_exhausted')
  })

  test('who is refused counts out no seat that had lapsed, whoever else takes one at the same moment', async () => {
    const [sold, other] = [await sell(floating), await sell(floating)]
    await sandbox.advance('P30D')
    const refused = () => sandbox.activate(sold.activationCode, 'stranger', { productCode: 'NO-SUCH' })
    const answers = await Promise.all([refused(), sandbox.activate(other.activationCode, 'another'), refused()])
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 400])
    await change(sold.id, nodeLocked)
    expect(await told(sold)).toEqual(everywhere(true))
    expect(await wants(sold.activationCode)).toBe('license.seats_exhausted')
    const again = await sandbox.activate(sold.activationCode, sold.device.session.fingerprint)
    expect(again.status).toBe(200)
  })

  test.each([
    ['Floating, now NodeLocked, does not lapse with its grace', floating, nodeLocked, 'P30D'],
    [
      'held for an hour without use, now for ten days, is held after two',
      inactivity('PT1H'),
      inactivity('P10D'),
      'PT2H',
    ],
    ['InactivityBased, now NodeLocked, does not lapse', inactivity('PT1H'), nodeLocked, 'P300D'],
  ])('a seat %s', async (_words, before, after, time) => {
    const sold = await sell(before)
    await change(sold.id, after)
    await sandbox.advance(time)
    expect(await told(sold)).toEqual(everywhere(true))
    expect(await wants(sold.activationCode)).toBe('license.seats_exhausted')
    expect(await told(sold)).toEqual(everywhere(true))
  })

  test('a policy that is changed again and again is followed each time, and a seat is counted out once', async () => {
    const sold = await sell(nodeLocked)
    for (const policy of [floating, inactivity('PT1H'), nodeLocked]) await change(sold.id, policy)
    await sandbox.advance('P60D')
    expect([await told(sold), await wants(sold.activationCode)]).toEqual([everywhere(true), 'license.seats_exhausted'])
    await change(sold.id, floating)
    expect([await told(sold), await wants(sold.activationCode)]).toEqual([everywhere(false), 'a seat'])
    await change(sold.id, nodeLocked)
    await sandbox.advance('P60D')
    expect(await wants(sold.activationCode)).toBe('license.seats_exhausted')
    expect((await sandbox.get(`admin/entitlements/${sold.id}`)).status).toBe('Active')
  })

  test('a device whose seat lapses by the new policy keeps it when it is heard of before another wants it', async () => {
    const sold = await sell(inactivity('P5D'))
    await change(sold.id, inactivity('PT1H'))
    await sandbox.advance('PT2H')
    const { session } = await must(sandbox.say('check-in', sold.device))
    expect(session.holdsSeat).toBe(true)
    expect(await wants(sold.activationCode)).toBe('license.seats_exhausted')
    await sandbox.advance('PT2H')
    expect(await wants(sold.activationCode)).toBe('a seat')
    const { body } = await sandbox.say('renew', sold.device)
    expect(body.codeName).toBe('license.seats_exhausted')
  })
  test.each(['MatchAll', 'MatchAny'])(
    'a device whose instances do not count any more has the oldest of their seats, known by %s',
    async (componentMatchingStrategy) => {
      const policy = { componentMatchingStrategy, maxDeviceActivations: 2 }
      const { id } = await sandbox.newEntitlement({ licensePolicy: { ...policy, concurrentInstances: true } })
      const { activationCode } = await sandbox.newCode(id)
      const start = async (more: object = {}) => (await sandbox.newDevice(activationCode, 'device', more)).session.id
      const one = await start({ applicationInstanceId: 'one' })
      expect(await start({ applicationInstanceId: 'two' })).not.toBe(one)
      await sandbox.patch(`admin/entitlements/${id}`, { licensePolicy: { ...policy, concurrentInstances: false } })
      for (const more of [{}, { applicationInstanceId: 'two' }, { applicationInstanceId: 'three' }])
        expect(await start(more)).toBe(one)
      expect(await wants(activationCode)).toBe('license.seats_exhausted')
    },
  )
})
