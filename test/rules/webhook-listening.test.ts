import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { paint } from '../../cli/colour.ts'
import { listenProblem } from '../../cli/listen-problem.ts'
import { heardDocument, heardLine } from '../../cli/screens/heard.ts'
import { listenForWebhooks } from '../../cli/tasks/webhook-listen.ts'
import { answerDeliveries, type Heard } from '../../cli/webhook-listening/answering.ts'
import { type Received, type Receiver, startReceiver } from '../../cli/webhook-listening/receiver.ts'
import { deliveryHeaders, type Sending } from '../../server/webhooks/signing/delivery-headers.ts'
import { keyOfSecret, sign } from '../../server/webhooks/signing/signature.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = 'another-secret-of-32-characters!'
const colours = paint({ isTTY: false })

const envelope = (more: object = {}) => ({
  ...{ specversion: '1.0', id: '0199f000-0000-7000-8000-00000000000a', source: 'urn:service:tenant:t' },
  ...{ type: 'Entitlement.Activated', time: new Date().toISOString(), subject: 'e-1', tenantid: 't' },
  ...{ entitykind: 'entitlement', entityid: 'e-1', eventversion: 1, data: { name: 'Café' } },
  ...more,
})
type Envelope = ReturnType<typeof envelope>

let receiver: Receiver
let forwardTo: URL | undefined
let heard: Heard[] = []
let came: Received | undefined
let answer: ReturnType<typeof answerDeliveries>
const listen = () => {
  answer = answerDeliveries({ secrets: [other, secret].map((text) => ({ text, line: text })), forwardTo }, (one) =>
    heard.push(one),
  )
}
beforeAll(async () => {
  receiver = await startReceiver(
    { host: '127.0.0.1', port: 0 },
    (received) => {
      came = received
      return answer(received)
    },
    (error) => {
      throw error
    },
  )
})
afterAll(() => receiver.close())
afterEach(() => {
  heard = []
  forwardTo = undefined
})

const bytesOf = (event: object) => Buffer.from(JSON.stringify(event))
const headersFor = (event: Envelope, body = bytesOf(event), more: Partial<Sending> = {}) =>
  deliveryHeaders(
    {
      ...{ eventId: event.id, eventType: event.type, tenantId: 't', subscriptionId: 's', attempt: 1 },
      ...{ profile: 'Default', secrets: [secret], sentAt: Date.now(), ...more },
    },
    body,
  )
const post = (headers: Record<string, string>, body: Buffer) =>
  fetch(`${receiver.url}/any/path`, { method: 'POST', headers, body: new Uint8Array(body) })
const deliver = (event: Envelope, more: Partial<Sending> = {}) =>
  post(headersFor(event, undefined, more), bytesOf(event))
const lines = () =>
  heard.map((one) =>
    heardLine(one, colours)
      .replace(/^\S+Z {2}/, '')
      .replaceAll(/\d+ ms/g, 'N ms'),
  )

