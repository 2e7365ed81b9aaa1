import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

/** Seals secrets at rest, and makes keyed hashes; every key is derived from the one master key. */
export interface Sealer {
  /** AES-256-GCM; `place` (tenant, record and field) is bound in, so that a sealed value moved elsewhere does not open. */
  seal(plaintext: string, place: string): string
  /** Throws SealBroken when the value was altered, moved, or sealed with another master key. */
  open(sealed: string, place: string): string
  /** HMAC-SHA-256 of a high-entropy secret, hex: what is stored instead of it. */
  hash(secret: string, place: string): string
}

/** A sealed value does not open: altered, moved, or sealed with another master key. */
export class SealBroken extends Error {}

/** Derives the sealing and hashing keys from a master key of at least 32 bytes (HKDF-SHA-256, RFC 5869). */
export function sealerFor(masterKey: Uint8Array): Sealer {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', masterKey, 'licet', use, 32))
  const sealKey = derive('seal at rest')
  const hashKey = createSecretKey(derive('hash secrets'))
  return {
    seal(plaintext, place) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return `v1.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed.slice(3), 'base64url')
      if (!sealed.startsWith('v1.') || bytes.length < 28) throw new SealBroken('not a sealed value')
      try {
        const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, 12)).setAAD(Buffer.from(place))
        decipher.setAuthTag(bytes.subarray(12, 28))
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
      } catch {
        throw new SealBroken('a sealed value does not open: altered, moved, or sealed with another master key')
      }
    },
    hash: (secret, place) => createHmac('sha256', hashKey).update(place).update('\0').update(secret).digest('hex'),
  }
}
