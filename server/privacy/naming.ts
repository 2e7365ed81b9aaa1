import { foldEmail } from '../access/users/email-address.ts'

/** No character of an address stands before it, an apostrophe inside a word being one, and none after it. */
const noneBefore = "(?<![\\p{L}\\p{N}._+-])(?<![\\p{L}\\p{N}]')"
const noneAfter = '(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])'
const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/**
 * Whether a JSON text names a person: one of the texts in it has one of their addresses (folded) as a whole, letter case
 * aside, or is one of these ids. `joann@x.co` and `ann@x.com` do not name whoever is `ann@x.co`.
 */
export function namerOf(addresses: readonly string[], ids: Iterable<string>): (json: string) => boolean {
  const sought = new Set(ids)
  const patterns = addresses.map((address) => new RegExp(`${noneBefore}${literal(address)}${noneAfter}`, 'u'))
  const isNaming = (text: string) => {
    if (sought.has(text)) return true
    const folded = foldEmail(text)
    return addresses.some((address, index) => folded.includes(address) && patterns[index]!.test(folded))
  }
  return (json) => {
    let isFound = false
    JSON.parse(json, (_name, value) => {
      isFound ||= typeof value === 'string' && isNaming(value)
      return value
    })
    return isFound
  }
}