describe('a delivery', () => {
  beforeAll(listen)

  test.each(['Default', 'StandardWebhooks'] as const)(
    'of the profile %s is taken, over its very bytes',
    async (profile) => {
      listen()
      expect((await deliver(envelope(), { profile })).status).toBe(204)
      expect(lines()).toEqual(['Entitlement.Activated  entitlement e-1  N ms'])
    },
  )

  test('signed by two secrets during a rotation is taken by either', async () => {
    listen()
    expect((await deliver(envelope(), { secrets: ['a-secret-nobody-knows-here', other] })).status).toBe(204)
  })

  test('whose signatures come in two headers is taken, and they are handed on in one', async () => {
    listen()
    const event = envelope()
    const headers = headersFor(event)
    const signatures = ['v1,x', headers['webhook-signature']!]
    const asked = request(receiver.url, { method: 'POST', headers: { ...headers, 'webhook-signature': signatures } })
    const [answered] = await once(asked.end(bytesOf(event)), 'response')
    expect(answered.resume().statusCode).toBe(204)
    expect(came!.headers['webhook-signature']).toBe(signatures.join(' '))
  })

  test('that comes again is taken again, and said to have come before; a test, a retry and a subject are marked', async () => {
    listen()
    const event = envelope({ data: { _test: true }, subject: 'order 7' })
    await deliver(event)
    expect((await deliver(event, { attempt: 2 })).status).toBe(204)
    expect(lines()).toEqual([
      'Entitlement.Activated  entitlement e-1, order 7  TEST  N ms',
      'Entitlement.Activated  entitlement e-1, order 7  TEST  attempt 2  again  N ms',
    ])
  })

  test('of a tenant whose clock is ahead has no latency, and control characters are shown', async () => {
    listen()
    await deliver(envelope({ time: '2090-01-01T00:00:00Z', subject: null, entityid: 'e\u001b[2J' }))
    expect(lines()).toEqual(['Entitlement.Activated  entitlement e\\x1b[2J'])
  })

  test('keeps the digits of its numbers', async () => {
    listen()
    const body = Buffer.from(JSON.stringify(envelope()).replace('{"name":"Café"}', '{"usage":123456789.123456789123}'))
    await post(headersFor(envelope(), body), body)
    expect(JSON.stringify(heardDocument(heard[0]!))).toContain('"usage":123456789.123456789123')
  })
})

describe('a challenge', () => {
  test('is answered with its own words alone, signed over the id and the timestamp that came', async () => {
    listen()
    const event = envelope({ type: 'Webhooks.Registration.Challenge', data: { challenge: 'c-1', subscriptionId: 's' } })
    const headers = headersFor(event)
    const answered = await post(headers, bytesOf(event))
    const body = Buffer.from(await answered.arrayBuffer())
    expect(answered.status).toBe(200)
    expect(body.toString()).toBe('{"challenge":"c-1"}')
    expect(answered.headers.get('webhook-signature')).toBe(
      sign(keyOfSecret(secret), event.id, headers['webhook-timestamp']!, body),
    )
    expect(lines()).toEqual(['Webhooks.Registration.Challenge  entitlement e-1  N ms  answered'])
  })
})

describe('what is not to be trusted is refused, and why is said', () => {
  const event = envelope()
  // One listener: the first refusal is explained, those right after it are not.
  beforeAll(listen)
  const deep = envelope()
  const deepBody = Buffer.from(
    JSON.stringify(deep).replace('{"name":"Café"}', `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`),
  )
  const late = Date.now() - 6 * 60_000
  test.each([
    [
      'the same, re-serialised',
      headersFor(event),
      Buffer.from(JSON.stringify(event, null, 2)),
      401,
      /No signature.*written again/,
    ],
    ['other bytes', headersFor(event), Buffer.from(JSON.stringify(event).replace('Café', 'Tea')), 401, /No signature/],
    [
      'another secret',
      headersFor(event, undefined, { secrets: ['0123456789abcdef'] }),
      bytesOf(event),
      401,
      /No signature/,
    ],
    ['an old one', headersFor(event, undefined, { sentAt: late }), bytesOf(event), 401, /too old/],
    ['one that is ahead', headersFor(event, undefined, { sentAt: late + 12 * 60_000 }), bytesOf(event), 401, /ahead/],
    ['no headers', {}, bytesOf(event), 401, /There is no webhook-id/],
    ['no JSON', headersFor(event, Buffer.from('{"id":')), Buffer.from('{"id":'), 400, /no JSON object/],
    ['one nested 3000 deep', headersFor(deep, deepBody), deepBody, 400, /nested more than 64/],
    [
      'another id inside',
      headersFor(event, bytesOf({ ...event, id: 'x' })),
      bytesOf({ ...event, id: 'x' }),
      400,
      /id in the body/,
    ],
  ])('%s', async (_, headers, body, status, reason) => {
    const answered = await post(headers, body)
    expect(answered.status).toBe(status)
    expect(await answered.text()).toMatch(reason)
    expect(lines()[0]).toMatch(/^REFUSED/)
    expect(heardDocument(heard[0]!)).toMatchObject({ event: 'refusal', status, reason: expect.stringMatching(reason) })
    expect(JSON.stringify(heard)).not.toContain(secret)
  })

  test('a GET, and a body that is too large', async () => {
    expect((await fetch(receiver.url)).headers.get('allow')).toBe('POST')
    expect((await post({}, Buffer.alloc(4 * 1024 * 1024 + 1))).status).toBe(413)
    expect(heard).toEqual([])
  })
})

