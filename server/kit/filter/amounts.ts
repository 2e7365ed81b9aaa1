import { decimalText, toDecimal } from '../decimal.ts'

/** The name of the function, on every store, that makes of an exact amount, kept as text, what is ordered as it is. */
export const amountFunction = 'licet_amount'

/** What SQLite, which has no exact decimals, orders an amount by: a text, and no other amount's. Null for what is none. */
export function amountKey(value: unknown): string | null {
  const decimal = typeof value === 'string' ? toDecimal(value) : undefined
  if (!decimal) return null
  const text = decimalText(decimal)
  const isNegative = text.startsWith('-')
  const [whole = '', fraction = ''] = (isNegative ? text.slice(1) : text).split('.')
  const size = String(whole.length).padStart(4, '0')
  if (!isNegative) return `1${size}${whole}${fraction}`
  // The larger it is without its sign, the less it is; `~` comes behind every digit.
  return `0${[...`${size}${whole}${fraction}`].map((digit) => 9 - Number(digit)).join('')}~`
}

/** SQL that makes PostgreSQL's function of the name, which has exact decimals. */
export const createAmountFunctionSql =
  () => `create or replace function ${amountFunction}(value text) returns numeric language sql immutable strict parallel safe as $$
  select cast(value as numeric)
$$`
