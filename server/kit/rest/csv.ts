import type { Contract } from '../contract.ts'

/** How CSV is announced (RFC 4180 §3). */
export const csvType = 'text/csv; charset=utf-8; header=present'

/**
 * The lines of an answer that is asked for with `format=csv` (RFC 4180), below one with the names of their fields;
 * undefined where JSON is asked for, or all there is.
 */
export function csvOf(
  { answer, csvLines }: Contract,
  query: Record<string, unknown>,
  value: unknown,
): string | undefined {
  if (csvLines === undefined || query.format !== 'csv') return undefined
  const [first] = csvLines
  const { items } = (answer as unknown as { properties: Record<string, { items: { properties: object } }> }).properties[
    first!
  ]!
  const names = Object.keys(items.properties)
  const lines = csvLines.flatMap((list) => (value as Record<string, Record<string, unknown>[]>)[list]!)
  return [names, ...lines.map((line) => names.map((name) => line[name]))].map(lineOf).join('')
}

const lineOf = (cells: readonly unknown[]) => `${cells.map(cellOf).join(',')}\r\n`

/** A cell; null is an empty one. A text that a spreadsheet would take for a formula has an apostrophe before it. */
function cellOf(value: unknown): string {
  if (value === null) return ''
  if (typeof value !== 'string') return JSON.stringify(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
