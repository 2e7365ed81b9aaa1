import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { rawSignature } from '../../server/access/signing-keys/raw-signature.ts'

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
