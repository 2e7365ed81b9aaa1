import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Sealer } from '../../kit/sealing.ts'

/** A new client secret: 32 random bytes, recognisable by its prefix. */
export const newClientSecret = () => `lcs_${randomBytes(32).toString('base64url')}`

/** What is stored instead of a secret. */
export const hashClientSecret = (sealer: Sealer, tenantId: string, clientId: string, secret: string) =>
  sealer.hash(secret, `client-secret/${tenantId}/${clientId}`)

/** Whether two stored hashes are the same; the time it takes does not depend on where they differ. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
