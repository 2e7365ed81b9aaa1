import { decimalText, toDecimal } from '../decimal.ts'
import { FilterRefused, quoted } from './refusal.ts'

/** The types whose values have one stored spelling, whatever way they are written. */
export type ScalarType = 'integer' | 'decimal' | 'amount' | 'boolean' | 'instant' | 'uuid' | 'duration'

type ScalarField =
  | { name: string; type: Exclude<ScalarType, 'duration'> }
  | { name: string; type: 'duration'; canonical: (text: string) => string | undefined }

/** The value as a column of the type stores it; throws FilterRefused when the text is no such value. */
export function toStoredValue(field: ScalarField, text: string): string | number {
  const stored = field.type === 'duration' ? field.canonical(text) : readers[field.type](text)
  if (stored !== undefined) return stored
  throw new FilterRefused(
    '/filter',
    `the field ${quoted(field.name)} is compared with ${quoted(text)}, which is not ${nouns[field.type]}`,
  )
}

const nouns: Record<ScalarType, string> = {
  integer: 'a whole number of at most 2^53 - 1',
  decimal: 'a number',
  amount: 'a number',
  boolean: 'true or false',
  instant: 'a date-time such as 2026-01-31T12:00:00Z',
  uuid: 'a UUID',
  duration: 'a duration such as P7D',
}

const readers: Record<Exclude<ScalarType, 'duration'>, (text: string) => string | number | undefined> = {
  integer: (text) => {
    const number = readNumber(text)
    return Number.isSafeInteger(number) ? number : undefined
  },
  decimal: readNumber,
  amount: readAmount,
  boolean: (text) => (/^true$/i.test(text) ? 1 : /^false$/i.test(text) ? 0 : undefined),
  instant: readInstant,
  uuid: (text) => (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined),
}

function readNumber(text: string) {
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined
  const number = Number(text)
  // Adding zero turns minus zero into zero.
  return Number.isFinite(number) ? number + 0 : undefined
}

/** Every digit of it; what is too large for a number is none. */
function readAmount(text: string) {
  const amount = readNumber(text) === undefined ? undefined : toDecimal(text)
  return amount && decimalText(amount)
}

/** Epoch milliseconds of an RFC 3339 date-time, further digits of the second dropped, or of a date: its midnight in UTC. */
function readInstant(text: string) {
  const parts = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d))?$/i.exec(text)
  if (!parts) return undefined
  const [, date, time = '00:00:00', fraction = '', zone = 'Z'] = parts
  const local = Date.parse(`${date}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  // Date.parse lets 30 February pass as 2 March, and 24:00 as the next day.
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 19) !== `${date}T${time}`) return undefined
  const shift = zone.toUpperCase() === 'Z' ? 0 : Date.parse(`1970-01-01T00:00:00${zone}`)
  return Number.isNaN(shift) ? undefined : local + shift
}
