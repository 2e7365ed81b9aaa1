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
