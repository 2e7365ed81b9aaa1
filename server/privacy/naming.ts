import { foldText } from '../../catalog-schema/folding.ts'

/** No character of an address stands before it, an apostrophe inside a word being one, and none after it. */
const noneBefore = "(?<![\\p{L}\\p{N}._+-])(?<![\\p{L}\\p{N}]')"
const noneAfter = '(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])'
const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const fold = (text: string) => foldText(text.normalize('NFC'))

/**
 * Whether a JSON text names a person: one of the texts in it has one of their addresses as a whole, letter case
 * aside, or is one of these ids. `joann@x.co` and `ann@x.com` do not name whoever is `ann@x.co`.
 */
export function namerOf(ofPerson: readonly string[], ids: Iterable<string>): (json: string) => boolean {
  const sought = new Set(ids)
  const addresses = ofPerson.map(fold)
  const patterns = addresses.map((address) => new RegExp(`${noneBefore}${literal(address)}${noneAfter}`, 'u'))
  const isNaming = (text: string) => {
    if (sought.has(text)) return true
    const folded = fold(text)
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
