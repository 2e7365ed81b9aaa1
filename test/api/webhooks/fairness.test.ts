import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { webhooksOf } from './subscribed.ts'

const events = 30
const wait = { timeout: 20_000 }

forEachStore((store) => {
  const server = serveTests(store, { allowPrivateWebhooks: true })
  const { subscribe, cause, deliveriesTo, database } = webhooksOf(server)

  test('one dead and one slow endpoint among twenty hold up nobody, and the neighbour hears nothing', async () => {
    const neighbour = await subscribe({}, 'neighbour')
    const receivers = []
    for (let at = 0; at < 20; at++) receivers.push(await subscribe({}, 'acme'))
    const [dead, slow, ...healthy] = receivers
    await database().transact((tx) =>
      tx
        .updateTable('webhook_subscriptions')
        .set({ url: 'http://127.0.0.1:1/hook' })
        .where('id', '=', dead!.id)
        .execute(),
    )
    const held: ServerResponse[] = []
    slow!.answer = (_, reply) => void held.push(reply)

    await cause(events, { plan: 'A' }, 'acme')
    await expect.poll(() => healthy.map(({ received }) => received.length), wait).toEqual(healthy.map(() => events))
    // All that while the slow one has held its first.
    expect(held).toHaveLength(1)
    for (const { received } of healthy)
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(events)

    await cause(1, { plan: 'B' }, 'acme')
    await expect.poll(() => healthy.map(({ received }) => received.length), wait).toEqual(healthy.map(() => events + 1))
    expect(held).toHaveLength(1)
    expect(dead!.received).toEqual([])
    for (const { status } of await deliveriesTo(dead!, 'acme')) expect(status).toBe('Pending')

    slow!.answer = 204
    held[0]!.writeHead(204).end()
    await expect.poll(() => slow!.received.length, wait).toBe(events + 1)
    expect(neighbour.received).toEqual([])
    expect(await deliveriesTo(neighbour, 'neighbour')).toEqual([])
  })

  test('an endpoint that takes what it gets is sent many at once, each delivery once', async () => {
    const receiver = await subscribe()
    let [now, most] = [0, 0]
    receiver.answer = (_, reply) => {
      most = Math.max(most, ++now)
      setTimeout(() => {
        now--
        reply.writeHead(204).end()
      }, 20)
    }
    await cause(400)
    await expect.poll(() => receiver.received.length, wait).toBe(400)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(400)
    expect(most).toBeGreaterThan(8)
    expect(most).toBeLessThanOrEqual(32)
  })
})
