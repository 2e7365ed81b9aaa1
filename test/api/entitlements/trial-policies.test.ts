import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from '../activations/devices.ts'
import { must, nextNumber } from '../catalog/catalog-collection.ts'
import { entitlementsInTime } from './entitlements-in-time.ts'

type Json = ReturnType<typeof JSON.parse>
const day = 86_400_000

forEachStore((store) => {
  const here = entitlementsInTime(store)
  const sandbox = devicesOf(here.server, { tenant: 'sandbox' })

  const newActive = (fields: object = {}): Promise<Json> => here.create({ status: 'Active', ...fields })
  const edit = (id: string, body: object) => must(here.at('PATCH', `admin/entitlements/${id}`, body))
  const switched: Record<string, (id: string, trialPolicy: object) => Promise<Json>> = {
    PATCH: (id, trialPolicy) => edit(id, { trialPolicy }),
    PUT: async (id, trialPolicy) =>
      must(here.at('PUT', `admin/entitlements/${id}`, { ...(await here.get(id)), trialPolicy })),
    'PUT of the policy': async (id, trialPolicy) => {
      await must(here.at('PUT', `admin/entitlements/${id}/policies/trial`, trialPolicy))
      return here.get(id)
    },
  }
  const paid = { isEntitlementTrial: false, subscriptionStatus: 'Active', trialStartedAt: null, trialEndsAt: null }
  const waiting = { ...paid, isEntitlementTrial: true, subscriptionStatus: 'Trialing' }
  const lengthOf = ({ trialStartedAt, trialEndsAt }: Json) => Date.parse(trialEndsAt) - Date.parse(trialStartedAt)
  const newDevice = async (id: string): Promise<Json> =>
    sandbox.newDevice((await must(here.at('POST', `admin/entitlements/${id}/activation-codes`, {}))).activationCode)
  const newLicence = async (fields: object = {}) => {
    const { id } = await newActive({ name: `Licence ${nextNumber()}`, ...fields })
    return { id, device: await newDevice(id) }
  }

  describe.each(Object.entries(switched))('by %s', (_way, give) => {
    test('one that is Active becomes a trial that waits for its first device, and none again', async () => {
      const { id } = await newActive()
      expect(await give(id, { enabled: true })).toMatchObject(waiting)
      expect(await give(id, { enabled: false })).toMatchObject(paid)
      expect(await give(id, { enabled: true })).toMatchObject(waiting)
      await newDevice(id)
      expect(lengthOf(await here.get(id))).toBe(14 * day)
      expect(await give(id, { enabled: false })).toMatchObject(paid)
      await here.advance({ by: 'P20D' })
      expect(await here.get(id)).toMatchObject({ status: 'Active', ...paid })
    })

    test('a licence whose end is paid for stays one', async () => {
      const { id } = await newActive({ expirationDateTime: new Date((await here.now()) + 300 * day).toISOString() })
      expect(await give(id, { enabled: true })).toMatchObject(paid)
    })

    test('a trial from its creation begins when it is switched on, and is over in its time', async () => {
      const { id } = await newActive()
      await here.advance({ by: 'P30D' })
      const begun = await give(id, { enabled: true, startsOn: 'Creation', duration: 'P3D' })
      expect(begun).toMatchObject({ isEntitlementTrial: true, subscriptionStatus: 'Trialing' })
      expect([Date.parse(begun.trialStartedAt) > Date.parse(begun.createdAt) + 29 * day, lengthOf(begun)]).toEqual([
        ...[true, 3 * day],
      ])
      await here.advance({ by: 'P4D' })
      expect(await here.get(id)).toMatchObject({ status: 'Expired' })
      expect(await here.typesOf(id)).toEqual(['Activated', 'TrialExpiring'])
    })
  })

  test('where a device uses it the trial begins at once, and its session follows when it renews', async () => {
    const { id, device } = await newLicence()
    expect(device.session).toMatchObject({ isTrial: false, trialExpiration: null })
    const begun = await edit(id, { trialPolicy: { duration: 'P3D' } })
    expect(lengthOf(begun)).toBe(3 * day)
    const tried = (await sandbox.say('renew', device)).body
    expect(tried.session).toMatchObject({ isTrial: true, trialExpiration: begun.trialEndsAt })
    expect(decodeJwt(tried.token)).toMatchObject({ trial: true })
    await edit(id, { trialPolicy: { enabled: false } })
    const freed = (await sandbox.say('renew', tried)).body
    expect(freed.session).toMatchObject({ isTrial: false, trialExpiration: null })
    expect(decodeJwt(freed.token)).toMatchObject({ trial: false })
  })

  test('a device that has given its seat back does not use it', async () => {
    const { id, device } = await newLicence()
    expect((await sandbox.say('release', device)).status).toBe(200)
    expect(await edit(id, { trialPolicy: {} })).toMatchObject(waiting)
    expect(await edit(id, { clearTrialPolicy: true })).toMatchObject({ ...paid, trialPolicy: null })
  })

  test('what is Suspended follows, too; what the request says of it itself holds', async () => {
    const { id } = await newActive()
    await here.does(id, 'suspend')
    expect(await edit(id, { trialPolicy: {} })).toMatchObject({ isEntitlementTrial: true })
    expect(await edit(id, { trialPolicy: { enabled: false } })).toMatchObject({ isEntitlementTrial: false })
    expect(await edit(id, { trialPolicy: { enabled: true }, isEntitlementTrial: false })).toMatchObject({
      isEntitlementTrial: false,
    })
  })

  test('one that is said to be a trial without a policy has the default one', async () => {
    const trialPolicy = { enabled: true, duration: 'P14D', startsOn: 'Activation' }
    const { id, ...made } = await newActive({ isEntitlementTrial: true })
    expect(made).toMatchObject({ ...waiting, trialPolicy })
    await newDevice(id)
    expect(lengthOf(await here.get(id))).toBe(14 * day)
    expect((await here.at('PUT', `operational/entitlements/${id}/policies/trial/restart-trial`)).status).toBe(200)
    const later = await newActive()
    expect(await edit(later.id, { isEntitlementTrial: true })).toMatchObject({ ...waiting, trialPolicy })
    const off = await newActive({ isEntitlementTrial: true, trialPolicy: { enabled: false } })
    expect(off).toMatchObject({ trialPolicy: { enabled: false }, subscriptionStatus: 'Active' })
  })

  test('one that was marked a trial without a policy before stays as it is, until it is given one', async () => {
    const { id } = await newActive()
    await here.database.transact((tx) =>
      tx.updateTable('entitlements').set({ is_entitlement_trial: 1 }).where('id', '=', id).execute(),
    )
    const read = await here.get(id)
    expect(read).toMatchObject({ ...paid, isEntitlementTrial: true, trialPolicy: null })
    expect(await must(here.at('PUT', `admin/entitlements/${id}`, read))).toMatchObject({ trialPolicy: null })
    expect(await edit(id, { trialPolicy: {} })).toMatchObject(waiting)
  })

  test('what was paid for after its trial stays so, and so does what had a policy without being a trial', async () => {
    const { id } = await newLicence({ trialPolicy: {} })
    const renewed = await here.does(id, 'renew', { periods: 1 })
    expect(renewed).toMatchObject({ isEntitlementTrial: false, subscriptionStatus: 'Active' })
    for (const enabled of [false, true])
      expect(await edit(id, { trialPolicy: { enabled } })).toMatchObject({
        ...{ isEntitlementTrial: false, trialEndsAt: renewed.trialEndsAt },
      })
    const sold = await newActive({ trialPolicy: {}, isEntitlementTrial: false })
    expect(await edit(sold.id, { trialPolicy: { duration: 'P1D' } })).toMatchObject(paid)
  })
})
