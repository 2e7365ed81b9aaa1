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
  let cron = schedules.get(schedule)
  if (!cron) {
    cron = new Cron(schedule, { mode: '5-part', timezone: 'UTC', paused: true })
    schedules.set(schedule, cron)
  }
  return cron.nextRun(new Date(after))?.getTime() ?? null
}

const schedules = new RecentlyUsed<Cron>(1000)
