import { findScalarRefusal } from '../../catalog-files/scalars.ts'
import type { Place } from './place.ts'

/** The text of a limit without end, where a catalog holds the limit as text. */
const unlimited = 'Infinity'

const unlimitedWords = /^(?:[+]?\.?inf(?:inity)?|unlimited)$/i
/** Digits as YAML 1.1 and people write them: `10_000`, `+7`, `.5`, `1.`. */
const grouped = /^[+-]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** The number that a value of a price list stands for, Infinity when it is without limit; undefined when it is no number. */
export function readAmount(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (unlimitedWords.test(text)) return Number.POSITIVE_INFINITY
  return grouped.test(text) ? Number(text.replaceAll('_', '')) : undefined
}

/** A number in plain decimal digits, never with an exponent; the word for one without limit. */
export function amountText(amount: number): string {
  if (!Number.isFinite(amount)) return amount > 0 ? unlimited : `-${unlimited}`
  const text = String(amount)
  return text.includes('e') ? amount.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 100 }) : text
}

/**
 * A value of a price list as the text that a catalog keeps: as it is written, but for a value without limit; list
 * members joined by commas; null when nothing is said.
 */
export function valueText(given: Place): string | null {
  const { value, written } = given
  if (value === undefined || value === null) return null
  if (Array.isArray(value))
    return given
      .elements()
      .map((element) => valueText(element) ?? '')
      .join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  return isEndless(value) && !hasDigits(written) ? amountText(value) : written
}

/** How a number differs, or for some readers would, from the one that is written; undefined where it is the same. */
export function findLoss(amount: number, written: string): string | undefined {
  if (isEndless(amount) && hasDigits(written))
    return `is larger than any number that is kept: read as ${amountText(amount)}`
  const text = written.trim().replaceAll('_', '')
  if (findScalarRefusal(text.replace(leadingZeros, '$1'))?.rule === 'lost-digits')
    return `has more digits than are kept: read as ${amountText(amount)}`
  // YAML 1.1 has whole numbers so in octal; one with a point, or with an 8 or 9, is decimal for all.
  const isOctal = /^[-+]?0[0-7]+$/.test(text) && Number.parseInt(text, 8) !== amount
  return isOctal ? `begins with 0, which some readers take for octal: read as ${amountText(amount)}` : undefined
}

const leadingZeros = /^([-+]?)0+(?=\d)/

const isEndless = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) === Infinity
const hasDigits = (text: string) => /\d/.test(text)
