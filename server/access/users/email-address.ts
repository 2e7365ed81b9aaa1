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

/**
 * The address without regard to case, by which it is found. Two that fold to one are one mailbox: nothing beyond ASCII becomes a
 * letter of ASCII in its name, and its domain is as names are looked up, however dots and letters are written (UTS 46 §4).
 */
export function foldEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${foldMailbox(email.slice(0, at))}@${foldDomain(email.slice(at + 1))}`
}

/** What folding, or composing, would make a character of ASCII: `İ`, `K` (Kelvin), and two that are no letters. */
const becomesAscii = /[\u0130\u037e\u1fef\u212a]/

function foldMailbox(name: string): string {
  const composed = name.normalize('NFC')
  return becomesAscii.test(name) || becomesAscii.test(composed) ? name : foldText(composed)
}

const foldDomain = (domain: string): string =>
  foldText(domain.normalize('NFKC').replaceAll('\u0130', 'i\u0307'))
    .replaceAll('\u3002', '.')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\.$/, '')
