/** The bytes of a base64 or base64url text (RFC 4648 §4, §5) that is the only way to write them; undefined for any other text, or none. */
export function decodeCanonical(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding)
  return text !== '' && bytes.toString(encoding) === text ? bytes : undefined
}

/** The JSON object that bytes of UTF-8 hold; undefined for anything else. */
export function readObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
