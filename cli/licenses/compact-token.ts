import { readObject } from '../json-objects.ts'
import { decodeCanonical } from './canonical-base64.ts'

/** A compact JWS (RFC 7515 §7.1) taken apart; nothing of it is proved yet. */
export interface CompactToken {
  header: Record<string, unknown>
  claims: Record<string, unknown>
  /** What the signature is over: the first two segments, as they stand. */
  signed: Buffer
  signature: Buffer
}

/** The longest token that is read, as long as the server's own. */
const longest = 262_144

/** The parts of a token that is three canonical base64url segments, the first two a JSON object each; undefined for anything else. */
export function readCompactToken(text: string): CompactToken | undefined {
  const segments = text.split('.')
  if (text.length > longest || segments.length !== 3) return undefined
  const [header, claims, signature] = segments.map((segment) => decodeCanonical(segment, 'base64url'))
  if (!header || !claims || !signature) return undefined
  const parts = { header: readObject(header), claims: readObject(claims) }
  if (!parts.header || !parts.claims) return undefined
  const signed = Buffer.from(text.slice(0, text.lastIndexOf('.')))
  return { header: parts.header, claims: parts.claims, signed, signature }
}

/** Whether a word could be meant as a token itself, where the name of a file with one is asked for. */
export const looksLikeToken = (word: string) => /^ey[\w-]{10,}\.ey[\w-]{10,}\./.test(word)
