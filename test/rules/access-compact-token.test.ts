import { describe, expect, test } from 'vitest'
import { accessTokenRules } from '../../server/access/access-tokens/claims.ts'
import { readCompactToken } from '../../server/access/tokens/compact-token.ts'
import { readTokenHeader } from '../../server/access/tokens/token-header.ts'

const { type, readClaims, isGood } = accessTokenRules

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const header = encode({ typ: 'at+jwt', alg: 'ES256', kid: 'k' })
const payload = encode({ sub: 'x' })
const signature = Buffer.alloc(64, 7).toString('base64url')
const token = `${header}.${payload}.${signature}`
/** A token with a claim that makes its claims so deep. */
const nested = (depth: number) =>
  `${header}.${encode(`{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`)}.${signature}`

test('three canonical segments with an object each are a token', () => {
  expect(readCompactToken(token)).toEqual({
    header: { typ: 'at+jwt', alg: 'ES256', kid: 'k' },
    payload: { sub: 'x' },
  })
  expect(readCompactToken(nested(16))).toBeDefined()
})

describe('what general-purpose libraries let through is no token', () => {
  const lastBits = signature.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1))
  test.each([
    ['changed unused bits', `${header}.${payload}.${lastBits}`],
    ['padding', `${token}==`],
    ['padding within', `${header}.${payload}=.${signature}`],
    ['a blank', `${header}.${payload}.${signature.slice(0, 9)} ${signature.slice(9)}`],
    ['a newline at the end', `${token}\n`],
    ['the alphabet of plain base64', `${header}.${payload}.${'+/'.repeat(43)}`],
    ['no signature', `${header}.${payload}.`],
    ['two segments', `${header}.${payload}`],
    ['four segments', `${token}.${signature}`],
    ['five segments', `${token}.${signature}.${signature}`],
    ['JSON serialization', JSON.stringify({ protected: header, payload, signature })],
    ['a claim twice', `${header}.${encode('{"sub":"x","sub":"y"}')}.${signature}`],
    ['a claim named __proto__', `${header}.${encode('{"__proto__":{}}')}.${signature}`],
    ['an endless number', `${header}.${encode('{"exp":1e999}')}.${signature}`],
    ['claims deeper than 16', nested(17)],
    ['a list for claims', `${header}.${encode([])}.${signature}`],
    ['a text for claims', `${header}.${encode('"x"')}.${signature}`],
    [
      'claims that are not UTF-8',
      `${header}.${Buffer.from('{"a":"\xff"}', 'latin1').toString('base64url')}.${signature}`,
    ],
    ['more than 256 KiB', `${header}.${encode({ a: 'x'.repeat(200_000) })}.${signature}`],
  ])('%s', (_what, text) => expect(readCompactToken(text)).toBeUndefined())
})

describe('only the exact header of an access token is one', () => {
  const good = { typ: 'at+jwt', alg: 'ES256', kid: 'k1' }
  test('the good one gives its key id', () => expect(readTokenHeader(good, type)).toBe('k1'))
  test.each([
    { ...good, alg: 'none' },
    { ...good, alg: 'HS256' },
    { ...good, alg: 'es256' },
    { ...good, typ: 'JWT' },
    { ...good, typ: 'license+jwt' },
    { ...good, typ: 'AT+JWT' },
    { alg: 'ES256', kid: 'k1' },
    { typ: 'at+jwt', alg: 'ES256' },
    { ...good, crit: ['exp'] },
    { ...good, jku: 'https://example.com' },
    { ...good, jwk: {} },
    { ...good, kid: 7 },
    { ...good, kid: ['k1'] },
    { ...good, kid: '../../dev/null' },
    { ...good, kid: "' OR 1=1--" },
    { ...good, kid: 'k'.repeat(10_000) },
  ])('%j', (other) => expect(readTokenHeader(other, type)).toBeUndefined())
})

describe('claims', () => {
  const now = 1_700_000_000
  const good = {
    iss: 'https://x/t/a',
    aud: 'https://x/t/a/api/v1',
    sub: 'c',
    client_id: 'c',
    tid: 't',
    jti: 'j',
    iat: now - 100,
    exp: now + 800,
  }
  const judge = (changes: object) => {
    const claims = readClaims({ ...good, ...changes })
    return claims !== undefined && isGood(claims, { id: 't' }, ['https://x/t/a', 'https://a.example'], now * 1000)
  }
  test('good ones are good', () => expect(judge({})).toBe(true))
  test('good ones may be made by a clock that is a minute ahead', () =>
    expect(judge({ iat: now + 60, exp: now + 900 })).toBe(true))
  test('those of another of the issuers of the tenant are good', () =>
    expect(judge({ iss: 'https://a.example', aud: 'https://a.example/api/v1' })).toBe(true))
  test.each([
    { exp: now },
    { exp: now - 1 },
    { exp: String(now + 800) },
    { exp: undefined },
    { exp: -1 },
    { exp: 0 },
    { exp: now + 0.5 },
    { exp: Number.POSITIVE_INFINITY },
    { exp: now + 10_000 },
    { iat: now + 61, exp: now + 800 },
    { iat: undefined },
    { iat: now - 0.5 },
    { nbf: now + 5 },
    { iss: 'https://x/t/a/' },
    { iss: 'https://X/t/a' },
    { iss: 'https://a.example' },
    { iss: undefined },
    { aud: 'https://x/t/a' },
    { aud: ['https://x/t/a/api/v1'] },
    { aud: 'https://x/t/a/api/v1/' },
    { aud: undefined },
    { tid: 'other' },
    { sub: 'other' },
    { client_id: undefined },
    { scope: ['admin.*:*'] },
  ])('those with %j are not', (changes) => expect(judge(changes)).toBe(false))
})
