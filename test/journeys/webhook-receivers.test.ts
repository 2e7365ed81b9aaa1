import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
])('openssl alone verifies a delivery by %s', (_, of) => {
  const { headers, body } = signed(activated(), ['another secret', of])
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
