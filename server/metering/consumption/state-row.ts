import { decimalText, readStored } from '../../kit/decimal.ts'
import type { TierMarks } from '../tiers/ruling.ts'
import type { QuotaUsageLevel } from '../tiers/tier.ts'
import type { MeterChange } from './course.ts'
import type { Credits, Hold, Meter, MeterState } from './meter.ts'
import { dueAt } from './settling.ts'
import type { ConsumptionTables } from './tables.ts'

export type StateRow = ConsumptionTables['meter_states']

/** How a meter stands, as its row has it. */
export const fromRow = (row: StateRow): MeterState => ({
  usage: readStored(row.usage),
  periodStart: row.period_start,
  marks: row.tier_marks === '{}' ? {} : (JSON.parse(row.tier_marks) as TierMarks),
  holds: row.holds === '[]' ? [] : readHolds(row.holds),
  level: row.level as QuotaUsageLevel | null,
  suspendedUntil: row.suspended_until,
  credits: row.total_credits === null ? null : readCredits(row, row.total_credits),
})

const readHolds = (text: string): Hold[] =>
  (JSON.parse(text) as { id: string; amount: string; expiresAt: number }[]).map((hold) => ({
    ...hold,
    amount: readStored(hold.amount),
  }))

const readCredits = (row: StateRow, total: string): Credits => ({
  total: readStored(total),
  used: readStored(row.credits_used),
  cumulativeUsed: readStored(row.cumulative_credits_used),
  unfunded: readStored(row.unfunded_credits),
  initialGiven: readStored(row.initial_credits_given),
  lastUnfundedAt: row.last_unfunded_at,
  lastDepositAt: row.last_deposit_at,
  lastAutoBalanceAt: row.last_auto_balance_at,
})

/** What a row has of a settled meter that changes with how it stands. */
export function toRow(meter: Meter) {
  const { usage, periodStart, marks, holds, level, suspendedUntil, credits } = meter.state
  return {
    meter_id: meter.id,
    usage: decimalText(usage),
    period_start: periodStart,
    tier_marks: JSON.stringify(marks),
    holds: JSON.stringify(holds.map((hold) => ({ ...hold, amount: decimalText(hold.amount) }))),
    level,
    suspended_until: suspendedUntil,
    total_credits: credits && decimalText(credits.total),
    credits_used: credits ? decimalText(credits.used) : '0',
    cumulative_credits_used: credits ? decimalText(credits.cumulativeUsed) : '0',
    unfunded_credits: credits ? decimalText(credits.unfunded) : '0',
    initial_credits_given: credits ? decimalText(credits.initialGiven) : '0',
    last_unfunded_at: credits?.lastUnfundedAt ?? null,
    last_deposit_at: credits?.lastDepositAt ?? null,
    last_auto_balance_at: credits?.lastAutoBalanceAt ?? null,
    due_at: dueAt(meter),
  }
}

/** The columns that change, with their types. */
export const stateColumns = {
  usage: 'text',
  period_start: 'bigint',
  tier_marks: 'text',
  holds: 'text',
  level: 'text',
  suspended_until: 'bigint',
  total_credits: 'text',
  credits_used: 'text',
  cumulative_credits_used: 'text',
  unfunded_credits: 'text',
  initial_credits_given: 'text',
  last_unfunded_at: 'bigint',
  last_deposit_at: 'bigint',
  last_auto_balance_at: 'bigint',
  due_at: 'bigint',
} as const satisfies Partial<Record<keyof StateRow, string>>
export type StateColumn = keyof typeof stateColumns

/** Where each part of a state is kept. */
const columnsOf: Record<keyof MeterState, readonly StateColumn[]> = {
  usage: ['usage'],
  periodStart: ['period_start'],
  marks: ['tier_marks'],
  holds: ['holds'],
  level: ['level'],
  suspendedUntil: ['suspended_until'],
  credits: [
    ...(['total_credits', 'credits_used', 'cumulative_credits_used', 'unfunded_credits'] as const),
    ...(['initial_credits_given', 'last_unfunded_at', 'last_deposit_at', 'last_auto_balance_at'] as const),
  ],
}
const parts = Object.keys(columnsOf) as (keyof MeterState)[]

/** The columns of what has changed of a meter, and when it is due, which follows from it and the time. */
export const changedColumns = ({ meter, before }: MeterChange): StateColumn[] => [
  ...parts.filter((part) => meter.state[part] !== before[part]).flatMap((part) => columnsOf[part]),
  'due_at',
]
