const shortest = 32
const fewestDifferent = 8

/** The key material that a master key's text holds: its bytes, from which every key is derived; blanks around it do not count. */
export const readMasterKey = (text: string): Uint8Array => new TextEncoder().encode(text.trim())

/** What makes a master key easy to guess; undefined of one that is not. */
export function weaknessOf(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length < shortest) return `has fewer than ${shortest} characters`
  return new Set(trimmed).size < fewestDifferent ? 'repeats the same few characters' : undefined
}
