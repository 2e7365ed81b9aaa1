import { readDecimal } from '../../catalog-schema/numeric.ts'

/** An exact decimal: `units` times ten to the `exponent`. */
export interface Decimal {
  units: bigint
  exponent: number
}

/** The furthest power of ten that is calculated with: no double goes beyond it. */
const furthest = 1100

/** The decimal that a text of the wire's numeric grammar stands for; undefined when it is none, or beyond what a double can be. */
export function toDecimal(text: string): Decimal | undefined {
  const read = readDecimal(text)
  if (!read || Math.abs(read.exponent) > furthest) return undefined
  const { negative, digits, exponent } = read
  return { units: BigInt(negative ? `-${digits}` : digits), exponent }
}

/** Two decimals at one exponent. */
function aligned(a: Decimal, b: Decimal) {
  const exponent = Math.min(a.exponent, b.exponent)
  const unitsOf = (one: Decimal) => one.units * 10n ** BigInt(one.exponent - exponent)
  return { a: unitsOf(a), b: unitsOf(b), exponent }
}

/** The exact sum. */
export function addDecimals(one: Decimal, other: Decimal): Decimal {
  const { a, b, exponent } = aligned(one, other)
  return { units: a + b, exponent }
}

/** The exact product. */
export const multiplyDecimals = (one: Decimal, other: Decimal): Decimal => ({
  units: one.units * other.units,
  exponent: one.exponent + other.exponent,
})

/** Negative, zero or positive as the first is less than, the same as or more than the second. */
export function compareDecimals(one: Decimal, other: Decimal): number {
  const { a, b } = aligned(one, other)
  return a < b ? -1 : a > b ? 1 : 0
}

/** A decimal written out: no exponent, no zeros that say nothing. */
export function decimalText({ units, exponent }: Decimal): string {
  if (units === 0n) return '0'
  const sign = units < 0n ? '-' : ''
  const digits = String(units < 0n ? -units : units)
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent)
  const padded = digits.padStart(1 - exponent, '0')
  const fraction = padded.slice(exponent).replace(/0+$/, '')
  return `${sign}${padded.slice(0, exponent)}${fraction && `.${fraction}`}`
}
