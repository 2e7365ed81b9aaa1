import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { catalogRevision, must, nextNumber, noSuchId, problemOf } from '../catalog/catalog-collection.ts'
import { devicesOf } from './devices.ts'

const refused = [403, 'license.entitlement_not_active']

forEachStore((store) => {
  const server = serveTests(store)
  const devices = devicesOf(server)
  const admitted = async (activationCode: string) =>
    (await must(devices.at('POST', 'activations/admission/check', { token: null, body: { activationCode } }))).admitted

  test('while they are disabled no device gets a seat that holds none, and those that hold one go on', async () => {
    const sold = await devices.newEntitlement({ licensePolicy: { licenseModel: 'Floating', maxDeviceActivations: 9 } })
    const { activationCode } = await devices.newCode(sold.id)
    const [held, released] = [
      await devices.newDevice(activationCode, 'held'),
      await devices.newDevice(activationCode, 'r'),
    ]
    await must(devices.say('release', released))
    const toggle = (action: string) => devices.post(`admin/entitlements/${sold.id}/${action}`)
    const closed = await toggle('disable-activations')
    expect(closed).toMatchObject({ id: sold.id, status: 'Active', activationsEnabled: false, revisionNumber: 2 })
    expect(await toggle('disable-activations')).toEqual(closed)
    expect(await devices.get(`admin/entitlements/${sold.id}`)).toEqual(closed)
    const found = await devices.get(`admin/entitlements?filter=activationsEnabled==false`)
    expect(found.items).toEqual([closed])
    for (const fingerprint of ['new', 'r']) {
      const answer = await devices.activate(activationCode, fingerprint)
      expect(problemOf(answer)).toEqual(refused)
      expect([answer.body.code, answer.body.detail]).toEqual([2101, expect.stringContaining('disabled')])
      const jwt = { token: null, body: { activationCode, fingerprint } }
      expect(problemOf(await devices.at('POST', 'activations/jwt', jwt))).toEqual(refused)
    }
    const artifact = {
      meta: {
        schemaVersion: 1,
        nonce: randomBytes(32).toString('base64url'),
        requestedAt: '2026-03-04T05:06:07.000Z',
        sdkVersion: 'test/1',
      },
      body: { activationCode, fingerprint: 'without a network' },
    }
    const offline = await devices.at('POST', 'operational/activations/offline/issue', { body: artifact })
    expect(offline.body).toMatchObject({ codeName: 'offline.activation_refused', reason: refused[1] })
    expect(await admitted(activationCode)).toBe(false)
    for (const deed of ['check-in', 'renew'] as const) expect((await devices.say(deed, held)).status).toBe(200)
    expect((await must(devices.activate(activationCode, 'held'))).session.id).toBe(held.session.id)
    expect(await toggle('enable-activations')).toMatchObject({ activationsEnabled: true, revisionNumber: 3 })
    expect(await admitted(activationCode)).toBe(true)
    expect((await devices.activate(activationCode, 'new')).status).toBe(200)
  })

  test.each(['entitlements', 'entitlements/offers'])(
    'no visitor begins to try an offer closed at admin/%s',
    async (path) => {
      const offer = await devices.post('admin/entitlements/offers', {
        ...{ name: `Try ${nextNumber()}`, status: 'Active', allowAnonymousTry: true, anonymousTryPolicy: {} },
      })
      const tryIt = (fingerprint: string) =>
        devices.at('POST', 'activations/try', { token: null, body: { offerId: offer.id, fingerprint } })
      const tried = await must(tryIt('one'))
      const revision = await catalogRevision(server)
      const closed = await devices.post(`admin/${path}/${offer.id}/disable-activations`)
      expect(closed).toMatchObject({ isOffer: true, activationsEnabled: false, revisionNumber: 2 })
      expect(problemOf(await tryIt('two'))).toEqual(refused)
      expect((await must(tryIt('one'))).session.id).toBe(tried.session.id)
      const clone = await devices.post('admin/entitlements/offers/from-offer', { entitlementOfferId: offer.id })
      expect(clone.entitlement).toMatchObject({ activationsEnabled: true })
      await devices.post(`admin/${path}/${offer.id}/enable-activations`)
      expect((await tryIt('two')).status).toBe(200)
      expect(await catalogRevision(server)).toBe(revision)
    },
  )

  test('what the neighbour asks, what never was and an old revision are refused', async () => {
    const { id } = await devices.newEntitlement()
    for (const action of ['disable-activations', 'enable-activations']) {
      const path = (of: string) => `admin/entitlements/${of}/${action}`
      expect((await devices.at('POST', path(noSuchId))).status).toBe(404)
      expect((await devices.at('POST', path(id), { tenant: 'neighbour' })).status).toBe(404)
      expect((await devices.at('POST', `admin/entitlements/offers/${id}/${action}`)).status).toBe(404)
      const stale = await devices.at('POST', path(id), { headers: { 'if-match': '"7"' } })
      expect(problemOf(stale)).toEqual([412, 'request.precondition_failed'])
    }
  })
})
