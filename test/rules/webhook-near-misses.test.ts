import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readEnvelope } from '../../cli/webhooks/envelope.ts'
import type { HintCode } from '../../cli/webhooks/near-misses/near-miss.ts'
import { suspect } from '../../cli/webhooks/near-misses/suspecting.ts'
import { secretsIn } from '../../cli/webhooks/signing-secrets.ts'
import { verifyDelivery } from '../../cli/webhooks/verifying.ts'
import { expectGrowthBelow } from '../support/growth.ts'
import {
  delivery,
  eventBody,
  eventId,
  hmac,
  keyOfPrefixed,
  type MadeDelivery,
  secret,
  signatureBy,
  stamp,
  verdictOn,
} from '../support/webhook-deliveries.ts'

const key = keyOfPrefixed(secret)
const body = eventBody()
const plain = 'a plain secret of words'
const seconds = String(Date.parse(stamp) / 1000)
const signed = (...parts: (string | Buffer)[]) => ({ signature: signatureBy(key, ...parts) })
const overBody = (other: string | Buffer) => signed(`${eventId}.${stamp}.`, other)
const parsed = JSON.parse(body)
const other = '0199f000-0000-7000-8000-000000000002'
const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(body, 'utf16le')])
const chunked = `5\r\n${body.slice(0, 5)}\r\n${Buffer.byteLength(body.slice(5)).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`
const ascii = (text: string) =>
  text.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
