/** The bytes of a base64 or base64url text (RFC 4648 §4, §5) that is the only way to write them; undefined for any other text, or none. */
export function decodeCanonical(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding)
  return text !== '' && bytes.toString(encoding) === text ? bytes : undefined
}
