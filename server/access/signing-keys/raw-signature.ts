/** An ECDSA signature as JWS has it (R and S, 32 bytes each; RFC 7518 §3.4), from DER's sequence of two integers (RFC 3279 §2.2.3). */
export function rawSignature(der: Buffer): Buffer {
  const raw = Buffer.alloc(64)
  let at = 2
  for (const end of [32, 64]) {
    const length = der[at + 1]!
    const next = at + 2 + length
    // An integer has a zero before it when its first bit is set, and no zeros otherwise.
    const significant = Math.min(length, 32)
    der.copy(raw, end - significant, next - significant, next)
    at = next
  }
  return raw
}
