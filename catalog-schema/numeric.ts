/** `-?digits[.digits][e±digits]` and nothing else: the grammar of a numeric string on the wire. */
export const numericPattern = '^-?[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?$'

const grammar = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,6}))?$/

/** The longest numeric string that is read; a double needs at most 767 significant digits to be written out. */
const longestNumericText = 800

/** The decimal a numeric text stands for, as sign, digits without leading or trailing zeros, and exponent of ten; undefined when the text is no number or longer than any is read. */
export function readDecimal(text: string): { negative: boolean; digits: string; exponent: number } | undefined {
  const match = text.length > longestNumericText ? null : grammar.exec(text)
  if (!match) return undefined
  const fraction = match[3] ?? ''
  const written = match[2]! + fraction
  let [start, end] = [0, written.length]
  while (start < end && written[start] === '0') start++
  while (end > start && written[end - 1] === '0') end--
  if (start === end) return { negative: false, digits: '0', exponent: 0 }
  const exponent = Number(match[4] ?? 0) - fraction.length + written.length - end
  return { negative: match[1] === '-', digits: written.slice(start, end), exponent }
}

/** The number that a numeric text stands for exactly; undefined when it is no number or a double cannot hold it without rounding. */
export function exactNumber(text: string): number | undefined {
  const written = readDecimal(text)
  if (!written) return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) return undefined
  const held = readDecimal(String(value))
  if (!held || held.digits !== written.digits || held.exponent !== written.exponent) return undefined
  return value === 0 ? 0 : value
}
