import type { consumptionPeriods } from '../../../catalog-schema/enumerations.ts'

export type ConsumptionPeriod = (typeof consumptionPeriods)[number]

/** From when to just before when a period lasts, in milliseconds; both null for a Lifetime. */
export interface Period {
  readonly start: number | null
  readonly end: number | null
}

const hour = 3_600_000
const day = 24 * hour
/** 1970 began on a Thursday: the first ISO week of the epoch that begins in it began on 5 January. */
const firstMonday = 4 * day
/** How many months a period of each kind that goes by months lasts. */
export const monthsIn: Partial<Record<ConsumptionPeriod, number>> = { Monthly: 1, Quarterly: 3, Yearly: 12 }
const spans: Partial<Record<ConsumptionPeriod, { length: number; from: number }>> = {
  Hourly: { length: hour, from: 0 },
  Daily: { length: day, from: 0 },
  Weekly: { length: 7 * day, from: firstMonday },
}

/** The period of each kind that was asked for last: most ask for the one that is now. */
const latest: Partial<Record<ConsumptionPeriod, Period>> = {}

/** The period that an instant (milliseconds) is in, by the UTC calendar; weeks begin on Monday (ISO 8601). */
export function periodAt(period: ConsumptionPeriod, at: number): Period {
  const known = latest[period]
  if (known && (known.start === null || (at >= known.start && at < known.end!))) return known
  const found = findPeriod(period, at)
  latest[period] = found
  return found
}

function findPeriod(period: ConsumptionPeriod, at: number): Period {
  const span = spans[period]
  if (span) {
    const start = Math.floor((at - span.from) / span.length) * span.length + span.from
    return { start, end: start + span.length }
  }
  const count = monthsIn[period]
  if (count === undefined) return { start: null, end: null }
  const date = new Date(at)
  const first = Math.floor(date.getUTCMonth() / count) * count
  const startOf = (month: number) => new Date(0).setUTCFullYear(date.getUTCFullYear(), month, 1)
  return { start: startOf(first), end: startOf(first + count) }
}
