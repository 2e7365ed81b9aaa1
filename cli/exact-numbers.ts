import { exactNumber } from '../catalog-schema/numeric.ts'

/**
 * The value of a JSON text. A number that a double would round stands there as raw JSON
 * (https://github.com/tc39/proposal-json-parse-with-source): written out again, it has the digits it came with.
 */
export const readJson = (text: string): unknown =>
  manyDigits.test(text) ? parseWithSource(text, keepDigits) : JSON.parse(text)

/** A number as text, with all its digits; empty where there is none. */
export const numberText = (value: number | null): string => (value === null ? '' : JSON.stringify(value))

/** No shorter number is rounded, nor one whose exponent has fewer digits. */
const manyDigits = /\d[\d.]{15}|(?:^|[[:,\s])-?\d[\d.]*[eE][+-]?\d{3}/

function keepDigits(_name: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' && source !== undefined && exactNumber(source) === undefined
    ? rawJson(source)
    : value
}

/** TypeScript's library does not know these yet. */
const { parse: parseWithSource, rawJSON: rawJson } = JSON as unknown as {
  parse(text: string, reviver: typeof keepDigits): unknown
  rawJSON(text: string): unknown
}
