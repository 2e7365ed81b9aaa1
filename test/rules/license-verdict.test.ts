import { describe, expect, test } from 'vitest'
import type { Expectations } from '../../cli/licenses/judging.ts'
import { licenseOf } from '../../cli/licenses/license-claims.ts'
import { readPublicKeys } from '../../cli/licenses/public-keys.ts'
import { verifyOfflineResponse, verifyToken } from '../../cli/licenses/verifying.ts'
import { claims, issuedAt, licenseKeys, licenseToken, offlineResponse, signedToken } from '../support/license-keys.ts'

const tenant = licenseKeys()
const other = licenseKeys()
const keys = readPublicKeys(JSON.stringify(tenant.jwks), 'jwks.json')
const near = (now: number) => ({ now, leewayMs: 60_000 })
const ofToken = (text: string, expected: Expectations = {}, now = issuedAt) =>
  verifyToken(text, keys, expected, near(now))
const ofResponse = (value: unknown, expected: Expectations = {}, now = issuedAt) =>
  verifyOfflineResponse(value, keys, expected, near(now))
const codes = ({ valid, reasons }: ReturnType<typeof ofToken>) => {
  expect(valid).toBe(reasons.length === 0)
  return reasons.map(({ code }) => code)
}

const header = { alg: 'ES256', typ: 'license+jwt', kid: tenant.kids.token }
const day = 86_400_000

describe('a license token', () => {
  test('of the key with the name it gives is valid, and says what it licenses', () => {
    const verdict = ofToken(licenseToken(tenant))
    expect(verdict).toMatchObject({ valid: true, kid: 'token-1', reasons: [] })
    expect(licenseOf(verdict.claims!)).toMatchObject({
      sessionId: claims.sub,
      plan: 'Pro',
      expiresAt: issuedAt + 10 * day,
      products: [{ code: 'ACME-CAD', version: '2.0' }],
      features: [
        { code: 'EXPORT_STEP', value: 'true', isEnabled: true },
        { code: 'SEATS', value: '5', isEnabled: false },
      ],
    })
  })

  test.each<[string, string[], string]>([
    ['signed with another key', ['wrong_signature'], licenseToken(other)],
    ['that names a key which is not there', ['unknown_key'], licenseToken(tenant, {}, { kid: 'token-2' })],
    ['of another type', ['wrong_type'], licenseToken(tenant, {}, { typ: 'at+jwt' })],
    ['of no algorithm', ['wrong_algorithm'], signedToken(tenant, { ...header, alg: 'none' }, claims)],
    [
      'signed with the public key as a secret',
      ['wrong_algorithm'],
      signedToken(tenant, { ...header, alg: 'HS256' }, claims),
    ],
    [
      'with an extension that must be understood',
      ['malformed'],
      signedToken(tenant, { ...header, crit: ['b64'] }, claims),
    ],
    ['that is a list', ['malformed'], signedToken(tenant, header, [claims])],
    ['with padding', ['malformed'], `${licenseToken(tenant)}==`],
    ['with a segment more', ['malformed'], `${licenseToken(tenant)}.e30`],
    ['without a signature', ['malformed'], `${licenseToken(tenant).split('.').slice(0, 2).join('.')}.`],
    ['that is nothing', ['malformed'], ''],
    ['longer than any', ['malformed'], licenseToken(tenant, { padding: 'x'.repeat(200_000) })],
  ])('%s is refused, and nothing that it says is repeated as true', (_, expected, text) => {
    const verdict = ofToken(text)
    expect(codes(verdict)).toEqual(expected)
    expect(verdict.claims).toBeNull()
  })

  test.each([undefined, 'soon', null])('that expires %s is refused', (exp) => {
    expect(codes(ofToken(signedToken(tenant, header, { ...claims, exp })))).toEqual(['malformed'])
  })

  test('with any one character changed is refused', () => {
    const token = licenseToken(tenant)
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
      const verdict = ofToken(changed)
      expect(verdict, `at ${at}`).toMatchObject({ valid: false, claims: null })
    }
  })

  test.each<[string, number, string[]]>([
    ['in the last millisecond before it expires', issuedAt + 10 * day - 1, []],
    ['in the instant it expires', issuedAt + 10 * day, ['expired']],
    ['a minute before it was issued, on a clock that is behind', issuedAt - 60_000, []],
    ['more than a minute before', issuedAt - 60_001, ['not_yet_valid']],
  ])('is judged %s', (_, now, expected) => {
    expect(codes(ofToken(licenseToken(tenant), {}, now))).toEqual(expected)
  })

  test.each<[string, Expectations, string[]]>([
    ['its issuer', { issuer: claims.iss }, []],
    ['another issuer', { issuer: 'http://127.0.0.1:7070/t/neighbour' }, ['wrong_issuer']],
    ['its audience', { audience: claims.aud }, []],
    ['another audience', { audience: 'x' }, ['wrong_audience']],
    ['its device', { fingerprint: claims.fingerprint }, []],
    ['another device', { fingerprint: 'x' }, ['wrong_fingerprint']],
    ['another issuer and another device', { issuer: 'x', fingerprint: 'x' }, ['wrong_issuer', 'wrong_fingerprint']],
  ])('is held against %s', (_, expected, reasons) => {
    expect(codes(ofToken(licenseToken(tenant), expected))).toEqual(reasons)
  })
})

