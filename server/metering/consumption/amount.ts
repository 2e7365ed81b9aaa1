import { Type } from 'typebox'
import { numericPattern } from '../../../catalog-schema/numeric.ts'
import { type Decimal, toDecimal } from '../../kit/decimal.ts'

const mostDecimals = 18
const bound = 10n ** BigInt(18 + mostDecimals)

/** A JSON number or a numeric string, as it was written: `amountOf` reads it exactly. */
export const Amount = (description: string) =>
  Type.Unsafe<number | string>({ type: ['number', 'string'], maxLength: 100, pattern: numericPattern, description })

/** The exact decimal of an amount; undefined unless it is above zero (or zero, where that is allowed), below 10^18 and has at most 18 decimals. */
export function amountOf(written: number | string, zero: 'zero is allowed' | 'above zero' = 'above zero') {
  const decimal = toDecimal(String(written))
  if (!decimal || decimal.units < 0n) return undefined
  if (decimal.units === 0n) return zero === 'zero is allowed' ? decimal : undefined
  return isWithin(decimal) ? decimal : undefined
}

function isWithin({ units, exponent }: Decimal): boolean {
  if (exponent > 18) return false
  const shift = exponent + mostDecimals
  return shift >= 0 && units * 10n ** BigInt(shift) < bound
}

/** What is said of an amount that is not acceptable. */
export const amountRule = 'must be a number above 0 and below 1e18 with at most 18 decimals'
