import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { deadlocksOf } from '../../support/deadlocks.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { webhooks, webhooksOf } from './subscribed.ts'

forEachStore((store) => {
  const server = serveTests(store, { allowPrivateWebhooks: true })
  const { subscribe, forget, cause } = webhooksOf(server)

  test('an endpoint that answers 410 and whoever verifies or deletes its subscription do not wait in a circle', async () => {
    const before = await deadlocksOf(store.kind, server.databaseUrl)
    for (let round = 0; round < 6; round++) {
      const receivers = await Promise.all(Array.from({ length: 12 }, () => subscribe()))
      for (const receiver of receivers) receiver.answer = 410
      await cause(4)
      const edits = receivers.map(async ({ id, received }, at) => {
        await vi.waitFor(() => expect(received.length).toBeGreaterThan(0), { timeout: 10_000, interval: 1 })
        await sleep(Math.random() * 40)
        const path = `${webhooks}/subscriptions/${id}`
        const [method, where] = at % 2 === 0 ? ['DELETE', path] : ['POST', `${path}/verify`]
        return (await server.api(method!, where!, { tenant: 'sandbox' })).status
      })
      for (const status of await Promise.all(edits)) expect([200, 204, 409]).toContain(status)
      await forget()
    }
    expect((await deadlocksOf(store.kind, server.databaseUrl)) - before).toBe(0)
  }, 60_000)
})
