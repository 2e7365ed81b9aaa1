import { Cron } from 'croner'
import type { BalanceUsage } from '../../../catalog-schema/metric.ts'
import { type Decimal, decimalOf, smallerOf, zero } from '../../kit/decimal.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'

/** When a balance is filled by itself, with how much, and what of the rest stays. */
export interface AutoBalance {
  schedule: string
  amount: Decimal
  keepsRest: boolean
  /** The most that stays; null without limit. */
  mostKept: Decimal | null
}

/** How a definition has its balance filled by itself; null when it never is. */
export function readAutoBalance(usage: BalanceUsage): AutoBalance | null {
  if (usage.autoBalanceCronSchedule === null) return null
  const most = usage.maxAutoBalanceCreditTransferAmount
  return {
    schedule: usage.autoBalanceCronSchedule,
    amount: usage.autoBalanceCreditAmount === null ? zero : decimalOf(usage.autoBalanceCreditAmount),
    keepsRest: usage.shouldAutoBalanceTransferCurrentCredits,
    mostKept: most === null ? null : decimalOf(most),
  }
}

/** What stays of the credits that remain when the balance is filled by itself. */
export const keptOf = ({ keepsRest, mostKept }: AutoBalance, remaining: Decimal): Decimal =>
  keepsRest ? (mostKept === null ? remaining : smallerOf(remaining, mostKept)) : zero

/** The first time (milliseconds) of a schedule after an instant, in UTC; null when none comes. */
export function nextTimeOf(schedule: string, after: number): number | null {
  let known = schedules.get(schedule)
  if (!known) {
    // By the name of the zone it would ask for each date what it is there, which takes five times as long.
    known = { cron: new Cron(schedule, { mode: '5-part', utcOffset: 0, paused: true }), from: after, next: after }
    schedules.set(schedule, known)
  }
  // No time comes before the next: all balances that are filled at midnight ask for the same one.
  if (after < known.from || (known.next !== null && after >= known.next)) {
    known.from = after
    known.next = nextRunOf(known.cron, after)
  }
  return known.next
}

/** The calendar, its weekdays included, is the same every 400 years. */
const calendarMillis = 146_097 * 24 * 3_600_000
/** Croner sees no time from the year 3000 on. */
const lastSeen = Date.UTC(2500, 0)

function nextRunOf(cron: Cron, after: number): number | null {
  const shift = Math.max(0, Math.ceil((after - lastSeen) / calendarMillis)) * calendarMillis
  const next = cron.nextRun(new Date(after - shift))
  return next && next.getTime() + shift
}

const schedules = new RecentlyUsed<{ cron: Cron; from: number; next: number | null }>(1000)
