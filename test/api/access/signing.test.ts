import { generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { signJwt } from '../../../server/access/signing-keys/signer.ts'

test.each(['ES256', 'RS256'] as const)('a JWT signed with %s is verified by another library', async (algorithm) => {
  const { privateKey, publicKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 3072 })
  const token = signJwt({ kid: 'k1', algorithm, privateKey }, 'at+jwt', { sub: 'é "quoted"', exp: 4_102_444_800 })
  const { payload, protectedHeader } = await jwtVerify(token, publicKey, { algorithms: [algorithm], typ: 'at+jwt' })
  expect(payload.sub).toBe('é "quoted"')
  expect(protectedHeader).toEqual({ typ: 'at+jwt', alg: algorithm, kid: 'k1' })
})
