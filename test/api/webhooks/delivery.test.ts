import type { ServerResponse } from 'node:http'
import { HTTP } from 'cloudevents'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterEach, describe, expect, test } from 'vitest'
import { recordEvents } from '../../../server/kit/outbox.ts'
import { newSecret } from '../../../server/webhooks/subscriptions/new-secret.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { catalogOf, snapshotOf } from '../snapshot/scene.ts'
import type { Received } from './receiver.ts'
import { webhooks, webhooksOf } from './subscribed.ts'

const entitlements = '/api/v1/provision/admin/entitlements'
const wait = { timeout: 15_000 }
const headersOf = ({ headers }: Received) => headers as Record<string, string>

/** How a stock library judges a delivery, by what it threw. */
function isVerifiedBy(library: { verify(body: string, headers: Record<string, string>): unknown }, one: Received) {
  try {
    library.verify(one.body.toString('utf8'), headersOf(one))
    return true
  } catch {
    return false
  }
}

/** The same delivery with just one of its signatures. */
const signedBy = (one: Received, at: number): Received => ({
  ...one,
  headers: { ...one.headers, 'webhook-signature': headersOf(one)['webhook-signature']!.split(' ')[at]! },
})

forEachStore((store) => {
  const server = serveTests(store, { allowPrivateWebhooks: true })
  const { ask, subscribe, forget, cause, advance, ...of } = webhooksOf(server)
  const { deliveriesTo, deliveryTo, subscriptionOf, database } = of
  afterEach(forget)
  const got = (receiver: { received: Received[] }, count: number) =>
    expect.poll(() => receiver.received.length, wait).toBe(count)

  test('what is sold is told at once, as the CloudEvent that the SDK reads', async () => {
    const receiver = await subscribe({ eventTypes: ['Entitlement.Activated'] })
    const { id } = await ask('POST', entitlements, { name: 'Sold ☃', status: 'Active' })
    await got(receiver, 1)
    const [one] = receiver.received
    const headers = headersOf(one!)
    const event = HTTP.toEvent({ headers, body: one!.body.toString() })
    expect(event).toMatchObject({
      ...{ specversion: '1.0', id: headers['webhook-id'], type: 'Entitlement.Activated' },
      ...{ source: `urn:service:tenant:${server.tenantIds.sandbox}`, entityid: id, entitykind: 'entitlement' },
    })
    expect(headers).toMatchObject({
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-event-type': 'Entitlement.Activated',
      'webhook-delivery-attempt': '1',
      'webhook-tenant': server.tenantIds.sandbox,
      'webhook-subscription': receiver.id,
    })
    expect(headers).not.toHaveProperty('webhook-callback-token')
    const { event: told, status } = await deliveryTo(receiver)
    expect([told, status]).toEqual([JSON.parse(one!.body.toString()), 'Delivered'])
    const { lastDeliveryAt } = await subscriptionOf(receiver)
    expect(Date.parse(lastDeliveryAt)).toBeGreaterThanOrEqual(Date.parse(told.time))
  })

  test('the stock libraries verify the StandardWebhooks profile, whatever is written in the event', async () => {
    const receiver = await subscribe({ signatureProfile: 'StandardWebhooks' })
    await cause(1, { name: 'Zürich ☃ 🎟 \u2028 \\ " \u0000 é', amount: 0.1 })
    await got(receiver, 1)
    const [one] = receiver.received
    for (const Library of [StandardWebhook, SvixWebhook]) {
      expect(isVerifiedBy(new Library(receiver.secret), one!), Library.toString().slice(0, 40)).toBe(true)
      expect(isVerifiedBy(new Library(newSecret()), one!)).toBe(false)
      expect(isVerifiedBy(new Library(receiver.secret), { ...one!, body: Buffer.from('{}') })).toBe(false)
    }
    expect(headersOf(one!)['webhook-timestamp']).toMatch(/^\d{10}$/)
  })

  test('both secrets sign while a rotation lasts, each good alone, and then the new one', async () => {
    const receiver = await subscribe({ signatureProfile: 'StandardWebhooks' })
    const before = new StandardWebhook(receiver.secret)
    const { secret } = await ask('POST', `${webhooks}/subscriptions/${receiver.id}/secret`, { overlap: 'PT1H' })
    const after = new StandardWebhook(secret)
    await cause()
    await got(receiver, 1)
    const [both] = receiver.received
    expect([before, after].map((one) => isVerifiedBy(one, both!))).toEqual([true, true])
    expect([before, after].map((one) => isVerifiedBy(one, signedBy(both!, 0)))).toEqual([false, true])
    expect([before, after].map((one) => isVerifiedBy(one, signedBy(both!, 1)))).toEqual([true, false])
    await advance('PT1H1M')
    await cause()
    await got(receiver, 2)
    expect([before, after].map((one) => isVerifiedBy(one, receiver.received[1]!))).toEqual([false, true])
  })

  test('an attempt that was due during the overlap is signed by both, however far the clock is advanced beyond', async () => {
    const receiver = await subscribe()
    await ask('POST', `${webhooks}/subscriptions/${receiver.id}/secret`, { overlap: 'PT1H' })
    receiver.answer = 503
    await cause()
    await advance('PT3H')
    const signatures = receiver.received.map((one) => headersOf(one)['webhook-signature']!.split(' ').length)
    expect(signatures).toEqual(Array.from({ length: 10 }, () => 2))
  })

  test('what happens before a subscription becomes another is told by what it was', async () => {
    const receiver = await subscribe()
    const path = `${webhooks}/subscriptions/${receiver.id}`
    const { id } = await ask('POST', entitlements, { name: 'On and off', status: 'Active' })
    for (let round = 0; round < 10; round++) {
      await ask('POST', `${entitlements}/${id}/suspend`)
      await ask('POST', `${entitlements}/${id}/resume`)
      await ask('PATCH', path, round % 2 === 0 ? { status: 'Disabled' } : { eventTypes: ['User.Erased'] })
      await ask('PATCH', path, { status: 'Active', eventTypes: ['*'] })
    }
    await got(receiver, 11)
  })

  test('an event of three megabytes arrives whole', async () => {
    const receiver = await subscribe({ signatureProfile: 'StandardWebhooks' })
    const data = { name: '☃ '.repeat(750_000) }
    await cause(1, data)
    await got(receiver, 1)
    const [one] = receiver.received
    expect(JSON.parse(one!.body.toString()).data).toEqual(data)
    expect(isVerifiedBy(new StandardWebhook(receiver.secret), one!)).toBe(true)
  })

  test('neither a change that is refused or rolled back nor a rehearsal is told to anyone', async () => {
    const receiver = await subscribe()
    const { id } = await ask('POST', entitlements, { name: 'Sold', status: 'Active' })
    const again = await server.api('POST', `${entitlements}/${id}/activate`, { tenant: 'sandbox' })
    expect(again.status).toBe(409)
    const catalog = catalogOf(server, 'sandbox')
    const products = [{ productCode: 'ACME', productVersion: '1' }]
    expect((await catalog.compare(snapshotOf({ products }))).status).toBe(200)
    const plans = [{ suiteCode: 'NOWHERE', name: 'P', plans: [] }]
    expect((await catalog.import(snapshotOf({ products, plans }))).status).toBe(400)
    const rolledBack = database().transact(async (tx) => {
      const told = { tx, tenantId: server.tenantIds.sandbox, now: Date.now(), actor: 'test', correlationId: 'test' }
      await recordEvents(told, [{ type: 'Entitlement.Cancelled', entityId: id, data: {} } as never])
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    await cause(1, { last: true })
    await expect.poll(() => receiver.received.at(-1)?.body.toString(), wait).toContain('"last":true')
    expect(receiver.received.map(({ headers }) => headers['webhook-event-type'])).toEqual([
      'Entitlement.Activated',
      'Entitlement.Cancelled',
    ])
  })

  describe('an endpoint that is not to be told', () => {
    const fails = async () => {
      const receiver = await subscribe()
      receiver.answer = 500
      await cause()
      // The first retry may come at once: its pause is drawn.
      await expect.poll(() => receiver.received.length, wait).toBeGreaterThan(0)
      return receiver
    }

    test('a subscription that is switched off has no further attempts until it is on again', async () => {
      const receiver = await fails()
      const path = `${webhooks}/subscriptions/${receiver.id}`
      await ask('PATCH', path, { status: 'Disabled' })
      await cause()
      await expect.poll(async () => (await deliveryTo(receiver)).attemptCount, wait).toBeGreaterThan(0)
      const { attemptCount } = await deliveryTo(receiver)
      await advance('PT3H')
      expect(receiver.received).toHaveLength(Number(attemptCount))
      expect(await deliveryTo(receiver)).toMatchObject({ status: 'Pending', attemptCount })
      receiver.answer = 204
      await ask('PATCH', path, { status: 'Active' })
      await got(receiver, Number(attemptCount) + 1)
      await expect.poll(() => deliveryTo(receiver), wait).toMatchObject({ status: 'Delivered' })
    })

    test('one that is deleted has none ever', async () => {
      const receiver = await fails()
      await ask('DELETE', `${webhooks}/subscriptions/${receiver.id}`)
      const [pending] = await deliveriesTo(receiver)
      expect(pending).toMatchObject({ status: 'DeadLettered', nextAttemptAt: null })
      const tried = receiver.received.length
      await advance('PT3H')
      expect(receiver.received).toHaveLength(tried)
    })

    test('one that answered 410 is told anew once it is verified, though an attempt from before still hangs', async () => {
      const receiver = await subscribe()
      const held: ServerResponse[] = []
      let calls = 0
      receiver.answer = (_, reply) => {
        calls++
        if (calls === 20) held.push(reply)
        else reply.writeHead(calls === 30 ? 410 : 204).end()
      }
      await cause(60)
      await expect.poll(async () => (await subscriptionOf(receiver)).status, wait).toBe('Suspended')
      expect(held).toHaveLength(1)

      receiver.answer = 204
      await ask('POST', `${webhooks}/subscriptions/${receiver.id}/verify`)
      await cause(1, { last: true })
      await expect.poll(() => receiver.received.some(({ body }) => body.includes('"last":true')), wait).toBe(true)
      held[0]!.writeHead(204).end()
    })

    test('one that answers 410 is told nothing more, and what waits from when it is verified on', async () => {
      const receiver = await subscribe()
      receiver.answer = 410
      await cause(90)
      await advance('PT3H')
      const tried = receiver.received.length
      expect(tried).toBeLessThan(60)
      expect(await subscriptionOf(receiver)).toMatchObject({ status: 'Suspended' })
      const waiting = (await deliveriesTo(receiver)).filter(({ status }) => status === 'Pending')
      expect(waiting).toHaveLength(90 - tried)

      receiver.answer = 500
      const { now } = await ask('GET', '/api/v1/provision/admin/test-clock')
      await ask('POST', `${webhooks}/subscriptions/${receiver.id}/verify`)
      const attemptsOf = async () => (await ask('GET', `${webhooks}/deliveries/${waiting[0].id}`)).attempts
      await expect.poll(attemptsOf, wait).not.toEqual([])
      const [first] = await attemptsOf()
      expect(first.at >= now, `${first.at} is not before ${now}`).toBe(true)
    })

    test('fifty dead letters in a row suspend it, and one that it takes between them does not count', async () => {
      const receiver = await subscribe()
      const dies = async (count: number) => {
        receiver.answer = 400
        await cause(count)
        await advance('PT1M')
      }
      const status = async () => (await subscriptionOf(receiver)).status
      await dies(49)
      receiver.answer = 204
      await cause()
      await advance('PT1M')
      await dies(49)
      expect(await status()).toBe('Active')
      await dies(1)
      expect(await status()).toBe('Suspended')
      const tried = receiver.received.length
      await dies(1)
      expect(receiver.received).toHaveLength(tried)
      // What happened meanwhile has waited.
      await ask('POST', `${webhooks}/subscriptions/${receiver.id}/verify`)
      await dies(1)
      expect(receiver.received).toHaveLength(tried + 2)
      expect(await status()).toBe('Active')
    })
  })
})
