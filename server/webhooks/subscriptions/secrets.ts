/** A secret that signs, and until when (milliseconds of the tenant's clock); null is "until it is replaced". */
export interface Secret {
  secret: string
  until: number | null
}

/** How many secrets sign at once: the oldest go first. */
const mostSecrets = 10

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** What is wrong with a secret, or nothing: 16 to 256 printable ASCII characters; after `whsec_`, padded base64. */
export function explainSecret(secret: string): string | undefined {
  if (secret.length < 16 || secret.length > 256) return 'must be 16 to 256 characters'
  if (!/^[\x20-\x7e]+$/.test(secret)) return 'must be printable ASCII characters'
  if (!secret.startsWith('whsec_')) return undefined
  const key = secret.slice('whsec_'.length)
  return base64.test(key) && isCanonical(key) ? undefined : 'what follows whsec_ must be base64, padded'
}

/** Whether the bits that base64 leaves over are zero (RFC 4648 §3.5): else two texts would be one key. */
const isCanonical = (text: string) => btoa(atob(text)) === text

/** The secrets that sign now, the newest first; at least one. */
export const signingSecrets = (secrets: readonly Secret[], now: number): string[] =>
  secrets.filter(({ until }) => until === null || until > now).map(({ secret }) => secret)

/** The secrets with a new one before them; those before it sign on until `previousUntil` at the longest: after that it alone does. */
export function rotateSecrets(
  secrets: readonly Secret[],
  secret: string,
  now: number,
  previousUntil: number,
): Secret[] {
  const earlier = secrets
    .map((one) => ({ ...one, until: Math.min(one.until ?? previousUntil, previousUntil) }))
    .filter((one) => one.until > now && one.secret !== secret)
  return [{ secret, until: null }, ...earlier].slice(0, mostSecrets)
}
