import type { consumptionPeriods } from '../../../catalog-schema/enumerations.ts'

export type Period = (typeof consumptionPeriods)[number]

const periodWords: Record<string, Period> = {
  hour: 'Hourly',
  hourly: 'Hourly',
  hr: 'Hourly',
  h: 'Hourly',
  day: 'Daily',
  daily: 'Daily',
  week: 'Weekly',
  weekly: 'Weekly',
  wk: 'Weekly',
  month: 'Monthly',
  monthly: 'Monthly',
  mo: 'Monthly',
  quarter: 'Quarterly',
  quarterly: 'Quarterly',
  year: 'Yearly',
  yearly: 'Yearly',
  yr: 'Yearly',
  annum: 'Yearly',
  annual: 'Yearly',
  annually: 'Yearly',
}

const singular = (word: string) => word.toLowerCase().replace(/s$/, '')
const periodOf = (word: string) =>
  Object.hasOwn(periodWords, singular(word)) ? periodWords[singular(word)] : undefined

/**
 * A unit such as `call/member/day`, `minute/month/user` or `call a month` in what is counted (`call/member`, `minute/user`)
 * and the period that it is counted in (Daily, Monthly), where it names one.
 */
export function splitUnit(text: string): { unit: string | null; period: Period | undefined } {
  const { span, rest } = findSpan(text)
  const period = span === undefined ? undefined : findPeriod(span)
  return { unit: (period ? rest : text.trim()) || null, period }
}

/** A longer text is prose, and no unit: nothing is looked for in it. */
const longestUnit = 200

const eachOf = /\s*(?:\/|\b(?:per|an?|each|every)\b)\s*/gi

/** The last span of time (`month`, `6 months`) that a unit counts in, and the unit without it: a mark or a note beside it stays out of the span. */
function findSpan(unit: string): { span: string | undefined; rest: string } {
  if (unit.length > longestUnit) return { span: undefined, rest: unit.trim() }
  const marks = [...unit.matchAll(eachOf)]
  for (const [at, mark] of [...marks.entries()].reverse()) {
    const end = marks[at + 1]?.index ?? unit.length
    const part = unit.slice(mark.index + mark[0].length, end)
    const [, span = '', beside = ''] = /^((?:\d+\s*)?[a-z]+)\.?\s*(\([^()]*\)|[^a-z\d()]*)$/i.exec(part.trim()) ?? []
    if (!isSpanOfTime(span)) continue
    const note = beside.startsWith('(') ? ` ${beside}` : ''
    return { span, rest: trimmed(unit.slice(0, mark.index) + unit.slice(end) + note) }
  }
  const [, first, last] = adverb.exec(unit.trim()) ?? []
  const span = first ?? last
  return { span, rest: trimmed(span === undefined ? unit : unit.trim().replace(adverb, '')) }
}

/** A period before or after what is counted: `daily calls`, `tokens weekly`. */
const adverb =
  /^(hourly|daily|weekly|monthly|quarterly|yearly|annual)(?:\s+|$)|\s+(hourly|daily|weekly|monthly|quarterly|yearly|annually)$/i

const trimmed = (unit: string) => unit.replace(/^[\s,;]+|[\s,;]+$/g, '')

const otherWords = ['sec', 'second', 'min', 'minute', 'semester', 'decade']
const spanOfTime = new RegExp(
  `^(?:an?\\s+)?(?:\\d+\\s*)?(?:${[...Object.keys(periodWords), ...otherWords].join('|')})s?\\.?$`,
  'i',
)

/** Whether a text is so much time (`year`, `6 months`, `min`), be it a period of a catalog or not. */
export const isSpanOfTime = (text: string): boolean => spanOfTime.test(text.trim())

/** Whether a unit such as `call/min` names a period that is shorter than any of a catalog. */
export const namesTooShort = (unit: string): boolean => /^(?:sec|second|min|minute)s?$/i.test(findSpan(unit).span ?? '')

/** Whether a unit such as `call/6 months` counts in so much time. */
export const namesSpanOfTime = (unit: string): boolean => findSpan(unit).span !== undefined

const spans: Record<string, Period> = {
  '1 hour': 'Hourly',
  '60 min': 'Hourly',
  '1 day': 'Daily',
  '24 hour': 'Daily',
  '1 week': 'Weekly',
  '7 day': 'Weekly',
  '1 month': 'Monthly',
  // As the format has them: a month is 30 days, and a year 365.
  '30 day': 'Monthly',
  '3 month': 'Quarterly',
  '90 day': 'Quarterly',
  '1 quarter': 'Quarterly',
  '1 year': 'Yearly',
  '365 day': 'Yearly',
  '12 month': 'Yearly',
}

/** The period of so many hours, days, months, …; undefined when a catalog has none of that length. */
export function readSpan(value: number, unit: string): Period | undefined {
  return spans[`${value} ${singular(unit).replace(/^minute$/, 'min')}`]
}

/** The period that a text names: `DAY`, `daily`, `3 MONTH`; undefined when a catalog has none such. */
export function findPeriod(text: string): Period | undefined {
  const [, count = '1', word = ''] = /^(\d+)?\s*([a-z]+)$/i.exec(text.trim()) ?? []
  return readSpan(Number(count), word) ?? (Number(count) === 1 ? periodOf(word) : undefined)
}
