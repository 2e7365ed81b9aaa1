/** The text of a limit without end, where a catalog holds the limit as text. */
export const unlimited = 'Infinity'

const unlimitedWords = /^(?:[+]?\.?inf(?:inity)?|unlimited)$/i
/** Digits as YAML 1.1 and people write them: `10_000`. */
const grouped = /^-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?$/

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
  return text.includes('e') ? amount.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 }) : text
}

/** A value of a price list as the text that a catalog keeps: list members joined by commas; null when nothing is said. */
export function valueText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return value.map((member) => valueText(member) ?? '').join(', ')
  if (typeof value === 'number' && !Number.isNaN(value)) return amountText(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
