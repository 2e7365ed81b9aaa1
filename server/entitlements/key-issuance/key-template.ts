import type { KeyIssuancePolicy } from '../policies/effective.ts'
import { inCase, lettersOf } from './alphabets.ts'
import { checkCharacter } from './luhn-mod-n.ts'

/** What a key is made of beside its template. */
export interface KeyIngredients {
  year: number
  /** The code of the product it is for; only needed where the template asks for it. */
  productCode: string | undefined
  /** The number in its sequence; only needed where the template counts. */
  sequenceNumber: number | undefined
  /** A number drawn evenly from 0 to `size` - 1. */
  drawBelow: (size: number) => number
}

const token = /\{(random|seq|year|productCode|check)(?::(\d+))?\}/g

/** Whether the template writes a sequence number. */
export const counts = ({ template }: Pick<KeyIssuancePolicy, 'template'>) => template.includes('{seq:')

/** Whether the template writes the code of a product. */
export const namesProduct = ({ template }: Pick<KeyIssuancePolicy, 'template'>) => template.includes('{productCode}')

/**
 * A key as the policy's template has it, all of it in the policy's case; undefined when the sequence number has more
 * digits than its place. `{check}` is the check character of all the rest, wherever it stands, and nothing without a checksum.
 */
export function writeKey(policy: KeyIssuancePolicy, ingredients: KeyIngredients): string | undefined {
  const letters = lettersOf(policy)
  let fits = true
  const write = (name: string, width: number) => {
    if (name === 'random')
      return Array.from({ length: width }, () => letters[ingredients.drawBelow(letters.length)]!).join('')
    if (name === 'year') return String(ingredients.year)
    if (name === 'productCode') return ingredients.productCode ?? ''
    const digits = String(ingredients.sequenceNumber).padStart(width, '0')
    fits &&= digits.length <= width
    return digits
  }
  const parts = policy.template.split('{check}').map((part) =>
    inCase(
      part.replace(token, (_token, name: string, width?: string) => write(name, Number(width))),
      policy.caseStyle,
    ),
  )
  const check = policy.checksum === 'LuhnModN' && parts.length > 1 ? checkCharacter(parts.join(''), letters) : ''
  return fits ? parts.join(check) : undefined
}
