import { addDecimals, type Decimal, decimalText, zero } from '../kit/decimal.ts'

/** What part of all of them each is, 0 to 1; nothing is no part of nothing. */
export function sharesOf(parts: readonly Decimal[]): number[] {
  const total = doubleOf(parts.reduce(addDecimals, zero))
  return parts.map((part) => (total === 0 ? 0 : doubleOf(part) / total))
}

const doubleOf = (decimal: Decimal) => Number(decimalText(decimal))
