import { addDecimals, compareDecimals, type Decimal, subtractDecimals, zero } from '../../kit/decimal.ts'
import { isBlocked } from '../balances/band.ts'
import { type Charges, mostChargesOf } from '../tiers/pricing.ts'
import type { Course } from './course.ts'
import {
  heldOf,
  isMetered,
  isOpenBalance,
  type Meter,
  type MeteredMeter,
  type OpenBalance,
  remainingOf,
} from './meter.ts'

/** What settling all that is held of a meter can cost at most, from where its usage stands. */
const chargesOfHolds = ({ metered, state }: MeteredMeter): Charges =>
  state.holds.length === 0 ? new Map() : mostChargesOf(metered, state.usage, addDecimals(state.usage, heldOf(state)))

/** The balance of a metric on the entitlement; undefined when the metric is none. */
export function balanceNamed(course: Course, metricName: string): OpenBalance | undefined {
  return course.meters().find((meter) => isOpenBalance(meter) && meter.metricName === metricName) as
    | OpenBalance
    | undefined
}

/** The credits of a balance that holds keep for themselves: its own, and those of the meters that it pays for but `except`. */
function reservedOf(course: Course, balance: OpenBalance, except?: Meter): Decimal {
  let reserved = heldOf(balance.state)
  for (const meter of course.meters())
    if (isMetered(meter) && meter.id !== except?.id)
      reserved = addDecimals(reserved, chargesOfHolds(meter).get(balance.metricName) ?? zero)
  return reserved
}

/** What of a balance can be spent by a meter, its own reservations included. */
export const spendableOf = (course: Course, balance: OpenBalance, by?: Meter): Decimal =>
  subtractDecimals(remainingOf(balance.state.credits), reservedOf(course, balance, by))

/** Why a balance cannot give credits; undefined when it can. */
export function shortageOf(
  course: Course,
  balance: OpenBalance,
  credits: Decimal,
  by?: Meter,
): 'balance_blocked' | 'insufficient_credits' | undefined {
  if (balance.balance.isUnlimited) return undefined
  if (isBlocked(balance.balance.bands, remainingOf(balance.state.credits))) return 'balance_blocked'
  return compareDecimals(spendableOf(course, balance, by), credits) < 0 ? 'insufficient_credits' : undefined
}
