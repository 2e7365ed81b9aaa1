import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, test } from 'vitest'
import { composeHeaders } from '../../cli/webhooks/composing.ts'
import { secretsIn } from '../../cli/webhooks/signing-secrets.ts'
import { readStamp, type SignatureProfile, signatureProfiles, stampOf } from '../../cli/webhooks/stamps.ts'
import { verifyDelivery } from '../../cli/webhooks/verifying.ts'
import { expectGrowthBelow } from '../support/growth.ts'
import {
  delivery,
  eventBody,
  eventId,
  secret,
  sentAt,
  signatureBy,
  stamp,
  verdictOn,
} from '../support/webhook-deliveries.ts'

const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const now = Math.floor(Date.now() / 1000) * 1000
const compose = (body: Buffer, profile: SignatureProfile, secrets: string, at = now) =>
  composeHeaders(body, { profile }, secretsIn(secrets), { now: at, freshId: eventId })
const verify = (headers: Record<string, string>, body: Buffer, secrets = secret, at = now) =>
  verifyDelivery({ headers: new Map(Object.entries(headers)), body }, secretsIn(secrets), {
    now: at,
    tolerance: 300_000,
  })

const secretTexts = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`),
  fc
    .string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 16,
      maxLength: 64,
    })
    .filter((text) => !text.startsWith('whsec_')),
)

describe('what is signed', () => {
  test('verifies, whatever the body, the secrets and the profile, by each secret alone', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.uniqueArray(secretTexts, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...signatureProfiles),
        fc.integer({ min: 0, max: 4_000_000_000 }),
        (bytes, secrets, profile, second) => {
          const body = Buffer.from(bytes)
          const at = second * 1000
          const headers = compose(body, profile, secrets.join('\n'), at)
          for (const [place, one] of secrets.entries())
            expect(verify(headers, body, one, at)).toMatchObject({
              verified: true,
              reason: null,
              matched: { signature: place + 1, secret: 1 },
              age: 0,
              profile,
              hints: [],
            })
        },
      ),
      { numRuns: 100 },
    )
  })

  test.each([
    ['blanks', ' ', 2],
    ['tabs and blanks', ' \t ', 2],
    ['a comma', ',', 2],
    ['a comma and a blank, as joined headers have them', ', ', 2],
  ])('verifies by one of several signatures, told apart by %s', (_, between, place) => {
    const sound = delivery()
    const signature = ['v1,x', sound.signature, `v1a,${'A'.repeat(86)}==`].join(between)
    expect(verdictOn({ ...sound, signature })).toMatchObject({
      verified: true,
      matched: { signature: place, secret: 1 },
    })
  })

  test.each([' ', ',', ', ', ' ,', 'v1,', ', v1'])(
    'is looked for in a header of "%s" over and over in time that grows with its length',
    (unit) => {
      const lookIn = (length: number) => () =>
        expect(verdictOn({ ...delivery(), signature: unit.repeat(length / unit.length) }).verified).toBe(false)
      // 32 times the length: about 32 when linear, and up to 90 with what memory costs; 1,024 when quadratic.
      expectGrowthBelow(180, lookIn(12_000), lookIn(384_000))
    },
  )

  test('verifies no longer with any one byte changed of body, id, timestamp or signature', () => {
    const sound = delivery({ body: '{"id":"a"}' })
    sound.signature = signatureBy(Buffer.from('plain-secret-of-16'), `${sound.id}.${stamp}.${sound.body}`)
    sound.secret = 'plain-secret-of-16'
    expect(verdictOn(sound).verified).toBe(true)
    for (const part of ['body', 'id', 'timestamp', 'signature'] as const) {
      const text = String(sound[part])
      for (let at = 0; at < text.length; at++)
        for (const flipped of [1, 2, 32]) {
          const changed = `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ flipped)}${text.slice(at + 1)}`
          const headers = { ...sound, [part]: changed }
          const { verified } = verifyDelivery(
            {
              headers: new Map([
                ['webhook-id', headers.id],
                ['webhook-timestamp', headers.timestamp],
                ['webhook-signature', headers.signature],
              ]),
              body: Buffer.from(headers.body),
            },
            secretsIn(sound.secret),
            { now: sentAt, tolerance: Number.POSITIVE_INFINITY, isExplained: false },
          )
          expect(verified, `${part} at ${at}`).toBe(false)
        }
    }
  })

  test('in the profile StandardWebhooks verifies by the stock libraries, in Default by none of them', () => {
    const body = Buffer.from(eventBody())
    for (const Library of [StandardWebhook, SvixWebhook]) {
      const library = new Library(secret)
      for (const secrets of [secret, `${other}\n${secret}`])
        expect(() => library.verify(body.toString(), compose(body, 'StandardWebhooks', secrets))).not.toThrow()
      expect(() => library.verify(body.toString(), compose(body, 'Default', secret))).toThrow()
      expect(() => library.verify(`${body} `, compose(body, 'StandardWebhooks', secret))).toThrow()
    }
  })

  test('is what the stock library signs', () => {
    const body = eventBody()
    const signature = new StandardWebhook(secret).sign(eventId, new Date(now), body)
    const timestamp = stampOf(now, 'StandardWebhooks')
    expect(compose(Buffer.from(body), 'StandardWebhooks', secret)['webhook-signature']).toBe(signature)
    expect(verdictOn(delivery({ signature, timestamp }), now).verified).toBe(true)
  })

  test('is what openssl makes of it', () => {
    const body = eventBody()
    const key = Buffer.from(secret.slice(6), 'base64').toString('hex')
    const mac = execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-binary'], {
      input: `${eventId}.${stamp}.${body}`,
    })
    expect(compose(Buffer.from(body), 'Default', secret, sentAt)['webhook-signature']).toBe(
      `v1,${mac.toString('base64')}`,
    )
  })
})

describe('a verdict', () => {
  test('says which signature fits which secret, and what the event is', () => {
    const made = delivery({ secret: `${other}\n${secret}` })
    made.signature = `v1,${'A'.repeat(43)}= v2,x ${made.signature}`
    expect(verdictOn(made)).toEqual({
      verified: true,
      reason: null,
      matched: { signature: 3, secret: 2 },
      age: 3,
      profile: 'Default',
      id: eventId,
      type: 'Entitlement.Activated',
      attempt: null,
      isTest: true,
      hints: [],
    })
  })

  test.each<[string, number, string | null]>([
    ['as old as is trusted', 300_000, null],
    ['a millisecond older', 300_001, 'too_old'],
    ['as far ahead as is trusted', -300_000, null],
    ['a millisecond further', -300_001, 'too_new'],
  ])('on a timestamp %s', (_, distance, code) => {
    const verdict = verdictOn(delivery(), sentAt + distance)
    expect(verdict.reason?.code ?? null).toBe(code)
    expect(verdict).toMatchObject({
      verified: code === null,
      matched: { signature: 1, secret: 1 },
      type: 'Entitlement.Activated',
    })
  })

  test.each([
    ['an id with a dot', { id: 'a.b', timestamp: stamp }, 'malformed_id'],
    ['a fraction in the timestamp', { id: eventId, timestamp: '2026-08-29T12:00:00.5Z' }, 'malformed_timestamp'],
    ['a timestamp of another zone', { id: eventId, timestamp: '2026-08-29T14:00:00+02:00' }, 'malformed_timestamp'],
    ['a timestamp in milliseconds', { id: eventId, timestamp: '1788004800000' }, 'malformed_timestamp'],
  ])('refuses %s, even where it is signed', (_, { id, timestamp }, code) => {
    const signature = signatureBy(Buffer.from(secret.slice(6), 'base64'), `${id}.${timestamp}.${eventBody()}`)
    expect(verdictOn(delivery({ id, timestamp, signature })).reason?.code).toBe(code)
  })

  test('takes UTC in either spelling of RFC 3339', () => {
    const timestamp = '2026-08-29T12:00:00+00:00'
    const signature = signatureBy(Buffer.from(secret.slice(6), 'base64'), `${eventId}.${timestamp}.${eventBody()}`)
    expect(verdictOn(delivery({ timestamp, signature }))).toMatchObject({ verified: true, profile: 'Default' })
  })

  test.each(['id', 'timestamp', 'signature'])('without a webhook-%s says so', (part) => {
    expect(verdictOn(delivery({ [part]: '' })).reason).toEqual({
      code: 'missing_header',
      message: `There is no webhook-${part}.`,
    })
  })

  test('on a delivery that verifies warns of what is a trap', () => {
    expect(verdictOn(delivery({ secret: `${secret} ` })).hints).toMatchObject([{ code: 'secret_blanks', secret: 1 }])
    const signature = signatureBy(Buffer.from(secret.slice(6), 'base64'), `x.${stamp}.${eventBody()}`)
    expect(verdictOn(delivery({ id: 'x', signature }))).toMatchObject({
      verified: true,
      hints: [{ code: 'id_of_another' }],
    })
  })
})

describe('headers that are made', () => {
  const made = (body: string, asked = {}) =>
    composeHeaders(Buffer.from(body), asked, secretsIn(secret), { now: sentAt + 999, freshId: 'fresh' })

  test('say of the event what its envelope says, and nothing that no header can hold', () => {
    expect(made(eventBody())).toMatchObject({
      'webhook-id': eventId,
      'webhook-timestamp': stamp,
      'webhook-event-type': 'Entitlement.Activated',
      'webhook-tenant': 't1',
    })
    expect(made('{"type":"a\\r\\nx: y"}')).not.toHaveProperty('webhook-event-type')
    expect(made('no JSON')).toMatchObject({ 'webhook-id': 'fresh' })
  })

  test.each<[object, string]>([
    [{ timestamp: '1788004800' }, '1788004800'],
    [{ timestamp: '1788004800', profile: 'Default' }, stamp],
    [{ timestamp: '2026-08-29T12:00:00+00:00' }, '2026-08-29T12:00:00+00:00'],
    [{ timestamp: '2026-08-29T12:00:00+00:00', profile: 'StandardWebhooks' }, '1788004800'],
    [{ timestamp: stamp, profile: 'StandardWebhooks' }, '1788004800'],
    [{ profile: 'StandardWebhooks' }, '1788004800'],
  ])('of %o are stamped %s', (asked, timestamp) => {
    expect(made('', asked)['webhook-timestamp']).toBe(timestamp)
  })

  test.each<[string, object, string]>([
    ['{"id":"a.b"}', {}, 'cli.input'],
    ['{"id":"a\\r\\nb"}', {}, 'cli.input'],
    ['', { id: 'a b' }, 'cli.usage'],
    ['', { timestamp: '2026-08-29T12:00:00.123Z' }, 'cli.usage'],
  ])('of %s with %o are refused', (body, asked, codeName) => {
    expect(() => made(body, asked)).toThrow(expect.objectContaining({ codeName }))
  })
})

test.each([
  '',
  '01',
  '-1',
  '1e9',
  '999999999999',
  '2026-02-30T00:00:00Z',
  '2026-08-29t12:00:00z',
  '2026-08-29T12:00:00-00:00',
  '2026-08-29T24:00:00Z',
])('a timestamp is not %s', (text) => expect(readStamp(text)).toBeUndefined())
