import type { CompactToken } from './compact-token.ts'

/** What our own tokens are signed with. */
const tokenAlgorithm = 'ES256'

/** The key id of a header that is exactly one of ours: its type and algorithm, a kid, and nothing else (no crit, no jku, no jwk). */
export function readTokenHeader(header: CompactToken['header'], type: string): string | undefined {
  const { typ, alg, kid } = header
  if (typ !== type || alg !== tokenAlgorithm || Object.keys(header).length !== 3) return undefined
  return typeof kid === 'string' && /^[A-Za-z0-9_-]{1,100}$/.test(kid) ? kid : undefined
}
