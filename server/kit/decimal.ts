import { readDecimal } from '../../catalog-schema/numeric.ts'

/** An exact decimal: `units` times ten to the `exponent`. */
export interface Decimal {
  units: bigint
  exponent: number
}

/** The furthest power of ten that is calculated with: no double goes beyond it. */
const furthest = 1100

/** The decimal that a numeric text stands for (numeric.ts; JSON's own E will do as well); undefined when it is none, or beyond what a double can be. */
export function toDecimal(text: string): Decimal | undefined {
  const read = readDecimal(text)
  if (!read || Math.abs(read.exponent) > furthest) return undefined
  const { negative, digits, exponent } = read
  return { units: BigInt(negative ? `-${digits}` : digits), exponent }
}

/** Two decimals at one exponent. */
function aligned(a: Decimal, b: Decimal) {
  if (a.exponent === b.exponent) return { a: a.units, b: b.units, exponent: a.exponent }
  const exponent = Math.min(a.exponent, b.exponent)
  const unitsOf = (one: Decimal) => (one.exponent === exponent ? one.units : one.units * tenTo(one.exponent - exponent))
  return { a: unitsOf(a), b: unitsOf(b), exponent }
}

const powersOfTen: bigint[] = []

/** Ten to a power that is no larger than twice the furthest; each is worked out once. */
function tenTo(power: number): bigint {
  powersOfTen[power] ??= 10n ** BigInt(power)
  return powersOfTen[power]
}

/** The exact sum. */
export function addDecimals(one: Decimal, other: Decimal): Decimal {
  const { a, b, exponent } = aligned(one, other)
  return { units: a + b, exponent }
}

/** The exact difference. */
export const subtractDecimals = (one: Decimal, other: Decimal): Decimal =>
  addDecimals(one, { units: -other.units, exponent: other.exponent })

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

export const zero: Decimal = { units: 0n, exponent: 0 }

/** The smaller of two. */
export const smallerOf = (one: Decimal, other: Decimal): Decimal => (compareDecimals(one, other) <= 0 ? one : other)

/** The larger of two. */
export const largerOf = (one: Decimal, other: Decimal): Decimal => (compareDecimals(one, other) >= 0 ? one : other)

/** A stored decimal; throws for a text that is none. */
export function readStored(text: string): Decimal {
  const decimal = toDecimal(text)
  if (!decimal) throw new TypeError(`"${text}" is no decimal`)
  return decimal
}

/** A double as the decimal that its shortest text stands for; of a number that `wireNumber` or `parseExactly` made, that number. */
export const decimalOf = (double: number): Decimal =>
  readStored(typeof double === 'number' ? String(double) : JSON.stringify(double))

/**
 * A decimal as a JSON number with exactly its digits: a number where a double has them all, else raw JSON
 * (https://github.com/tc39/proposal-json-parse-with-source).
 */
export function wireNumber(decimal: Decimal): number {
  const { units, exponent } = decimal
  if (units < most15Digits && units > -most15Digits && exponent <= 0 && exponent >= -22)
    return Number(units) / 10 ** -exponent
  const text = decimalText(decimal)
  const double = Number(text)
  // Beyond every double, for one: a price of 1e300 times a million million is a sum, too.
  return Number.isFinite(double) && decimalText(decimalOf(double)) === text ? double : (rawJson(text) as number)
}

/** A double has up to 15 digits whole, and the powers of ten to the 22nd: of two that are whole the quotient is the nearest double. */
const most15Digits = 10n ** 15n

/** The value of a JSON text, its numbers with exactly their digits when it is written again. */
export const parseExactly = (text: string): unknown =>
  parseWithSource(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJson(source) : value,
  )

/** TypeScript's library does not know them yet. */
const parseWithSource = JSON.parse as (
  text: string,
  revive: (name: string, value: unknown, context: { source?: string }) => unknown,
) => unknown
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown }

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
