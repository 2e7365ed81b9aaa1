import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { deadlocksOf } from '../../support/deadlocks.ts'
import type { Answer } from '../../support/server.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { devicesOf } from './devices.ts'

forEachStore((store) => {
  const server = serveTests(store)
  const acme = devicesOf(server)
  const components = { MachineName: 'm' }

  /** A code of one seat, whose device is known by what it is made of, however often it changes its fingerprint. */
  const sell = async (policy: object = {}) => {
    const licensePolicy = { componentMatchingStrategy: 'MatchAny', maxDeviceActivations: 1, ...policy }
    const { id } = await acme.newEntitlement({ licensePolicy })
    return { id, code: (await acme.newCode(id)).activationCode as string }
  }

  const issue = (activationCode: string, fingerprint: string, more: object = {}) => {
    const meta = { schemaVersion: 1, nonce: randomBytes(32).toString('base64url'), requestedAt: '2026-03-04T05:06:07Z' }
    const body = { meta, body: { activationCode, fingerprint, ...more } }
    return acme.at('POST', 'operational/activations/offline/issue', { body })
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
      const before = await deadlocksOf(store.kind, server.databaseUrl)
      for (let round = 0; round < 12; round++) {
        const { id, code } = await sell()
        const first = await acme.newDevice(code, 'f0', { components })
        const ways: ((fingerprint: string, key: object) => Promise<Answer>)[] = [
          (fingerprint, key) => acme.activate(code, fingerprint, { components }, key),
          (fingerprint, key) => acme.activate(code, fingerprint, { components }, key),
          (fingerprint) => acme.activate(code, fingerprint, { components }),
          (fingerprint) => issue(code, fingerprint, { components }),
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
      expect((await deadlocksOf(store.kind, server.databaseUrl)) - before).toBe(0)
    }, 60_000)
  })

  test('one key at two endpoints at the same moment is one request’s: the other is refused, and the first replayed', async () => {
    for (let round = 0; round < 20; round++) {
      const { code } = await sell()
      const key = { headers: { 'idempotency-key': randomUUID() } }
      const ask = (endpoint: string) => {
        const body = { activationCode: code, fingerprint: endpoint, components }
        return acme.at('POST', `activations/${endpoint}`, { token: null, body, ...key })
      }
      const answers = await Promise.all([ask('jwt'), ask('license')])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const again = await Promise.all([ask('jwt'), ask('license')])
      expect(again.map(({ status }) => status)).toEqual(answers.map(({ status }) => status))
    }
  })

  test('what is answered is the session as it was in its turn, though it is released in the next', async () => {
    for (let round = 0; round < 15; round++) {
      const { code } = await sell()
      const device = await acme.newDevice(code, 'one')
      const goingOn = [acme.say('renew', device), acme.say('check-in', device), acme.activate(code, 'one')]
      const answers = await Promise.all([...goingOn, acme.say('release', device)])
      for (const { status, body } of answers.slice(0, 3)) {
        if (status === 200)
          expect(body.session).toMatchObject({ releasedAt: null, holdsSeat: true, isValidSession: true })
        else expect([status, body.codeName]).toEqual([403, 'license.session_not_valid'])
      }
      expect(answers[3]!.status).toBe(200)
    }
  })

  test('two that come with one new fingerprint at the same moment are one device', async () => {
    for (let round = 0; round < 20; round++) {
      const { code } = await sell({ maxDeviceActivations: 2 })
      await acme.newDevice(code, 'before', { components })
      const key = { headers: { 'idempotency-key': randomUUID() } }
      const answers = await Promise.all([
        acme.activate(code, 'after', { components }, round % 2 === 0 ? key : {}),
        acme.activate(code, 'after'),
        issue(code, 'after'),
      ])
      expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
    }
  })

  test('the same offline request, asked at once while its session is revoked, leaves no seat that no licence names', async () => {
    for (let round = 0; round < 15; round++) {
      const { id, code } = await sell({ maxDeviceActivations: 3 })
      const { session } = await acme.newDevice(code, 'air-gapped')
      const meta = {
        schemaVersion: 1,
        nonce: randomBytes(32).toString('base64url'),
        requestedAt: '2026-03-04T05:06:07Z',
      }
      const body = { meta, body: { activationCode: code, fingerprint: 'air-gapped' } }
      const [revoked, ...issued] = await Promise.all([
        sleep(Math.random() * 10).then(() =>
          acme.at('POST', `admin/sessions/activations/${session.id}/revoke`, { body: { reason: 'stolen' } }),
        ),
        ...[0, 1, 2].map(async () => {
          await sleep(Math.random() * 6)
          return acme.at('POST', 'operational/activations/offline/issue', { body })
        }),
      ])
      expect(revoked!.status).toBe(200)
      expect(new Set(issued.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      const { items } = await acme.get(`operational/entitlements/${id}/activations`)
      const licence = Buffer.from(issued[0]!.body.signedPayload, 'base64url').toString()
      for (const { id: held } of items) expect(licence).toContain(held)
    }
  }, 60_000)

  test('sessions that are renewed and check in at once do not wait in a circle', async () => {
    const { code } = await sell({ maxDeviceActivations: 18 })
    const devices = await Promise.all(Array.from({ length: 18 }, (_, index) => acme.newDevice(code, `device ${index}`)))
    const before = await deadlocksOf(store.kind, server.databaseUrl)
    const callers = Array.from({ length: 50 }, async () => {
      for (let call = 0; call < 40; call++) {
        const device = devices[Math.floor(Math.random() * devices.length)]!
        expect((await acme.say(Math.random() < 0.5 ? 'renew' : 'check-in', device)).status).toBe(200)
      }
    })
    await Promise.all(callers)
    expect((await deadlocksOf(store.kind, server.databaseUrl)) - before).toBe(0)
  }, 60_000)
})
