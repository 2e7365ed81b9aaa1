/** Shorter ones would be found in words that are none. */
const shortest = 8

const held = new Set<string>()

/** Remembers what no output of this run may hold: a secret or token, in every form in which it is sent. */
export function holdSecrets(...secrets: string[]): void {
  for (const secret of secrets) {
    if (secret.length < shortest) continue
    held.add(secret)
    held.add(JSON.stringify(secret).slice(1, -1))
  }
}

/** A text, such as an answer that repeats what was sent, without the secrets of this run. */
export function withoutSecrets(text: string): string {
  let clean = text
  for (const secret of held) clean = clean.replaceAll(secret, '[secret]')
  return clean
}
