import { describe, expect, test } from 'vitest'
import { readHeaders } from '../../cli/webhooks/header-reading.ts'
import { splitRequest } from '../../cli/webhooks/request-dump.ts'
import { secretsIn } from '../../cli/webhooks/signing-secrets.ts'

const headers = { 'webhook-id': 'a', 'webhook-timestamp': '2026-08-29T12:00:00Z', 'webhook-signature': 'v1,x v1,y' }
const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
const refused = expect.objectContaining({ codeName: 'cli.input' })

describe('saved headers', () => {
  test.each([
    ['lines', lines.join('\n')],
    ['lines with CRLF and a blank one', `${lines.join('\r\n')}\r\n\r\n`],
    [
      'lines in another case, with other blanks',
      'Webhook-Id:a\nWEBHOOK-TIMESTAMP:\t2026-08-29T12:00:00Z \nWebhook-Signature: v1,x v1,y',
    ],
    [
      'what curl -v prints',
      [
        ...[
          '  % Total    % Received',
          '* Connected to a',
          '> POST / HTTP/1.1',
          ...lines.map((line) => `> ${line}`),
          '>',
        ],
        ...[
          ' ',
          '} [354 bytes data]',
          '* upload sent off: 354 bytes',
          '< HTTP/1.1 200 OK',
          '< webhook-signature: v1,z',
        ],
        ...['<', '{ [5 bytes data]', '* Connection #0 to host a left intact'],
      ].join('\r\n'),
    ],
    ['a request of HTTP/2', [':method: POST', ':path: /', ...lines].join('\n')],
    [
      'signatures in two headers',
      [...lines.slice(0, 2), 'webhook-signature: v1,x', 'webhook-signature: v1,y'].join('\n'),
    ],
    ['a JSON object', JSON.stringify(headers)],
    [
      'a JSON object of lists',
      JSON.stringify({ 'Webhook-Id': ['a'], ...headers, 'webhook-signature': ['v1,x', 'v1,y'] }),
    ],
    [
      'the names of CGI',
      JSON.stringify({
        HTTP_WEBHOOK_ID: 'a',
        HTTP_WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
        HTTP_WEBHOOK_SIGNATURE: 'v1,x v1,y',
      }),
    ],
  ])('are read from %s', (_, text) => {
    expect(Object.fromEntries(readHeaders(text, 'h'))).toEqual(headers)
  })

  test.each([
    ['a line that is none', 'webhook-id: a\nwhsec_c2VjcmV0'],
    ['a line that is none among those that were sent', '> webhook-id: a\n> whsec_c2VjcmV0'],
    ['a JSON text that is none', '{"webhook-id"'],
    ['a JSON object of more than headers', JSON.stringify({ headers, body: 'whsec_c2VjcmV0' })],
    ['a JSON list', JSON.stringify([{ name: 'webhook-id', value: 'whsec_c2VjcmV0' }])],
  ])('are refused with %s, which is not repeated, and what they look like is said', (_, text) => {
    const said = { codeName: 'cli.input', details: { hint: expect.stringContaining('{"webhook-id": ') } }
    expect(() => readHeaders(text, 'h')).toThrow(expect.objectContaining(said))
    expect(() => readHeaders(text, 'h')).not.toThrow(/whsec/)
  })

  test('are refused with two ids', () => {
    expect(() => readHeaders('webhook-id: a\nwebhook-id: b', 'h')).toThrow(refused)
    expect(() => readHeaders('{"webhook-id":"a","webhook-id":"b"}', 'h')).toThrow(/holds a key twice/)
  })
})

describe('a saved request', () => {
  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('is split at its blank line, with %s, and its body stays as it is', (_, end) => {
    const body = Buffer.from([0x7b, 0xff, 0x0d, 0x0a, 0x0d, 0x0a, 0x7d, 0x0a])
    const dump = Buffer.concat([Buffer.from(['POST /hooks HTTP/1.1', ...lines, '', ''].join(end)), body])
    for (const bytes of [dump, Buffer.concat([Buffer.from(`\ufeff${end}`), dump])]) {
      const split = splitRequest(bytes, 'r')
      expect(Object.fromEntries(split.headers)).toEqual(headers)
      expect(split.body).toEqual(body)
    }
  })

  test('may have an empty body, or be an answer', () => {
    const split = splitRequest(Buffer.from('HTTP/1.1 200 OK\nA: b\n\n'), 'r')
    expect(split).toEqual({ headers: new Map([['a', 'b']]), body: Buffer.alloc(0) })
  })

  test.each([
    ['nothing', ''],
    ['no blank line', `${lines.join('\n')}\n{"a":1}\n`],
    ['a body alone', '{"a":1}\n\n'],
  ])('is refused with %s', (_, text) => {
    expect(() => splitRequest(Buffer.from(text), 'r')).toThrow(refused)
  })
})

test('secrets stand one on a line, without the blanks around them', () => {
  expect(secretsIn('\n one \r\n\r\ntwo\t\nthree')).toEqual([
    { text: 'one', line: ' one ' },
    { text: 'two', line: 'two\t' },
    { text: 'three', line: 'three' },
  ])
})
