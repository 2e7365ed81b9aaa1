import { describe, expect, test } from 'vitest'
import { componentHash, composeRequest, maskedCode, readOfflineRequest } from '../../cli/licenses/offline-request.ts'

const body = { activationCode: 'ABCDE-FGHJK', fingerprint: 'device-1' }
const now = Date.parse('2026-11-21T12:00:00Z')
const sound = composeRequest(body, now, 'test/1')

test('a request is of now, with a nonce of its own', () => {
  expect(sound).toEqual({
    meta: {
      schemaVersion: 1,
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      requestedAt: '2026-11-21T12:00:00.000Z',
      sdkVersion: 'test/1',
    },
    body,
  })
  expect(composeRequest(body, now, 'test/1').meta.nonce).not.toBe(sound.meta.nonce)
  expect(readOfflineRequest(sound)).toEqual(sound)
})

describe('a request is refused', () => {
  const meta = (changed: object) => ({ ...sound, meta: { ...sound.meta, ...changed } })
  const within = (changed: object) => ({ ...sound, body: { ...body, ...changed } })
  test.each<[string, unknown, RegExp]>([
    ['that is null', null, /JSON object with meta and body/],
    ['without a body', { meta: sound.meta }, /JSON object with meta and body/],
    ['of another schema version', meta({ schemaVersion: 2 }), /schemaVersion/],
    ['whose schema version is a text', meta({ schemaVersion: '1' }), /schemaVersion/],
    ['with a nonce of 31 bytes', meta({ nonce: Buffer.alloc(31).toString('base64url') }), /nonce/],
    ['with a padded nonce', meta({ nonce: `${sound.meta.nonce}=` }), /nonce/],
    ['with stray bits in its nonce', meta({ nonce: `${'A'.repeat(42)}B` }), /nonce/],
    ['of a day that there is not', meta({ requestedAt: '2026-02-30T12:00:00Z' }), /requestedAt/],
    ['without a code', within({ activationCode: '' }), /no body\.activationCode/],
    ['whose fingerprint is a number', within({ fingerprint: 7 }), /no body\.fingerprint/],
  ])('%s', (_, value, wrong) => {
    expect(readOfflineRequest(value)).toEqual({ wrong: expect.stringMatching(wrong) })
  })

  test('never for what a later server may know', () => {
    const more = { ...sound, body: { ...body, more: 1 }, signature: 'x' }
    expect(readOfflineRequest(more)).toEqual(more)
  })
})

test("a component's value is hashed, and a hash is left alone", () => {
  const hash = componentHash('build-17')
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(componentHash(hash)).toBe(hash)
  expect(componentHash(hash.toUpperCase())).toBe(hash)
  expect(componentHash('build-18')).not.toBe(hash)
})

test.each([
  ['ABCDE-FGHJK-LMNPQ-RSTVW', '…STVW'],
  ['SHORT-CODE', '…'],
])('a code is shown by its end: %s', (code, shown) => {
  expect(maskedCode(code)).toBe(shown)
})
