const shortest = 32
const fewestDifferent = 8

/** The key material that a master key's text holds: its bytes, from which every key is derived; or why it is too weak. */
export function readMasterKey(text: string): { key: Uint8Array } | { refused: string } {
  const trimmed = text.trim()
  if (trimmed.length < shortest)
    return {
      refused: `must be at least ${shortest} characters long, such as the output of \`openssl rand -base64 32\`.`,
    }
  if (new Set(trimmed).size < fewestDifferent)
    return {
      refused: 'repeats the same few characters: use random text, such as the output of `openssl rand -base64 32`.',
    }
  return { key: new TextEncoder().encode(trimmed) }
}
