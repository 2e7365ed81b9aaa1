import { Type } from 'typebox'
import { foldText } from '../../../catalog-schema/folding.ts'

const character = '[^\\s@<>,;:"()\\[\\]\\\\\\u0000-\\u001f\\u007f-\\u009f]'
const address = {
  maxLength: 254,
  pattern: `^${character}+@${character}+$`,
  'x-pattern-words': 'must be an e-mail address, such as ada@example.com',
}

/** An e-mail address alone, without a name or brackets; at most 254 characters (RFC 5321 §4.5.3.1.3). */
export const Email = (description: string) => Type.Unsafe<string>({ type: 'string', ...address, description })

export const NullableEmail = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], default: null, ...address, description })

/** The address without regard to case, by which it is found. */
export const foldEmail = (email: string) => foldText(email.normalize('NFC'))

/** What folding, or composing, makes a character of ASCII: `İ`, `K` (Kelvin), and two that are no letters. */
const becomesAscii = /[\u0130\u037e\u1fef\u212a]/

/**
 * Whether two addresses are one mailbox, letter case aside. Two that are found by one folded text may be two: whoever proves
 * `vİctim@example.com` has proved nothing of `victim@example.com`.
 */
export const isSameMailbox = (one: string, other: string) => strictly(one) === strictly(other)

function strictly(email: string): string {
  const composed = email.normalize('NFC')
  const isFoldable = !becomesAscii.test(email) && !becomesAscii.test(composed)
  return isFoldable ? foldText(composed) : email.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Where letters to an address go, however its domain is written (UTS 46 §4). */
export function deliveryOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const host = URL.parse(`http://${domain}`)?.hostname ?? foldText(domain)
  return `${foldEmail(email.slice(0, at))}@${host.replace(/\.$/, '')}`
}
