import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from './devices.ts'

forEachStore((store) => {
  const acme = devicesOf(serveTests(store))
  const components = { MachineName: 'm' }

  /** A code of one seat, whose device is known by what it is made of, however often it changes its fingerprint. */
  const sell = async () => {
    const licensePolicy = { componentMatchingStrategy: 'MatchAny', maxDeviceActivations: 1 }
    const { id } = await acme.newEntitlement({ licensePolicy })
    return { id, code: (await acme.newCode(id)).activationCode as string }
  }

  describe('one device that shows many fingerprints at once', () => {
    test('is known by each of them afterwards', async () => {
      for (let round = 0; round < 60; round++) {
        const { code } = await sell()
        const { session } = await acme.newDevice(code, 'f1', { components })
        // Batches that begin and end with one fingerprint, and overlap.
        const shown = ['f2', 'f1', 'f3', 'f2', 'f1', 'f4', 'f2', 'f1', 'f3', 'f2']
        await Promise.all(
          shown.map(async (fingerprint) => {
            await sleep(Math.random() * 12)
            await acme.newDevice(code, fingerprint, { components })
          }),
        )
        for (const fingerprint of ['f1', 'f2', 'f3', 'f4'])
          expect((await acme.newDevice(code, fingerprint)).session.id).toBe(session.id)
      }
    }, 60_000)

    test('is let in each time, by key, offline and while its seat is given back', async () => {
      for (let round = 0; round < 12; round++) {
        const { id, code } = await sell()
        const first = await acme.newDevice(code, 'f0', { components })
        const ways: ((fingerprint: string, key: object) => Promise<Answer>)[] = [
          (fingerprint, key) => acme.activate(code, fingerprint, { components }, key),
          (fingerprint, key) => acme.activate(code, fingerprint, { components }, key),
          (fingerprint) => acme.activate(code, fingerprint, { components }),
          (fingerprint) => {
            const meta = {
              schemaVersion: 1,
              nonce: randomBytes(32).toString('base64url'),
              requestedAt: '2026-03-04T05:06:07Z',
            }
            const body = { meta, body: { activationCode: code, fingerprint, components } }
            return acme.at('POST', 'operational/activations/offline/issue', { body })
          },
          () => acme.say('release', first),
        ]
        const answers = await Promise.all(
          Array.from({ length: 60 }, async (_, index) => {
            await sleep(Math.random() * 30)
            const key = { headers: { 'idempotency-key': randomUUID() } }
            return ways[index % ways.length]!(`f${index % 7}`, key)
          }),
        )
        expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
        const { items } = await acme.get(`operational/entitlements/${id}/activations`)
        expect(items.length).toBeLessThanOrEqual(1)
      }
    }, 60_000)
  })
})
