import { expect, test, vi } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { webhooks, webhooksOf } from './subscribed.ts'

const wait = { timeout: 20_000 }

forEachStore((store) => {
  const server = serveTests(store, { allowPrivateWebhooks: true })
  const { subscribe, cause, subscriptionOf, deliveriesTo, database } = webhooksOf(server)

  test('a subscription whose secret does not open is suspended, tells others nothing, and goes on with a new secret', async () => {
    const [broken, sound, neighbour] = [await subscribe(), await subscribe(), await subscribe({}, 'neighbour')]
    await database().transact(async (tx) => {
      const secretsOf = (id: string) =>
        tx.selectFrom('webhook_subscriptions').select('sealed_secrets').where('id', '=', id).executeTakeFirstOrThrow()
      const moved = await secretsOf(sound.id)
      await tx.updateTable('webhook_subscriptions').set(moved).where('id', '=', broken.id).execute()
    })
    await cause()
    await cause(1, {}, 'neighbour')
    await vi.waitFor(() => expect([sound.received.length, neighbour.received.length]).toEqual([1, 1]), wait)
    await vi.waitFor(async () => expect((await subscriptionOf(broken)).status).toBe('Suspended'), wait)
    expect(broken.received).toEqual([])
    const path = `${webhooks}/subscriptions/${broken.id}`
    const ask = (step: string, body?: object) => server.api('POST', `${path}/${step}`, { tenant: 'sandbox', body })
    const refused = await ask('verify')
    expect([refused.status, refused.body.codeName]).toEqual([400, 'webhook.verification_failed'])
    expect(refused.body.detail).toMatch(/^Rotate its secret first: /)
    expect((await ask('secret', { secret: broken.secret })).status).toBe(200)
    expect((await ask('verify')).status).toBe(200)
    await vi.waitFor(() => expect(broken.received).toHaveLength(1), wait)
    expect(await deliveriesTo(broken)).toMatchObject([{ status: 'Delivered' }])
  })
})
