import { addDecimals, type Decimal, smallerOf, subtractDecimals, zero } from '../../kit/decimal.ts'
import { isBlocked } from '../balances/band.ts'
import { deduct, recordUnfunded } from '../balances/crediting.ts'
import type { Charges } from '../tiers/pricing.ts'
import type { Course } from './course.ts'
import { positiveOf, reportLevel } from './level.ts'
import { type Meter, type OpenBalance, remainingOf } from './meter.ts'
import { balanceNamed, spendableOf } from './reserving.ts'

/** Charges what was consumed of a meter; what a balance cannot pay of it is unfunded. A charge to no balance is nobody's. */
export function pay(course: Course, meter: Meter, charges: Charges, now: number): void {
  for (const [metric, credits] of charges) {
    const balance = balanceNamed(course, metric)
    if (balance) payFrom(course, balance, credits, now, meter)
  }
}

/** Takes consumed credits from a balance as far as they go, of which `by` may spend what is held for it; the rest is unfunded. */
export function payFrom(course: Course, balance: OpenBalance, credits: Decimal, now: number, by?: Meter): void {
  const paid = payableOf(course, balance, credits, by)
  if (paid.units !== 0n) deduct(course, balance.id, 'Consumption', paid, now)
  const unfunded = subtractDecimals(credits, paid)
  if (unfunded.units !== 0n) recordUnfunded(course, balance.id, unfunded, now)
  reportLevel(course, balance.id)
}

function payableOf(course: Course, balance: OpenBalance, credits: Decimal, by: Meter | undefined): Decimal {
  const { bands, isUnlimited } = balance.balance
  if (isUnlimited) return credits
  if (isBlocked(bands, remainingOf(balance.state.credits))) return zero
  return smallerOf(positiveOf(spendableOf(course, balance, by)), credits)
}

/** The credits of all charges together. */
export const totalOf = (charges: Charges): Decimal => [...charges.values()].reduce(addDecimals, zero)
