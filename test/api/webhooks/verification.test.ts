import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { keyOfSecret, sign } from '../../../server/webhooks/signing/signature.ts'
import { serveTests } from '../../support/serving.ts'
import { forEachStore } from '../../support/stores.ts'
import { must, nextNumber, problemOf } from '../catalog/catalog-collection.ts'
import { openReceiver, passWith, type Received, type Receiver } from './receiver.ts'

const path = '/api/v1/webhooks/admin/subscriptions'
const integrator = '/api/v1/webhooks/integrator/subscriptions'

const challengeOf = ({ body }: Received): string => JSON.parse(body.toString()).data.challenge

/** Answers a challenge with this body, rightly signed over it. */
const signed =
  (secret: string, bodyOf: (received: Received) => string | Buffer) => (received: Received, reply: ServerResponse) => {
    const answer = Buffer.from(bodyOf(received))
    const { 'webhook-id': id, 'webhook-timestamp': timestamp } = received.headers
    reply
      .writeHead(200, { 'webhook-signature': sign(keyOfSecret(secret), String(id), String(timestamp), answer) })
      .end(answer)
  }

forEachStore((store) => {
  const server = serveTests(store, { allowPrivateWebhooks: true })
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await openReceiver()
  })
  beforeEach(() => {
    receiver.meet = passWith(receiver.secret)
    receiver.challenges = []
  })
  afterAll(() => receiver.close())

  const create = (more: object = {}, at = path) =>
    must(server.api('POST', at, { body: { url: receiver.url, eventTypes: ['*'], secret: receiver.secret, ...more } }))
  const verify = (id: string, headers: Record<string, string> = {}, at = path) =>
    server.api('POST', `${at}/${id}/verify`, { headers })
  const patch = (id: string, body: object) => server.api('PATCH', `${path}/${id}`, { body })
  const read = (id: string) => must(server.api('GET', `${path}/${id}`))
  const inDatabase = async <T>(work: (database: ReturnType<typeof openDatabase>) => Promise<T>) => {
    const database = openDatabase(server.databaseUrl)
    return work(database).finally(() => database.close())
  }

  test('one challenge that is answered makes the subscription Active, and is kept as a delivery', async () => {
    const { id } = await create()
    const verified = await must(verify(id))
    expect(verified).toMatchObject({ id, status: 'Active', revisionNumber: 2, consecutiveFailures: 0 })
    expect(await read(id)).toEqual(verified)
    const [{ headers, body }] = receiver.challenges as [Received]
    expect(receiver.challenges).toHaveLength(1)
    const envelope = JSON.parse(body.toString())
    expect(envelope).toMatchObject({ specversion: '1.0', type: 'Webhooks.Registration.Challenge', entityid: id })
    expect(envelope.data).toEqual({ challenge: expect.stringMatching(/^[\w-]{43}$/), subscriptionId: id })
    expect(headers).toMatchObject({
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': envelope.id,
      'webhook-event-type': envelope.type,
      'webhook-delivery-attempt': '1',
      'webhook-tenant': server.tenantIds.acme,
      'webhook-subscription': id,
    })
    expect(headers['webhook-timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(headers).not.toHaveProperty('webhook-callback-token')
    const timestamp = String(headers['webhook-timestamp'])
    expect(headers['webhook-signature']).toBe(sign(keyOfSecret(receiver.secret), envelope.id, timestamp, body))
    const [delivery, attempts] = await inDatabase(async ({ read: rows }) => [
      await rows
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('event_id', '=', envelope.id)
        .executeTakeFirstOrThrow(),
      await rows.selectFrom('webhook_attempts').selectAll().where('tenant_id', '=', server.tenantIds.acme).execute(),
    ])
    expect(delivery).toMatchObject({ subscription_id: id, status: 'Delivered', attempts: 1, next_attempt_at: null })
    expect(attempts).toMatchObject([{ delivery_id: delivery.id, attempt: 1, status: 200, error: null }])
  })

  const other = 'a-secret-of-someone-else'
  const echo = (received: Received) => JSON.stringify({ challenge: challengeOf(received) })

  test.each<[string, (secret: string) => Receiver['meet'], RegExp]>([
    ['not 2xx', () => 500, /answered 500/],
    ['a redirect', () => (_received, reply) => reply.writeHead(307, { location: '/elsewhere' }).end(), /answered 307/],
    ['no answer', () => (_received, reply) => reply.socket!.destroy(), /did not answer: the connection was reset/],
    ['a bare 2xx', () => 204, /is not JSON/],
    ['the challenge unsigned', () => (received, reply) => reply.end(echo(received)), /no webhook-signature header/],
    ['the challenge signed with another secret', () => passWith(other), /webhook-signature .* is not that of/],
    [
      'a signature of another body',
      (secret) => (received, reply) => {
        const { 'webhook-id': id, 'webhook-timestamp': timestamp } = received.headers
        const signature = sign(keyOfSecret(secret), String(id), String(timestamp), Buffer.from('{}'))
        reply.writeHead(200, { 'webhook-signature': signature }).end(echo(received))
      },
      /webhook-signature .* is not that of/,
    ],
    [
      'another challenge',
      (secret) => signed(secret, () => '{"challenge":"another"}'),
      /"challenge" in .* is not data.challenge/,
    ],
    ['no challenge', (secret) => signed(secret, () => '{}'), /no field "challenge"/],
    [
      'a challenge further inside',
      (secret) => signed(secret, (received) => `{"data":${echo(received)}}`),
      /no field "challenge"/,
    ],
    [
      'a bare text',
      (secret) => signed(secret, (received) => JSON.stringify(challengeOf(received))),
      /not a JSON object/,
    ],
    ['no JSON', (secret) => signed(secret, challengeOf), /is not JSON/],
    [
      'two challenges',
      (secret) => signed(secret, (received) => `{"challenge":"x",${echo(received).slice(1)}`),
      /twice/,
    ],
    [
      'more than 64 KiB',
      (secret) => signed(secret, (received) => echo(received) + ' '.repeat(65_536)),
      /longer than 64 KiB/,
    ],
    [
      'the request itself, headers and all',
      () =>
        ({ headers, body }, reply) => {
          const {
            'content-length': _length,
            'transfer-encoding': _encoding,
            connection: _connection,
            ...mirrored
          } = headers
          reply.writeHead(200, mirrored).end(body)
        },
      /sent the request back/,
    ],
  ])('%s does not pass, and the refusal says why', async (_what, meet, why) => {
    const { id } = await create()
    receiver.meet = meet(receiver.secret)
    const refused = await verify(id)
    expect(problemOf(refused)).toEqual([400, 'webhook.verification_failed'])
    expect(refused.body.detail).toMatch(why)
    expect(refused.text).not.toContain(receiver.secret)
    expect(await read(id)).toMatchObject({ status: 'PendingVerification', revisionNumber: 1, lastDeliveryAt: null })
    expect(receiver.challenges).toHaveLength(1)
  })

  test('a refusal is kept with what was answered', async () => {
    const { id } = await create()
    receiver.meet = (_received, reply) => reply.writeHead(403).end('go away')
    const refused = await verify(id)
    const [row] = await inDatabase(({ read: rows }) =>
      rows
        .selectFrom('webhook_attempts')
        .innerJoin('webhook_deliveries', 'webhook_deliveries.id', 'webhook_attempts.delivery_id')
        .select(['webhook_attempts.status', 'error', 'response_excerpt', 'webhook_deliveries.status as outcome'])
        .where('subscription_id', '=', id)
        .execute(),
    )
    expect(row).toEqual({
      status: 403,
      error: refused.body.detail,
      response_excerpt: 'go away',
      outcome: 'DeadLettered',
    })
  })

  test('the answer to an earlier challenge does not pass', async () => {
    const { id } = await create()
    let earlier: [Buffer, string] | undefined
    receiver.meet = (received, reply) => {
      const answer = earlier?.[0] ?? Buffer.from(echo(received))
      const { 'webhook-id': eventId, 'webhook-timestamp': timestamp } = received.headers
      earlier ??= [answer, sign(keyOfSecret(receiver.secret), String(eventId), String(timestamp), answer)]
      reply.writeHead(200, { 'webhook-signature': earlier[1] }).end(answer)
    }
    await must(verify(id))
    expect((await verify(id)).body.detail).toMatch(/is not data.challenge/)
    // Nor when only the challenge in it is fresh.
    receiver.meet = (received, reply) => reply.writeHead(200, { 'webhook-signature': earlier![1] }).end(echo(received))
    expect((await verify(id)).body.detail).toMatch(/webhook-signature/)
    expect((await read(id)).status).toBe('Active')
  })

  test('one of several signatures is enough, with any secret that signs at the moment', async () => {
    const { id } = await create()
    const { secret } = await must(server.api('POST', `${path}/${id}/secret`, { body: {} }))
    receiver.meet = (received, reply) => {
      const answer = Buffer.from(echo(received))
      const { 'webhook-id': eventId, 'webhook-timestamp': timestamp } = received.headers
      const signature = sign(keyOfSecret(receiver.secret), String(eventId), String(timestamp), answer)
      reply.writeHead(201, { 'webhook-signature': ['v1,nonsense', `v1a,x ${signature}`] }).end(answer)
    }
    expect((await must(verify(id))).status).toBe('Active')
    const [{ headers, body }] = receiver.challenges as [Received]
    const [eventId, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
    const both = [secret, receiver.secret].map((one) => sign(keyOfSecret(one), eventId, timestamp, body))
    expect(headers['webhook-signature']).toBe(both.join(' '))
  })

  test('in the profile StandardWebhooks its stock library verifies the challenge and signs the answer', async () => {
    const { id } = await create({ signatureProfile: 'StandardWebhooks' })
    receiver.meet = ({ headers, body }, reply) => {
      const library = new Webhook(receiver.secret)
      const { data } = library.verify(body.toString(), headers as Record<string, string>) as {
        data: { challenge: string }
      }
      const answer = JSON.stringify({ challenge: data.challenge })
      const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
      reply
        .writeHead(200, { 'webhook-signature': library.sign(String(headers['webhook-id']), sentAt, answer) })
        .end(answer)
    }
    expect((await must(verify(id))).status).toBe('Active')
  })

  test("of an integrator's endpoint any 2xx is enough, by either path", async () => {
    receiver.meet = 202
    for (const at of [integrator, path]) {
      const { id } = await create({}, integrator)
      expect(await must(verify(id, {}, at))).toMatchObject({ status: 'Active', origin: 'Integrator' })
    }
    const { id } = await create({}, integrator)
    receiver.meet = 404
    expect(problemOf(await verify(id, {}, integrator))).toEqual([400, 'webhook.verification_failed'])
  })

  test('under one Idempotency-Key one challenge is sent, whether it is passed or not', async () => {
    const { id } = await create()
    const sent = receiver.challenges.length
    const verifyTwice = async () => {
      const headers = { 'idempotency-key': `verify-${nextNumber()}` }
      const [first, again] = [await verify(id, headers), await verify(id, headers)]
      expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
        null,
        'true',
      ])
      expect([again.status, again.body]).toEqual([first.status, first.body])
      return { first, headers }
    }
    receiver.meet = 503
    const { first: failed } = await verifyTwice()
    expect(problemOf(failed)).toEqual([400, 'webhook.verification_failed'])
    receiver.meet = passWith(receiver.secret)
    const { first: passed, headers } = await verifyTwice()
    expect(passed.body.status).toBe('Active')
    expect(receiver.challenges).toHaveLength(sent + 2)
    const { id: another } = await create()
    expect(problemOf(await verify(another, headers))).toEqual([409, 'request.idempotency_conflict'])
  })

  test('two at once under one Idempotency-Key send one challenge', async () => {
    const { id } = await create()
    const headers = { 'idempotency-key': `verify-${nextNumber()}` }
    const sent = receiver.challenges.length
    const answers = await Promise.all([verify(id, headers), verify(id, headers), verify(id, headers)])
    expect(answers.map((one) => one.headers.get('idempotency-replayed')).sort()).toEqual([null, 'true', 'true'].sort())
    expect(receiver.challenges).toHaveLength(sent + 1)
  })

  test('two at once end as one', async () => {
    const { id } = await create()
    const answers = await Promise.all([verify(id), verify(id)])
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual([
      [200, 'Active'],
      [200, 'Active'],
    ])
    expect(await read(id)).toMatchObject({ status: 'Active', revisionNumber: 2 })
  })

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['the URL is another', (id) => must(patch(id, { url: `${receiver.url}?moved` }))],
    ['the secret is another', (id) => must(server.api('POST', `${path}/${id}/secret`, { body: {} }))],
    ['the subscription was switched off', (id) => must(patch(id, { status: 'Disabled' }))],
  ])('when %s by the time the answer is there, it does not count', async (_what, change) => {
    const { id } = await create()
    const pass = passWith(receiver.secret) as Exclude<Receiver['meet'], number>
    receiver.meet = (received, reply) => void change(id).then(() => pass(received, reply))
    expect(problemOf(await verify(id))).toEqual([409, 'catalog.invalid_transition'])
    expect((await read(id)).status).not.toBe('Active')
  })

  test('If-Match is honoured before anything is sent', async () => {
    const { id } = await create()
    expect(problemOf(await verify(id, { 'if-match': '"9"' }))).toEqual([412, 'request.precondition_failed'])
    expect(receiver.challenges).toEqual([])
    await must(verify(id, { 'if-match': '"1"' }))
  })

  test('one that failed leaves an Active subscription as it is, one that is passed brings back a Suspended one', async () => {
    const { id } = await create()
    await must(verify(id))
    receiver.meet = 500
    expect((await verify(id)).status).toBe(400)
    expect(await read(id)).toMatchObject({ status: 'Active', revisionNumber: 2 })
    receiver.answer = 410
    await must(server.api('POST', `${path}/${id}/test-fire`, { body: { eventType: 'User.Erased' } }))
    await expect.poll(async () => (await read(id)).status).toBe('Suspended')
    receiver.answer = 204
    expect(problemOf(await patch(id, { status: 'Active' }))).toEqual([409, 'catalog.invalid_transition'])
    receiver.meet = passWith(receiver.secret)
    expect(await must(verify(id))).toMatchObject({ status: 'Active', consecutiveFailures: 0 })
  })
})
