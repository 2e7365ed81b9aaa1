const secretName =
  /(secret|password|passphrase|token|jwt|private_?key|license_?key|activation_?codes?|signed_?payload|signature)$/i

/** The kinds of record whose `code` lets in whoever shows it; elsewhere a code is a name. */
const kindsWithSecretCode = /(^|\.)(creditGrants|activationCodes)$/

/** The kinds of record whose `url` may hold a key of its owner's. */
const kindsWithSecretUrl = /^(subscriptions|integrations)$/

/**
 * A document of a kind of record without whatever opens a door: secrets, tokens, signatures and codes that are redeemed, at
 * any depth; of the URL of a webhook subscription what its query says.
 */
export function withoutSecrets<Document>(recordKind: string, document: Document): Document {
  const hasSecretCode = kindsWithSecretCode.test(recordKind)
  const hasSecretUrl = kindsWithSecretUrl.test(recordKind)
  const isUrl = (name: string, value: unknown): value is string =>
    hasSecretUrl && name === 'url' && typeof value === 'string'
  const isWithheld = (name: string, value: unknown) =>
    typeof value !== 'boolean' && (secretName.test(name) || (hasSecretCode && name === 'code'))
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (!isFields(value)) return value
    const kept = Object.entries(value).filter(([name, field]) => !isWithheld(name, field))
    return Object.fromEntries(
      kept.map(([name, field]) => [name, isUrl(name, field) ? withoutQueryValues(field) : copy(field)]),
    )
  }
  return copy(document) as Document
}

/** A URL with the names in its query, and `…` for every value; without a fragment. */
function withoutQueryValues(url: string): string {
  const [address, query] = url.replace(/#.*$/s, '').split(/\?(.*)/s)
  if (query === undefined) return address!
  const pairs = query.split('&').map((pair) => (pair.includes('=') ? `${pair.split('=')[0]}=…` : '…'))
  return `${address}?${pairs.join('&')}`
}

/** Whether a value is a JSON object with fields, and no number kept with exactly its digits. */
export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
