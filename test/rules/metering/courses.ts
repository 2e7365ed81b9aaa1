import type { BalanceUsage, MeteredUsage } from '../../../catalog-schema/metric.ts'
import type { UsageTier } from '../../../catalog-schema/usage-tier.ts'
import { type Decimal, readStored, zero } from '../../../server/kit/decimal.ts'
import { Course } from '../../../server/metering/consumption/course.ts'
import { readBalance, readMetered } from '../../../server/metering/consumption/definitions.ts'
import type { Meter, MeterState } from '../../../server/metering/consumption/meter.ts'
import { settle } from '../../../server/metering/consumption/settling.ts'

/** An instant in milliseconds; a date is its first moment. */
export const at = (instant: string): number => Date.parse(instant)

/** A decimal by its text. */
export const amount = (text: string | number): Decimal => readStored(String(text))

/** When meters of these tests are opened. */
export const opened = at('2026-01-05')

const untouched: MeterState = {
  usage: zero,
  periodStart: null,
  marks: {},
  holds: [],
  level: null,
  suspendedUntil: null,
  credits: null,
}

const meterOf = (metricName: string, counting: Pick<Meter, 'metered' | 'balance'>): Meter => ({
  id: `meter of ${metricName}`,
  entitlementId: 'entitlement',
  productId: 'product',
  metricName,
  unit: null,
  backDatingTolerance: 'P3D',
  openedAt: opened,
  ...counting,
  state: untouched,
})

/** A meter that counts by tiers, each month anew unless told, and that nothing was counted of yet. */
export const counting = (
  metricName: string,
  usageTiers: UsageTier[],
  fields: Partial<Omit<MeteredUsage, 'usageTiers'>> = {},
): Meter =>
  meterOf(metricName, {
    metered: readMetered({ consumptionPeriod: 'Monthly', accumulationMethod: 'Sliced', ...fields, usageTiers }),
    balance: null,
  })

export const emptyBalance: BalanceUsage = {
  name: null,
  description: null,
  unit: null,
  numberFormat: null,
  initialCreditAmount: 0,
  isUnlimitedCredits: false,
  usageQuota: [],
  autoBalanceCronSchedule: null,
  shouldAutoBalanceTransferCurrentCredits: false,
  maxAutoBalanceCreditTransferAmount: null,
  autoBalanceCreditAmount: null,
}

/** A meter that is a balance, not opened yet. */
export const balance = (metricName: string, fields: Partial<BalanceUsage> = {}): Meter =>
  meterOf(metricName, { metered: null, balance: readBalance({ ...emptyBalance, ...fields }) })

/** The course of these meters, settled at an instant. */
export function courseOf(meters: readonly Meter[], now: number = opened): Course {
  const course = new Course('entitlement', meters)
  settle(course, now)
  return course
}

/** The id of the meter of a metric. */
export const idOf = (course: Course, metricName: string): string => course.named(metricName)!.id

/** A decision or a snapshot as it is on the wire. */
export const wire = <T>(answer: T): T => JSON.parse(JSON.stringify(answer))

/** What was put aside of a period under this very start. */
export const pastAt = (course: Course, meterId: string, periodStart: number) =>
  course.past({ meterId, periodStart, periodEnd: periodStart + 1 })
