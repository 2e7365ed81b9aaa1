import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'
import { forEachStore } from '../support/stores.ts'
import { type Running, receivers, startReceiver } from '../support/webhook-receivers.ts'

const subscriptions = '/api/v1/webhooks/admin/subscriptions'
const entitlements = '/api/v1/provision/admin/entitlements'
const wait = { timeout: 30_000 }

const secrets = {
  Default: () => randomBytes(16).toString('hex'),
  StandardWebhooks: () => `whsec_${randomBytes(32).toString('base64')}`,
}

forEachStore((store) => {
  let server: TestServer
  const directory = mkdtempSync(join(tmpdir(), 'licet-receivers-'))
  beforeAll(async () => {
    server = await startTestServer(store, { allowPrivateWebhooks: true })
  })
  afterAll(async () => {
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  })

  async function ask(method: string, path: string, body?: object) {
    const answer = await server.api(method, path, { body })
    expect([method, path, answer.status], answer.text).toEqual([method, path, 200])
    return answer.body
  }

  /** Activates an entitlement; answers its id. */
  async function sell(): Promise<string> {
    const { id } = await ask('POST', entitlements, { name: 'Sold' })
    await ask('POST', `${entitlements}/${id}/activate`)
    return id
  }

  // Each verifies both profiles on any store: here one of each pair is enough.
  const [{ name, command, isThere }, signatureProfile] =
    store.kind === 'sqlite' ? ([receivers[0], 'Default'] as const) : ([receivers[1], 'StandardWebhooks'] as const)
  describe.runIf(isThere)(`${name}, ${signatureProfile}`, () => {
    let receiver: Running
    const heard: string[] = []
    const said = () => [...heard, ...receiver.said]
    const start = (secret: string, PORT = '0') =>
      startReceiver(command, { WEBHOOK_SECRET: secret, PORT, INBOX: join(directory, `${name}.db`) })
    async function restart(secret: string, whileAway = async () => {}) {
      await receiver.stop()
      heard.push(...receiver.said)
      await whileAway()
      receiver = await start(secret, new URL(receiver.url).port)
    }
    afterAll(() => receiver.stop())

    test('subscribes, verifies, and applies what was sold once, through restarts and a rotation', async () => {
      const secret = secrets[signatureProfile]()
      receiver = await start(secret)
      const wish = { url: receiver.url, eventTypes: ['Entitlement.*'], signatureProfile, secret }
      const { id, status } = await ask('POST', subscriptions, wish)
      expect(status).toBe('PendingVerification')
      expect(await ask('POST', `${subscriptions}/${id}/verify`)).toMatchObject({ status: 'Active' })
      const sold = [await sell()]
      const applied = () => sold.map((each) => said().filter((line) => line.endsWith(`Activated ${each}`)))
      const once = () => sold.map((each) => [`applied Entitlement.Activated ${each}`])
      await expect.poll(applied, wait).toEqual(once())

      const tried = await ask('POST', `${subscriptions}/${id}/test-fire`, { eventType: 'Entitlement.Cancelled' })
      await expect.poll(said, wait).toContain(`test Entitlement.Cancelled ${tried.eventId}`)

      let next = ''
      await restart(secret, async () => {
        sold.push(await sell())
        next = (await ask('POST', `${subscriptions}/${id}/secret`, { overlap: 'PT1H' })).secret
      })
      sold.push(await sell())
      await expect.poll(applied, wait).toEqual(once())
      await restart(next, async () => void sold.push(await sell()))
      await expect.poll(applied, wait).toEqual(once())
      expect(said().filter((line) => line.startsWith('refused'))).toEqual([])
    })
  })
})