describe('an offline response', () => {
  test('is valid, and says what it licenses', () => {
    const verdict = ofResponse(offlineResponse(tenant))
    expect(verdict).toMatchObject({ valid: true, kid: 'offline-1', claims: { plan: 'Pro', nonce: 'A'.repeat(43) } })
  })

  test('is verified by a PEM without a name, and by an older key of several', () => {
    const pem = (pair: typeof tenant) => pair.offline.publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const both = readPublicKeys(`${pem(other)}${pem(tenant)}`, 'keys.pem')
    expect(verifyOfflineResponse(offlineResponse(tenant), both, {}, near(issuedAt))).toMatchObject({
      valid: true,
      kid: null,
    })
    const wrong = readPublicKeys(pem(other), 'keys.pem')
    expect(codes(verifyOfflineResponse(offlineResponse(tenant), wrong, {}, near(issuedAt)))).toEqual([
      'wrong_signature',
    ])
  })

  const sound = offlineResponse(tenant)
  const twin = offlineResponse(tenant, { plan: 'Team' })
  test.each<[string, string[], unknown]>([
    ['with the signature of another', ['wrong_signature'], { ...sound, signature: twin.signature }],
    ['signed by another tenant', ['wrong_signature'], offlineResponse(other)],
    ['that names another key', ['unknown_key'], offlineResponse(tenant, { kid: 'offline-2' })],
    ['of another schema version', ['schema_version'], offlineResponse(tenant, { schemaVersion: 2 })],
    ['whose schema version is a text', ['schema_version'], offlineResponse(tenant, { schemaVersion: '1' })],
    ['with padding', ['malformed'], { ...sound, signedPayload: `${sound.signedPayload}==` }],
    ['in the other alphabet', ['malformed'], { ...sound, signature: sound.signature.replaceAll('=', '') }],
    ['with a blank', ['malformed'], { ...sound, signedPayload: ` ${sound.signedPayload}` }],
    ['whose signature is nothing', ['malformed'], { ...sound, signature: '' }],
    ['without a signature', ['malformed'], { signedPayload: sound.signedPayload }],
    ['that is a list', ['malformed'], [sound]],
    ['that is null', ['malformed'], null],
  ])('%s is refused', (_, expected, value) => {
    const verdict = ofResponse(value)
    expect(codes(verdict)).toEqual(expected)
    expect(verdict.claims).toBeNull()
  })

  test('with any byte of its payload or signature changed is refused', () => {
    const bytesOf = (text: string, encoding: 'base64' | 'base64url') => Buffer.from(text, encoding)
    const payload = bytesOf(sound.signedPayload, 'base64url')
    const signature = bytesOf(sound.signature, 'base64')
    for (let at = 0; at < payload.length; at++) {
      const changed = Buffer.from(payload)
      changed[at]! ^= 1
      expect(ofResponse({ ...sound, signedPayload: changed.toString('base64url') }).valid, `payload ${at}`).toBe(false)
    }
    for (let at = 0; at < signature.length; at++) {
      const changed = Buffer.from(signature)
      changed[at]! ^= 1
      expect(ofResponse({ ...sound, signature: changed.toString('base64') }).valid, `signature ${at}`).toBe(false)
    }
  })

  test('is held against its request', () => {
    expect(codes(ofResponse(sound, { nonce: 'A'.repeat(43) }))).toEqual([])
    expect(codes(ofResponse(sound, { nonce: 'B'.repeat(43) }))).toEqual(['wrong_nonce'])
  })
})
