import { exportJWK, exportPKCS8, generateKeyPair } from 'jose'
import { newId } from '../../kit/ids.ts'

/** What a key is for: tokens that live minutes, or offline licences that are verified without us for years. */
export type KeyPurpose = 'token' | 'offline'

export interface SigningKey {
  kid: string
  purpose: KeyPurpose
  algorithm: 'ES256' | 'RS256'
  publicJwk: Record<string, unknown>
  /** PKCS#8 PEM. */
  privateKey: string
}

const algorithms = { token: 'ES256', offline: 'RS256' } as const

/** A new key pair: ES256 for tokens, RSA of 3072 bits for offline licences. Takes up to a second; never inside a transaction. */
export async function generateSigningKey(purpose: KeyPurpose): Promise<SigningKey> {
  const algorithm = algorithms[purpose]
  const pair = await generateKeyPair(algorithm, { modulusLength: 3072, extractable: true })
  const kid = newId()
  return {
    kid,
    purpose,
    algorithm,
    publicJwk: { ...(await exportJWK(pair.publicKey)), kid, alg: algorithm, use: 'sig' },
    privateKey: await exportPKCS8(pair.privateKey),
  }
}