describe('handed on', () => {
  let endpoint: Server
  let got: { headers: IncomingHttpHeaders; body: string }[] = []
  let status = 200
  beforeAll(async () => {
    endpoint = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      got.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
      response.writeHead(status, { 'retry-after': '7', 'set-cookie': 'a=b', location: '/elsewhere' }).end('said')
    })
    await new Promise<void>((listening) => endpoint.listen(0, '127.0.0.1', listening))
  })
  afterAll(() => endpoint.close())
  const url = () => new URL(`http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hooks?a=1`)

  test('the very bytes and the webhook headers go on, and nothing else; the answer is the endpoint’s own', async () => {
    forwardTo = url()
    got = []
    listen()
    const event = envelope()
    for (status of [200, 503, 302]) {
      const answered = await post({ ...headersFor(event), cookie: 'x=y' }, bytesOf(event))
      expect([answered.status, await answered.text(), answered.headers.get('retry-after')]).toEqual([
        status,
        'said',
        '7',
      ])
      expect([answered.headers.get('set-cookie'), answered.headers.get('location')]).toEqual([null, null])
    }
    expect(got.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(event)))
    expect(got[0]!.headers).toMatchObject({
      'webhook-id': event.id,
      'content-type': 'application/cloudevents+json; charset=utf-8',
    })
    expect(got[0]!.headers).not.toHaveProperty('cookie')
    expect(lines().map((line) => line.replace(/^.*→/, '→'))).toEqual([
      '→ 200 in N ms',
      '→ 503 in N ms',
      '→ 302 in N ms',
    ])
  })

  test('an endpoint that is not there is a 502, so that it is tried again; what is refused never gets to it', async () => {
    forwardTo = new URL('http://127.0.0.1:9/')
    listen()
    expect((await deliver(envelope())).status).toBe(502)
    expect(lines()[0]).toMatch(/→ .*127\.0\.0\.1:9/)
    forwardTo = url()
    got = []
    listen()
    await post({}, bytesOf(envelope()))
    expect(got).toEqual([])
  })
})

test('a delivery that fails by a mistake of ours is answered 500, and those after it are answered', async () => {
  const ending = Promise.withResolvers<void>()
  const warnings: string[] = []
  const listening = {
    ...{ host: '127.0.0.1', port: 0, secrets: [{ text: secret, line: secret }], forwardTo: undefined },
    hear: (one: Heard) => {
      if (one.kind === 'refusal') throw new Error('ours')
    },
    warn: (message: string) => void warnings.push(message),
  }
  let url = ''
  const listened = listenForWebhooks(listening, async (own) => {
    url = own
    await ending.promise
  })
  await expect.poll(() => url).not.toBe('')
  const send = (headers: Record<string, string>, body: Buffer) =>
    fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })
  const event = envelope()
  expect((await send({}, Buffer.from('x'))).status).toBe(500)
  expect((await send(headersFor(event), bytesOf(event))).status).toBe(204)
  ending.resolve()
  await expect(listened).rejects.toThrow('ours')
  expect(warnings).toHaveLength(1)
})

test.each([
  ['EADDRINUSE', 'listen', /--port 0/],
  ['EACCES', 'bind', /--port 0/],
  ['EADDRNOTAVAIL', 'listen', /--host 127/],
  ['ENOTFOUND', 'getaddrinfo', /--host 127/],
])('who cannot listen because of %s is told what to change', (code, syscall, hint) => {
  expect(listenProblem({ code, syscall }, '203.0.113.9', 0)?.details.hint).toMatch(hint)
})
