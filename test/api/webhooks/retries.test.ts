import type { ServerResponse } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { longestGap } from '../../../server/webhooks/dispatch/retrying.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import type { Answering, Receiver } from './receiver.ts'
import { webhooks, webhooksOf } from './subscribed.ts'

const budget = 2 * 3_600_000
const answering =
  (status: number, name: string, value: () => string): Answering =>
  (_, reply) =>
    reply.writeHead(status, { [name]: value() }).end()
const resetAmid: Answering = (_, reply: ServerResponse) => {
  reply.writeHead(200, { 'content-length': '1000' }).write('half of an ans', () => reply.socket?.destroy())
}

/** How endpoints answer that are tried again, and what is kept of each attempt. */
const retried: [name: string, answer: Answering, status: number | null, error: string][] = [
  ...[500, 501, 502, 503, 504, 599, 408, 429].map((status): (typeof retried)[number] => [
    String(status),
    status,
    status,
    `the endpoint answered ${status}`,
  ]),
  ['a reset amid the answer', resetAmid, null, 'the connection was reset'],
  ['nothing but a hang-up', (_, reply) => reply.socket?.destroy(), null, 'the connection was reset'],
  [
    'a Retry-After that is garbage',
    answering(503, 'retry-after', () => 'Mon, 99 Foo 2027 99:99:99 GMT'),
    503,
    'the endpoint answered 503',
  ],
]

/** Where endpoints were moved to after they had been verified. */
const moved: [name: string, move: (url: string) => string, error: string][] = [
  ['a port that nobody listens at', () => 'http://127.0.0.1:1/hook', 'the connection was refused'],
  ['https where none is spoken', (url) => url.replace('http:', 'https:'), 'no TLS connection came about'],
  ['a name that is none', () => 'http://nowhere.invalid/hook', 'the name could not be resolved'],
]

const final = [300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 409, 410, 413, 422, 425]

const patient: [name: string, asked: string | (() => string), millis: number][] = [
  ['5 s', '5', 5000],
  // HTTP's dates are in whole seconds.
  ['a date a minute from now', () => new Date(Date.now() + 60_000).toUTCString(), 58_000],
]