const python = (text: string) => text.replace(/"([:,])(?=["{[\dt])|(?<=[\d\]e])(,)(?=")/g, (one) => `${one} `)
const flask = `{"data":{"amount":1,"id":"x"},"time":"now"}\n`

/** What was sent or signed wrongly, and what it must be recognised as. */
const near: [string, HintCode[], Partial<MadeDelivery>][] = [
  ['a body that was indented', ['body_reserialised'], { body: body.replaceAll(/([{,])(?=")/g, '$1\n  ') }],
  ['a body as JSON.stringify indents it', ['body_reserialised'], { ...overBody(JSON.stringify(parsed, null, 2)) }],
  [
    'a body indented by four blanks',
    ['body_reserialised'],
    { ...overBody(JSON.stringify(parsed, null, 4)), body: JSON.stringify(parsed) },
  ],
  ['a body written by JSON.stringify', ['body_reserialised'], overBody(JSON.stringify(parsed))],
  ["a body with the blanks of Python's json.dumps", ['body_reserialised'], { body: python(body) }],
  [
    "a body signed as Python's json.dumps writes it",
    ['body_reserialised'],
    overBody(ascii(python(body.replace('1.10', '1.1')))),
  ],
  ['a body beyond ASCII escaped', ['body_reserialised'], { body: ascii(body) }],
  ['a body with slashes escaped', ['body_reserialised'], { body: ascii(body).replaceAll('/', '\\/') }],
  [
    'a body escaped as Go does',
    ['body_reserialised'],
    overBody(body.replace('<', '\\u003c').replace('>', '\\u003e').replace('&', '\\u0026')),
  ],
  [
    'a body whose keys were sorted, and a line break',
    ['body_reserialised'],
    { ...overBody(flask), body: '{"time":"now","data":{"id":"x","amount":1}}' },
  ],
  [
    'an envelope whose keys were moved',
    ['body_reserialised'],
    { body: JSON.stringify(Object.fromEntries(Object.entries(parsed).reverse())).replace('1.1,', '1.10,') },
  ],
  ['a line break after the body', ['body_line_break'], { body: `${body}\n` }],
  ['a CRLF after the body', ['body_line_break'], { body: `${body}\r\n` }],
  ['a line break that was cut off', ['body_line_break'], overBody(`${body}\n`)],
  ['a CRLF that was cut off', ['body_line_break'], overBody(`${body}\r\n`)],
  ['LF made CRLF', ['body_line_endings'], { ...overBody('{\n"a": 1\n}'), body: '{\r\n"a": 1\r\n}' }],
  ['CRLF made LF', ['body_line_endings'], { ...overBody('a\r\nb\r\nc'), body: 'a\nb\nc' }],
  ['a byte order mark', ['body_byte_order_mark'], { body: `\ufeff${body}` }],
  ['a byte order mark taken away', ['body_byte_order_mark'], overBody(`\ufeff${body}`)],
  ['UTF-16', ['body_encoding'], { body: utf16 }],
  ['Latin-1', ['body_encoding'], { ...overBody('{"a":"é"}'), body: Buffer.from('{"a":"é"}', 'latin1') }],
  ['UTF-8 encoded twice', ['body_encoding'], { body: Buffer.from(Buffer.from(body).toString('latin1')) }],
  ['base64', ['body_wrapped'], { body: Buffer.from(body).toString('base64') }],
  ['JSON in JSON', ['body_wrapped'], { body: JSON.stringify(body) }],
  ['chunks', ['body_wrapped'], { body: chunked }],
  ['a body signed when it had been consumed', ['body_empty'], overBody('')],
  [
    'a body with more after it than is counted',
    ['body_longer'],
    { body: `${body}--more`, contentLength: Buffer.byteLength(body) },
  ],
  [
    'the text of the secret as the key',
    ['secret_undecoded'],
    { signature: signatureBy(secret, `${eventId}.${stamp}.${body}`) },
  ],
  [
    'the text after whsec_ as the key',
    ['secret_undecoded'],
    { signature: signatureBy(secret.slice(6), `${eventId}.${stamp}.${body}`) },
  ],
  ['a secret that lost its whsec_', ['secret_prefix'], { secret: secret.slice(6) }],
  ['a secret that lost its padding', ['secret_malformed'], { secret: secret.replace(/=+$/, '') }],
  [
    'a plain secret decoded from hexadecimal',
    ['secret_hex'],
    {
      secret: '00112233445566778899',
      signature: signatureBy(Buffer.from('00112233445566778899', 'hex'), `${eventId}.${stamp}.${body}`),
    },
  ],
  [
    'a plain secret with its line break',
    ['secret_blanks'],
    { secret: plain, signature: signatureBy(`${plain}\n`, `${eventId}.${stamp}.${body}`) },
  ],
  [
    'a plain secret with the blank of its line',
    ['secret_blanks'],
    { secret: `\t${plain}`, signature: signatureBy(`\t${plain}`, `${eventId}.${stamp}.${body}`) },
  ],
  ['a secret in quotes', ['secret_wrapped'], { secret: `"${secret}"` }],
  ['a secret with its variable', ['secret_wrapped'], { secret: `export WEBHOOK_SECRET='${secret}'` }],
  ['seconds that became RFC 3339', ['timestamp_form'], signed(`${eventId}.${seconds}.${body}`)],
  ['RFC 3339 that became seconds', ['timestamp_form'], { timestamp: seconds }],
  ['milliseconds added', ['timestamp_form'], { timestamp: stamp.replace('Z', '.000Z') }],
  ['an offset', ['timestamp_form'], { timestamp: stamp.replace('Z', '+00:00') }],
  ['Unix milliseconds', ['timestamp_form'], { timestamp: `${seconds}000` }],
  [
    'a timestamp signed with milliseconds',
    ['timestamp_form'],
    signed(`${eventId}.${stamp.replace('Z', '.000Z')}.${body}`),
  ],
  ['the timestamp of an attempt 14 s later', ['timestamp_of_another'], { timestamp: stamp.replace(':00Z', ':14Z') }],
  ['the timestamp of an attempt a minute before', ['timestamp_of_another'], { timestamp: '2026-08-29T11:59:00Z' }],
  ['id and timestamp swapped', ['id_timestamp_swapped'], { id: stamp, timestamp: eventId }],
  ['id and timestamp signed the other way round', ['id_timestamp_swapped'], signed(`${stamp}.${eventId}.${body}`)],
  ['the id of another delivery', ['id_of_another'], { id: other }],
  ['no id at all', ['id_of_another'], { id: '' }],
  ['the body alone signed', ['signed_parts'], signed(body)],
  ['the timestamp and the body signed', ['signed_parts'], signed(`${stamp}.${body}`)],
  ['no dots', ['signed_parts'], signed(`${eventId}${stamp}${body}`)],
  ['no v1', ['signature_prefix'], { signature: delivery().signature.slice(3) }],
  ['v1=', ['signature_prefix'], { signature: delivery().signature.replace(',', '=') }],
  ['hexadecimal', ['signature_hex'], { signature: `v1,${hmac(key, `${eventId}.${stamp}.${body}`).toString('hex')}` }],
  ['base64 without padding', ['signature_base64url'], { signature: delivery().signature.replace(/=+$/, '') }],
  [
    'base64url',
    ['signature_base64url'],
    { signature: `v1,${hmac(key, `${eventId}.${stamp}.${body}`).toString('base64url')}` },
  ],
  [
    'semicolons between signatures',
    ['signature_separator'],
    { signature: `${delivery().signature};v1,${'A'.repeat(43)}=` },
  ],
  [
    'hexadecimal without v1',
    ['signature_prefix', 'signature_hex'],
    { signature: hmac(key, `${eventId}.${stamp}.${body}`).toString('hex') },
  ],
  ['two mistakes at a time', ['body_line_break', 'secret_prefix'], { body: `${body}\n`, secret: secret.slice(6) }],
  [
    'two others',
    ['secret_undecoded', 'timestamp_form'],
    { timestamp: seconds, signature: signatureBy(secret, `${eventId}.${stamp}.${body}`) },
  ],
  [
    'the id of another delivery, and of another attempt',
    ['timestamp_of_another', 'id_of_another'],
    { id: other, timestamp: stamp.replace(':00Z', ':07Z') },
  ],
]

describe('a delivery that nearly verifies', () => {
  test.each(near)('with %s is refused, and says so', (_, codes, changed) => {
    const made = delivery(changed)
    const verdict = verdictOn(made)
    expect(verdict).toMatchObject({ verified: false, matched: null, type: null, isTest: null })
    expect(verdict.hints.map(({ code }) => code)).toEqual(codes)
    for (const { message, ...places } of verdict.hints) {
      expect(message).toMatch(/^Signature 1 fits secret 1 if .*\. \S.*\.$/)
      expect(message).not.toContain(made.secret.trim())
      expect(places).toMatchObject({ signature: 1, secret: 1 })
    }
  })

  test('names the signature and the secret that it is about, by their places', () => {
    const { hints } = verdictOn(
      delivery({ secret: `${plain}\n${secret}`, signature: `v1,AAAA ${delivery().signature}`, body: `${body}\n` }),
    )
    expect(hints).toMatchObject([{ code: 'body_line_break', signature: 2, secret: 2 }])
  })

  test('is looked for in a body of any kind, in bounded time', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const wide = `{"specversion":"1.0","a":[${'"é",'.repeat(12_000)}1.0]}`
    const long = `"${'\\"'.repeat(30_000)}"`
    const odd = [deep.slice(20_000, -20_000), deep, wide, long, '"\ud800"', '{"a":1,"a":2}', '{"__proto__":{}}']
    const hashMegabytes = () => void createHmac('sha256', key).update(Buffer.alloc(16_000_000)).digest()
    const refuse = () => {
      for (const text of odd) expect(verdictOn(delivery({ body: text, timestamp: 'x' })).verified).toBe(false)
    }
    expectGrowthBelow(120, hashMegabytes, refuse)
  })
})

describe('a delivery that no near miss explains', () => {
  test.each<[string, HintCode[], Partial<MadeDelivery>]>([
    ['signed by another secret', ['wrong_secret'], { secret: `${secret}\n`.replace('MDEy', 'MDEz') }],
    ['with another body', ['wrong_secret'], { body: body.replace('Größe', 'Grosse') }],
    ['without a body', ['body_empty', 'wrong_secret'], { body: '' }],
    [
      'with a body shorter than is counted',
      ['body_truncated', 'wrong_secret'],
      { body: body.slice(0, -1), contentLength: 400 },
    ],
    ['with a body that ends within a string', ['body_truncated', 'wrong_secret'], { body: body.slice(0, 100) }],
    ['with a body that ends within an object', ['body_truncated', 'wrong_secret'], { body: body.slice(0, -2) }],
    [
      'with a body longer than is counted',
      ['body_longer', 'wrong_secret'],
      { body: body.replace('1.10', '1.100'), contentLength: 10 },
    ],
    [
      'with a body whose digits were rounded',
      ['body_reserialised', 'wrong_secret'],
      { body: JSON.stringify(parsed, null, 2) },
    ],
    [
      'with a body whose keys were sorted',
      ['body_reserialised', 'wrong_secret'],
      { body: `{"data":{},"id":"${eventId}","specversion":"1.0"}` },
    ],
    ['of two deliveries', ['id_of_another', 'wrong_secret'], { id: other, body: body.replace('Größe', 'Grosse') }],
    ['with a secret that is cut off', ['secret_malformed'], { secret: secret.slice(0, 20) }],
    ['with a signature that is none', ['signature_malformed'], { signature: 'v1,abc' }],
    [
      'with a timestamp that is none',
      ['timestamp_form', 'wrong_secret'],
      { timestamp: 'Sat, 29 Aug 2026 12:00:00 GMT' },
    ],
  ])('%s says what looks wrong', (_, codes, changed) => {
    const { body: given, contentLength = null, secret: secrets, ...texts } = delivery(changed)
    const bytes = Buffer.from(given)
    const parts = { ...texts, body: bytes, contentLength, envelopeId: readEnvelope(bytes).id }
    const found = suspect(parts, secretsIn(secrets))
    expect(found.map(({ code }) => code)).toEqual(codes)
    const isGuess = /^(?:body|id|timestamp)_/
    for (const { code, message } of found)
      expect([code, /looks as if/.test(message)]).toEqual([code, isGuess.test(code)])
  })

  const bare = (changed: Partial<MadeDelivery>, more: Record<string, string> = {}) => {
    const { id, timestamp, signature, body: given } = delivery(changed)
    const texts = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature, ...more }
    const judging = { now: Date.parse(stamp), tolerance: 300_000 }
    return verifyDelivery(
      { headers: new Map(Object.entries(texts)), body: Buffer.from(given) },
      secretsIn(secret),
      judging,
    )
  }

  test.each<[string, Partial<MadeDelivery>]>([
    ['no header of all', { id: '', timestamp: '', signature: '' }],
    ['no signature', { signature: '' }],
    ['no timestamp and no signature', { timestamp: '', signature: '', body: JSON.stringify(parsed, null, 2) }],
  ])('with %s is told what is missing, and accused of nothing', (_, changed) => {
    const { reason, hints } = bare(changed)
    expect([reason?.code, hints]).toEqual(['missing_header', []])
  })

  test('with the headers of Svix is told that they are', () => {
    const { reason, hints } = bare({ id: '', timestamp: '', signature: '' }, { 'svix-id': eventId })
    expect([reason?.code, hints.map(({ code }) => code)]).toEqual(['missing_header', ['other_headers']])
  })
})
