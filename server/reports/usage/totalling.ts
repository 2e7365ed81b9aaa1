import type { Readable } from '../../database/database.ts'
import { readStored, subtractDecimals, zero } from '../../kit/decimal.ts'
import { isWithin, type Window } from '../window.ts'
import { type MetricTotal, MetricTotals } from './metric-totals.ts'
import { consumptions, meterStates, pastPeriods } from './store.ts'

/**
 * What was used of each metric in the window: of metered usage the periods that began in it, of balances what was
 * consumed in it. A meter without periods counts since ever, and only where the window has no bounds.
 */
export async function totalMetrics(read: Readable, tenantId: string, window: Window): Promise<MetricTotal[]> {
  const totals = new MetricTotals()
  const isUnbounded = window.from === null && window.to === null
  for await (const { isBalance, unfunded, periodStart, ...meter } of meterStates(read, tenantId)) {
    if (isBalance === 1) totals.addConsumption(meter, zero, readStored(unfunded))
    else if (periodStart === null ? isUnbounded : isWithin(window, periodStart)) totals.addPeriod(meter)
  }
  for await (const period of pastPeriods(read, tenantId, window)) totals.addPeriod(period)
  for await (const { amount, ...meter } of consumptions(read, tenantId, window))
    totals.addConsumption(meter, subtractDecimals(zero, readStored(amount)), zero)
  return totals.list()
}
