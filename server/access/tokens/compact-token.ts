import { parseStrictJson } from '../../../catalog-schema/strict-json.ts'

/** A compact JWS taken apart, nothing of it proved yet. */
export interface CompactToken {
  header: Record<string, unknown>
  payload: Record<string, unknown>
}

/** The longest token that is read, in characters: a license token spends some 130 on each feature. */
const longest = 262_144
const segment = /^[A-Za-z0-9_-]+$/

/**
 * The parts of a token that is three canonical base64url segments (RFC 7515 §2: no padding, no stray bits) holding a
 * strict JSON object each; undefined for anything else, before any signature is looked at.
 */
export function readCompactToken(text: string): CompactToken | undefined {
  if (text.length > longest) return undefined
  const segments = text.split('.')
  if (segments.length !== 3) return undefined
  const [header, payload, signature] = segments.map(decodeCanonical)
  if (!header || !payload || !signature) return undefined
  const parts = { header: readObject(header), payload: readObject(payload) }
  return parts.header && parts.payload ? (parts as CompactToken) : undefined
}

/** The bytes of a base64url text that is the only way to write them. */
function decodeCanonical(text: string): Buffer | undefined {
  if (!segment.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

function readObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value = parseStrictJson(bytes, { maxDepth: 16 })
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
