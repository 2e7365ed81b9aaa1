import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, problemOf } from '../catalog/catalog-collection.ts'
import { devicesOf } from './devices.ts'

type Json = ReturnType<typeof JSON.parse>

forEachStore((store) => {
  const server = serveTests(store)
  const acme = devicesOf(server)
  const components = { MachineName: 'm' }
  const claimsOf = (token: string): Json => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8'))
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

  /** A code of an entitlement with one seat, whose devices are known by any of their components. */
  const sell = async (policy: object = {}, code: object = {}) => {
    const licensePolicy = { componentMatchingStrategy: 'MatchAny', maxDeviceActivations: 1, ...policy }
    const { id } = await acme.newEntitlement({ licensePolicy })
    return { id: id as string, code: (await acme.newCode(id, code)).activationCode as string }
  }
  const issue = async (activationCode: string, fingerprint: string, more: object = {}): Promise<Json> => {
    const meta = { schemaVersion: 1, nonce: randomBytes(32).toString('base64url'), requestedAt: '2026-03-04T05:06:07Z' }
    const body = { activationCode, fingerprint, ...more }
    const { signedPayload } = await acme.post('operational/activations/offline/issue', { meta, body })
    return JSON.parse(Buffer.from(signedPayload, 'base64url').toString('utf8'))
  }

  describe('a device whose fingerprint has changed', () => {
    test('is known by every fingerprint that it was activated with, and says the one that it shows', async () => {
      const { id, code } = await sell()
      const first = await acme.newDevice(code, 'f1', { components })
      for (const fingerprint of ['f2', 'f3', 'f1', 'f2', 'f1', 'f3']) {
        const more = fingerprint === 'f3' ? { components } : {}
        const again = await acme.newDevice(code, fingerprint, fingerprint === 'f2' ? { components } : more)
        expect([again.session.id, again.session.fingerprint]).toEqual([first.session.id, fingerprint])
        expect(claimsOf(again.token).fingerprint).toBe(sha256(fingerprint))
      }
      for (const fingerprint of ['f1', 'f2', 'f3'])
        expect((await acme.newDevice(code, fingerprint)).session.id).toBe(first.session.id)
      expect(problemOf(await acme.activate(code, 'f4'))).toEqual([409, 'license.seats_exhausted'])
      expect((await acme.get(`operational/entitlements/${id}/activations`)).items).toHaveLength(1)
    })

    test('takes no second seat by its first fingerprint, where there is one', async () => {
      const { id, code } = await sell({ maxDeviceActivations: 5 })
      const first = await acme.newDevice(code, 'f1', { components })
      await acme.newDevice(code, 'f2', { components })
      const other = { components: { MachineName: 'another' } }
      for (const more of [{}, other]) expect((await acme.newDevice(code, 'f1', more)).session.id).toBe(first.session.id)
      expect((await acme.get(`operational/entitlements/${id}/activations`)).items).toHaveLength(1)
    })

    test('is known by each of them offline, and when all are shown at once', async () => {
      const { code } = await sell()
      const first = await issue(code, 'f "1\\é', { components })
      await issue(code, 'f2', { components })
      const fingerprints = ['f "1\\é', 'f2', 'f "1\\é', 'f3', 'f2']
      const shown = await Promise.all(
        fingerprints.map((fingerprint) =>
          acme.newDevice(code, fingerprint, fingerprint === 'f3' ? { components } : {}),
        ),
      )
      expect(shown.map(({ token }) => claimsOf(token).fingerprint)).toEqual(fingerprints.map(sha256))
      for (const fingerprint of fingerprints)
        expect(await issue(code, fingerprint)).toMatchObject({ sub: first.sub, fingerprint: sha256(fingerprint) })
    })

    test('is known by a component whatever is written in it', async () => {
      const { code } = await sell()
      const hash = 'a "quoted\\" \u0001 é 😀 %_'
      const first = await acme.newDevice(code, 'f1', { components: { Disk: 'd', MachineName: hash } })
      const again = await acme.newDevice(code, 'f2', { components: { MachineName: hash } })
      expect(again.session.id).toBe(first.session.id)
      const alike = { Disk: hash, MachineName: `","MachineName":"${hash}` }
      expect(problemOf(await acme.activate(code, 'f3', { components: alike }))).toEqual([
        409,
        'license.seats_exhausted',
      ])
    })

    test('is known when very many come back at once', async () => {
      const { id, code } = await sell({ maxDeviceActivations: 40, componentMatchingStrategy: 'Two' })
      const comeBack = (edition: string) =>
        Promise.all(
          Array.from({ length: 40 }, async (_, index) => {
            const parts = {
              MachineName: `m${index}`,
              MacAddress: `a${index}`,
              OsVersion: 'o',
              Disk: `${edition}${index}`,
            }
            return (await acme.newDevice(code, `${edition}${index}`, { components: parts })).session.id
          }),
        )
      const first = await comeBack('first')
      expect(await comeBack('second')).toEqual(first)
      expect((await acme.get(`operational/entitlements/${id}/activations?pageSize=1`)).totalCount).toBe(40)
    })

    test('goes on under each of them', async () => {
      const { code } = await sell()
      const first = await acme.newDevice(code, 'f1', { components })
      await acme.newDevice(code, 'f2', { components })
      const renew = (fingerprint: string) =>
        acme.at('POST', `activations/${first.session.id}/renew`, { token: first.token, body: { fingerprint } })
      for (const fingerprint of ['f1', 'f2'])
        expect(claimsOf((await must(renew(fingerprint))).token).fingerprint).toBe(sha256(fingerprint))
      expect(problemOf(await renew('f3'))).toEqual([403, 'license.device_not_allowed'])
    })

    test('is known by its last one alone once its session has ended, or where all must match', async () => {
      const { id, code } = await sell({ maxDeviceActivations: 2 })
      const first = await acme.newDevice(code, 'f1', { components })
      const again = await acme.newDevice(code, 'f2', { components })
      await must(acme.say('release', again))
      const anew = await acme.newDevice(code, 'f1')
      expect(anew.session.id).not.toBe(first.session.id)
      await acme.newDevice(code, 'f2', { components: { OsVersion: 'o' } })
      await acme.patch(`admin/entitlements/${id}`, { licensePolicy: { componentMatchingStrategy: 'MatchAll' } })
      expect((await acme.newDevice(code, 'f2')).session.id).not.toBe(anew.session.id)
    })

    test('keeps the trial that began with its first fingerprint', async () => {
      const { code } = await sell({}, { isTrialActivation: true })
      const first = await acme.newDevice(code, 'f1', { components })
      const again = await acme.newDevice(code, 'f2', { components })
      await must(acme.say('release', again))
      const anew = await acme.newDevice(code, 'f1')
      expect(anew.session.id).not.toBe(first.session.id)
      expect(anew.session.trialExpiration).toBe(first.session.trialExpiration)
    })

    test('is another for each instance where instances count, and for each code', async () => {
      const { id, code } = await sell({ concurrentInstances: true, maxDeviceActivations: 9 })
      const instance = (applicationInstanceId: string, fingerprint: string, more: object = {}) =>
        acme.newDevice(code, fingerprint, { applicationInstanceId, ...more })
      const one = await instance('one', 'f1', { components })
      await instance('one', 'f2', { components })
      const two = await instance('two', 'f1')
      expect(two.session.id).not.toBe(one.session.id)
      expect((await instance('one', 'f1')).session.id).toBe(one.session.id)
      const { activationCode } = await acme.newCode(id)
      expect((await acme.newDevice(activationCode, 'f1')).session.id).not.toBe(one.session.id)
    })
  })
})
