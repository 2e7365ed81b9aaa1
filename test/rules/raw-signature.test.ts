import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { rawSignature, signJwt } from '../../server/access/signing-keys/signer.ts'

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** An integer as DER writes it: no zeros before it, but one where its first bit is set. */
function integer(bytes: readonly number[]): number[] {
  const from = bytes.findIndex((byte) => byte !== 0)
  const significant = from < 0 ? [0] : bytes.slice(from)
  const value = significant[0]! > 0x7f ? [0, ...significant] : significant
  return [2, value.length, ...value]
}

describe('the raw form of an ECDSA signature', () => {
  const full = Array.from({ length: 32 }, (_, at) => at + 1)
  test.each([
    ['two full integers', full, full],
    ['a first bit that is set, which DER writes with a zero before', [0xff, ...full.slice(1)], full],
    ['a short first integer', [0, 0, ...full.slice(2)], full],
    ['a short second integer whose first bit is set', full, [0, 0x80, ...full.slice(2)]],
    ['an integer of one byte', full, [...Array(31).fill(0), 9]],
  ])('has %s at 32 bytes each', (_, r, s) => {
    const body = [...integer(r), ...integer(s)]
    expect([...rawSignature(Buffer.from([0x30, body.length, ...body]))]).toEqual([...r, ...s])
  })

  test('verifies for a thousand signatures, short integers among them', () => {
    for (let round = 0; round < 1000; round++) {
      const text = Buffer.from(`round ${round}`)
      const raw = rawSignature(sign('sha256', text, pair.privateKey))
      expect(verify('sha256', text, { key: pair.publicKey, dsaEncoding: 'ieee-p1363' }, raw)).toBe(true)
    }
  })
})

test.each(['ES256', 'RS256'] as const)('a JWT signed with %s is verified by another library', async (algorithm) => {
  const { privateKey, publicKey } = algorithm === 'ES256' ? pair : generateKeyPairSync('rsa', { modulusLength: 3072 })
  const token = signJwt({ kid: 'k1', algorithm, privateKey }, 'at+jwt', { sub: 'é "quoted"', exp: 4_102_444_800 })
  const { payload, protectedHeader } = await jwtVerify(token, publicKey, { algorithms: [algorithm], typ: 'at+jwt' })
  expect(payload.sub).toBe('é "quoted"')
  expect(protectedHeader).toEqual({ typ: 'at+jwt', alg: algorithm, kid: 'k1' })
})
