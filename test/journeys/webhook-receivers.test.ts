import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, receivers, receiversDirectory, startReceiver } from '../support/webhook-receivers.ts'

const secret = 'a secret of printable characters'
const rotated = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const directory = mkdtempSync(join(tmpdir(), 'licet-receivers-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

interface Signed {
  headers: Record<string, string>
  body: string
}

const keyOf = (of: string) => (of.startsWith('whsec_') ? Buffer.from(of.slice(6), 'base64') : Buffer.from(of))
const signature = (of: string, signed: string) =>
  `v1,${createHmac('sha256', keyOf(of)).update(signed).digest('base64')}`
const stampOf = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`
const minute = 60_000

/** A delivery as the interface has it ("Signature"), signed by these secrets. */
function signed(
  event: { id: string },
  of = [secret],
  { at = Date.now(), stamp = stampOf(at), id = event.id } = {},
): Signed {
  const body = JSON.stringify(event)
  const signatures = of.map((each) => signature(each, `${id}.${stamp}.${body}`)).join(' ')
  return { headers: { 'webhook-id': id, 'webhook-timestamp': stamp, 'webhook-signature': signatures }, body }
}

const activated = (data: object = {}, type = 'Entitlement.Activated') => ({
  id: randomUUID(),
  type,
  time: new Date().toISOString(),
  entityid: randomUUID(),
  data: { name: 'Größe 😀', ...data },
})

async function post(url: string, { headers, body }: Signed) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents+json; charset=utf-8', ...headers },
    body,
  })
  return { status: answer.status, text: await answer.text(), signature: answer.headers.get('webhook-signature') }
}

for (const { name, command, isThere } of receivers) {
  describe.runIf(isThere)(name, () => {
    const inbox = join(directory, `${name}.db`)
    let receiver: Running
    const start = (of: string) => startReceiver(command, { WEBHOOK_SECRET: of, INBOX: inbox })
    beforeAll(async () => {
      receiver = await start(secret)
    })
    afterAll(() => receiver.stop())
    const appliedOf = ({ entityid }: { entityid: string }) =>
      receiver.said.filter((line) => line === `applied Entitlement.Activated ${entityid}`).length

    test('applies what is signed in either profile, and what one of two secrets has signed, each once', async () => {
      const [first, second, third] = [activated(), activated(), activated()]
      const stock = signed(second, [])
      const at = new Date()
      stock.headers['webhook-timestamp'] = String(Math.floor(at.getTime() / 1000))
      const format = { format: 'raw' } as const
      stock.headers['webhook-signature'] = new Webhook(secret, format).sign(second.id, at, stock.body)
      for (const delivery of [signed(first), stock, signed(third, [rotated, secret])])
        expect(await post(receiver.url, delivery)).toMatchObject({ status: 204 })
      expect(
        (await Promise.all([1, 2, 3].map(() => post(receiver.url, signed(first))))).map(({ status }) => status),
      ).toEqual([204, 204, 204])
      await expect.poll(() => [first, second, third].map(appliedOf)).toEqual([1, 1, 1])
      const again = () => receiver.said.filter((line) => line === `again Entitlement.Activated ${first.id}`).length
      await expect.poll(again).toBe(3)
    })

    test('acknowledges a test event and a type that it does not know, and applies neither', async () => {
      const [tried, unknown] = [activated({ _test: true }), activated({}, 'User.Erased')]
      for (const event of [tried, unknown])
        expect(await post(receiver.url, signed(event))).toMatchObject({ status: 204 })
      await expect.poll(() => receiver.said).toContain(`ignored User.Erased ${unknown.id}`)
      expect(receiver.said).toContain(`test Entitlement.Activated ${tried.id}`)
      expect(receiver.said.join()).not.toContain(tried.entityid)
    })

    test('answers the challenge with what it was sent, signed', async () => {
      const delivery = signed(activated({ challenge: 'cafe' }, 'Webhooks.Registration.Challenge'))
      const { 'webhook-id': id, 'webhook-timestamp': stamp } = delivery.headers
      const answer = await post(receiver.url, delivery)
      expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { challenge: 'cafe' }])
      expect(answer.signature).toBe(signature(secret, `${id}.${stamp}.${answer.text}`))
    })

    test('refuses what was altered, is signed by another, is old, or could be read in two ways', async () => {
      const event = activated()
      const right = signed(event)
      const headers = (more: object) => ({ body: right.body, headers: { ...right.headers, ...more } })
      const forged: Record<string, Signed> = {
        'another body': { ...right, body: right.body.replace('Größe', 'Grösse') },
        're-serialised': { ...right, body: JSON.stringify(JSON.parse(right.body), null, 1) },
        'another id': headers({ 'webhook-id': randomUUID() }),
        'another stamp': headers({ 'webhook-timestamp': stampOf(Date.now() + 1000) }),
        'no signature': headers({ 'webhook-signature': '' }),
        'half a signature': headers({ 'webhook-signature': right.headers['webhook-signature']!.slice(0, -4) }),
        'another secret': signed(event, [rotated]),
        old: signed(event, [secret], { at: Date.now() - 6 * minute }),
        'of the future': signed(event, [secret], { at: Date.now() + 6 * minute }),
        'a fraction of a second': signed(event, [secret], { stamp: new Date().toISOString() }),
        milliseconds: signed(event, [secret], { stamp: String(Date.now()) }),
        'a day that is none': signed(event, [secret], { stamp: '2026-13-45T00:00:00Z' }),
        'an id with a dot': signed(event, [secret], { id: 'a.b' }),
      }
      const answers = await Promise.all(
        Object.entries(forged).map(async ([what, delivery]) => [what, (await post(receiver.url, delivery)).status]),
      )
      expect(answers).toEqual(Object.keys(forged).map((what) => [what, 401]))
      expect(await post(receiver.url, right)).toMatchObject({ status: 204 })
      await expect.poll(() => appliedOf(event)).toBe(1)
    })

    test('takes its signatures from two headers, or from one that a proxy joined, and a path with a query', async () => {
      const [inTwo, joined] = [activated(), activated()]
      const two = signed(inTwo, [rotated, secret])
      const asked = request(`${receiver.url}?from=licet`, {
        method: 'POST',
        headers: { ...two.headers, 'webhook-signature': two.headers['webhook-signature']!.split(' ') },
      })
      const [answered] = await once(asked.end(two.body), 'response')
      expect(answered.resume().statusCode).toBe(204)
      const one = signed(joined, [rotated, secret])
      one.headers['webhook-signature'] = one.headers['webhook-signature']!.replace(' ', ', ')
      expect(await post(receiver.url, one)).toMatchObject({ status: 204 })
      await expect.poll(() => [inTwo, joined].map(appliedOf)).toEqual([1, 1])
    })

    test('refuses for good what is signed and no event', async () => {
      for (const [at, body] of ['no JSON', 'null', '[]', '{"type":"User.Erased"}', '{"type":1,"data":{}}'].entries()) {
        const [id, stamp] = [`no-event-${at}`, stampOf(Date.now())]
        const headers = { 'webhook-id': id, 'webhook-timestamp': stamp }
        const sent = { ...headers, 'webhook-signature': signature(secret, `${id}.${stamp}.${body}`) }
        expect(await post(receiver.url, { headers: sent, body })).toMatchObject({ status: 400, text: 'no event' })
      }
    })

    test('of two events at the same time the later received counts, and what they say is escaped in the log', async () => {
      const first = { ...activated(), entityid: `e-${randomUUID()}\u001b[2J\n` }
      const second = { ...first, id: randomUUID(), type: 'Entitlement.Cancelled' }
      for (const event of [first, second])
        expect(await post(receiver.url, signed(event))).toMatchObject({ status: 204 })
      const shown = first.entityid.replace('\u001b', '\\u001b').replace('\n', '\\u000a')
      await expect.poll(() => receiver.said).toContain(`applied Entitlement.Cancelled ${shown}`)
      const database = new DatabaseSync(inbox)
      const found = database.prepare('select status from entitlements where id = ?').get(first.entityid)
      database.close()
      expect(found).toEqual({ status: 'cancelled' })
    })

    test('says once of an event that cannot be applied, however many come after it', async () => {
      const { time: _, ...broken } = activated()
      expect(await post(receiver.url, signed(broken))).toMatchObject({ status: 204 })
      const after = [activated(), activated(), activated()]
      for (const event of after) {
        expect(await post(receiver.url, signed(event))).toMatchObject({ status: 204 })
        await expect.poll(() => appliedOf(event)).toBe(1)
      }
      expect(receiver.said.filter((line) => line.startsWith(`not applied yet: ${broken.id}: `))).toHaveLength(1)
    })

    test.each([
      ['two lengths', 'content-length: 2\r\ncontent-length: 3'],
      ['a length and chunks', 'content-length: 2\r\ntransfer-encoding: chunked'],
    ])('does not read a body with %s', async (_, lines) => {
      const { hostname, port } = new URL(receiver.url)
      const socket = connect(Number(port), hostname)
      socket.end(`POST /webhooks HTTP/1.1\r\nhost: x\r\n${lines}\r\n\r\n{}`)
      const [answered] = await once(socket, 'data')
      expect(String(answered)).toMatch(/^HTTP\/1\.1 400 /)
    })

    test('killed and started again, it applies what it had acknowledged, and knows what it had applied', async () => {
      const [applied, kept] = [activated(), activated()]
      for (const event of [applied, kept])
        expect(await post(receiver.url, signed(event))).toMatchObject({ status: 204 })
      await expect.poll(() => [applied, kept].map(appliedOf)).toEqual([1, 1])
      await receiver.stop('SIGKILL')
      // As if it had been killed before it came to it.
      const database = new DatabaseSync(inbox)
      database.prepare('update events set applied_at = null where id = ?').run(kept.id)
      database.close()
      receiver = await start(rotated)
      await expect.poll(() => appliedOf(kept)).toBe(1)
      expect(await post(receiver.url, signed(applied))).toMatchObject({ status: 401 })
      expect(await post(receiver.url, signed(applied, [secret, rotated]))).toMatchObject({ status: 204 })
      await expect.poll(() => receiver.said).toContain(`again Entitlement.Activated ${applied.id}`)
      expect(appliedOf(applied)).toBe(0)
    })

    test('does not start without a secret', async () => {
      for (const nothing of ['', 'whsec_'])
        await expect(start(nothing)).rejects.toThrow('WEBHOOK_SECRET_FILE is needed')
    })
  })
}

test.each([
  ['a secret as it is', secret],
  ['a whsec_ secret', rotated],
  ['a secret longer than a block of SHA-256', 'x'.repeat(200)],
  ['a longer whsec_ secret', `whsec_${Buffer.alloc(100, 255).toString('base64')}`],
  ['a secret whose signature a proxy joined to another', secret, ', '],
  ['a secret whose signature is in a header of its own', secret, '\r\nwebhook-signature: '],
])('openssl alone verifies a delivery by %s', (_, of, separator = ' ') => {
  const { headers, body } = signed(activated(), ['another secret', of])
  if (separator !== ' ') headers['webhook-signature'] = headers['webhook-signature']!.replace(' ', separator)
  const [dump, bytes] = [join(directory, 'headers.txt'), join(directory, 'body.json')]
  writeFileSync(
    dump,
    Object.entries(headers)
      .map(([name, value]) => `${name.toUpperCase()}: ${value}\r\n`)
      .join(''),
  )
  writeFileSync(bytes, body)
  const args = [join(receiversDirectory, 'verify.sh'), dump, bytes]
  const env = { PATH: process.env.PATH, WEBHOOK_SECRET: of }
  expect(execFileSync('sh', args, { env, encoding: 'utf8' })).toBe(`signed at ${headers['webhook-timestamp']}\n`)
  writeFileSync(bytes, `${body} `)
  expect(spawnSync('sh', args, { env }).status).toBe(2)
})
