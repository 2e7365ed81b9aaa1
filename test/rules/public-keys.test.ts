import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readPublicKeys } from '../../cli/licenses/public-keys.ts'
import { licenseKeys } from '../support/license-keys.ts'

const { jwks, token, offline } = licenseKeys()
const pem = (key: typeof token.publicKey, type: 'spki' | 'pkcs1' = 'spki') =>
  key.export({ type, format: 'pem' }).toString()
const both = [
  ['ES256', 'token-1'],
  ['RS256', 'offline-1'],
]

describe('public keys are read', () => {
  test.each<[string, string, unknown[]]>([
    ['from a JWKS', JSON.stringify(jwks), both],
    ['from a JWK', JSON.stringify(jwks.keys[0]), [both[0]]],
    [
      'from a JWK of kty and numbers alone',
      JSON.stringify(offline.publicKey.export({ format: 'jwk' })),
      [['RS256', null]],
    ],
    ['from a PEM', `\n${pem(token.publicKey)}\r\n`, [['ES256', null]]],
    [
      'from several PEMs',
      pem(token.publicKey) + pem(offline.publicKey),
      [
        ['ES256', null],
        ['RS256', null],
      ],
    ],
    ['from a PEM of RSA alone', pem(offline.publicKey, 'pkcs1'), [['RS256', null]]],
    [
      'but for those that sign something else',
      JSON.stringify({
        keys: [
          ...jwks.keys,
          { ...jwks.keys[0], alg: 'ES512' },
          { ...jwks.keys[1], use: 'enc' },
          { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' },
          { kty: 'new' },
          null,
        ],
      }),
      both,
    ],
  ])('%s', (_, text, expected) => {
    expect(readPublicKeys(text, 'keys').map(({ algorithm, kid }) => [algorithm, kid])).toEqual(expected)
  })

  test.each<[string, string, RegExp]>([
    ['nothing', '', /keys holds no public key of a licence/],
    ['a text', 'hello', /holds no public key/],
    ['broken JSON', '{"keys":', /neither a PEM nor JSON/],
    [
      'a key of JSON twice',
      `{"keys":[],"keys":${JSON.stringify([token.publicKey.export({ format: 'jwk' })])}}`,
      /holds a key twice/,
    ],
    ['no keys', '{"keys":[]}', /holds no public key/],
    ['a PEM cut short', pem(token.publicKey).slice(0, 60), /holds no public key/],
    ['a PEM of garbage', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', /holds no public key/],
    ['a short RSA key', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey), /RSA of 2048 bits/],
    ['a key of another curve', pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey), /EC P-256/],
    ['a private PEM', token.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), /holds a private key/],
    ['a private JWK', JSON.stringify(offline.privateKey.export({ format: 'jwk' })), /holds a private key/],
    ['a shared secret', '{"kty":"oct","k":"AAAA"}', /holds a private key/],
  ])('never from %s', (_, text, message) => {
    expect(() => readPublicKeys(text, 'keys')).toThrow(message)
  })
})