forEachStore((store) => {
  const server = serveTests(store, { allowPrivateWebhooks: true })
  const { ask, subscribe, cause, advance, deliveryTo, subscriptionOf, database } = webhooksOf(server)

  describe('one event, and two hours later', () => {
    const receivers = new Map<string, Receiver & { id: string }>()
    const endpoint = (name: string) => receivers.get(name)!
    beforeAll(async () => {
      const open = async (name: string, answer: Answering) =>
        receivers.set(name, Object.assign(await subscribe(), { answer }))
      for (const [name, answer] of retried) await open(name, answer)
      for (const [name] of moved) await open(name, 204)
      for (const status of final)
        await open(
          String(status),
          answering(status, 'location', () => endpoint('500').url),
        )
      for (const [name, asked] of patient)
        await open(
          name,
          answering(429, 'retry-after', () => (typeof asked === 'string' ? asked : asked())),
        )
      await open(
        '10 h',
        answering(503, 'retry-after', () => '36000'),
      )
      await open('fails twice', (_, reply) =>
        reply.writeHead(endpoint('fails twice').received.length > 2 ? 200 : 500).end(),
      )
      for (const [name, move] of moved) {
        const { id, url } = endpoint(name)
        await database().transact((tx) =>
          tx
            .updateTable('webhook_subscriptions')
            .set({ url: move(url) })
            .where('id', '=', id)
            .execute(),
        )
      }
      await cause()
      await advance('PT2H5M')
    })

    /** The gaps between the end of each attempt and the next, in milliseconds, by the audit. */
    const gapsOf = (attempts: { at: string; latencyMillis: number }[]) =>
      attempts.slice(1).map(({ at }, before) => {
        const { at: from, latencyMillis } = attempts[before]!
        return Date.parse(at) - Date.parse(from) - latencyMillis
      })

    const everyFailure = [
      ...retried.map(([name, , status, error]) => [name, status, error] as const),
      ...moved.map(([name, , error]) => [name, null, error] as const),
    ]
    test.each(everyFailure)('%s: ten attempts, each with its row, and a dead letter', async (name, status, error) => {
      const { attempts, ...delivery } = await deliveryTo(endpoint(name))
      expect(delivery).toMatchObject({ status: 'DeadLettered', attemptCount: 10, lastStatus: status, lastError: error })
      expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      for (const attempt of attempts) expect(attempt).toMatchObject({ status, error })
      gapsOf(attempts).forEach((gap, at) => {
        expect(gap).toBeGreaterThanOrEqual(0)
        expect(gap).toBeLessThanOrEqual(longestGap(at + 1))
      })
      const numbers = endpoint(name).received.map(({ headers }) => headers['webhook-delivery-attempt'])
      expect(numbers).toEqual(moved.some(([one]) => one === name) ? [] : attempts.map(({ attempt }) => String(attempt)))
    })

    test('gaps are drawn anew for each delivery', async () => {
      const firsts = await Promise.all(
        retried.map(async ([name]) => gapsOf((await deliveryTo(endpoint(name))).attempts).at(-1)),
      )
      expect(new Set(firsts).size).toBeGreaterThan(retried.length / 2)
    })

    test.each(final)('%d: one attempt, and a dead letter', async (status) => {
      const { attempts, ...delivery } = await deliveryTo(endpoint(String(status)))
      expect(delivery).toMatchObject({ status: 'DeadLettered', attemptCount: 1, nextAttemptAt: null })
      expect(attempts).toMatchObject([{ attempt: 1, status, error: `the endpoint answered ${status}` }])
      expect(endpoint(String(status)).received).toHaveLength(1)
      const stands = { status: status === 410 ? 'Suspended' : 'Active', consecutiveFailures: 1 }
      expect(await subscriptionOf(endpoint(String(status)))).toMatchObject(stands)
    })

    test.each(patient)('an endpoint that asks for %s is not tried sooner', async (name, _, asked) => {
      const { attempts } = await deliveryTo(endpoint(name))
      expect(attempts).toHaveLength(10)
      for (const gap of gapsOf(attempts)) expect(gap).toBeGreaterThanOrEqual(asked)
    })

    test('one that asks for ten hours is tried at the end of the two, and then given up', async () => {
      const { attempts, status } = await deliveryTo(endpoint('10 h'))
      expect(status).toBe('DeadLettered')
      expect(attempts.map(({ at }) => Date.parse(at) - Date.parse(attempts[0]!.at))).toEqual([0, budget])
    })

    test('every attempt of a delivery has the same bytes under the same id, and a whole second of its own', () => {
      const { received } = endpoint('500')
      expect(new Set(received.map(({ body }) => body.toString('hex'))).size).toBe(1)
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      for (const { headers, at } of received) {
        expect(headers['webhook-timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
        expect(Math.abs(Date.parse(String(headers['webhook-timestamp'])) - at)).toBeLessThan(5000)
      }
    })

    test('one that takes it at the third attempt gets no fourth, and fares well', async () => {
      expect(await deliveryTo(endpoint('fails twice'))).toMatchObject({
        ...{ status: 'Delivered', attemptCount: 3, lastStatus: 200, lastError: null },
        attempts: [{ status: 500 }, { status: 500 }, { status: 200, error: null }],
      })
      expect(await subscriptionOf(endpoint('fails twice'))).toMatchObject({ consecutiveFailures: 0 })
    })

    test('a dead letter that is queued anew has ten more, with the same bytes, counted from 1', async () => {
      const { id } = await deliveryTo(endpoint('500'))
      await ask('POST', `${webhooks}/deliveries/${id}/requeue`)
      await advance('PT2H5M')
      const { attempts, attemptCount, status } = await deliveryTo(endpoint('500'))
      expect([attempts.length, attemptCount, status]).toEqual([20, 10, 'DeadLettered'])
      const { received } = endpoint('500')
      expect(received.map(({ headers }) => headers['webhook-delivery-attempt'])).toEqual(
        Array.from({ length: 20 }, (_, at) => String((at % 10) + 1)),
      )
      expect(new Set(received.map(({ body }) => body.toString('hex'))).size).toBe(1)
    })
  })
})
