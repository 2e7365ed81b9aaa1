import { addDecimals, type Decimal, smallerOf, subtractDecimals, zero } from '../../kit/decimal.ts'
import { isBlocked } from '../balances/band.ts'
import { deduct, recordUnfunded } from '../balances/crediting.ts'
import type { Charges } from '../tiers/pricing.ts'
import type { Course } from './course.ts'
import { positiveOf, reportLevel } from './level.ts'
import { type OpenBalance, remainingOf } from './meter.ts'
import { balanceNamed, spendableOf } from './reserving.ts'

/** Of what was decided or promised the balance was asked before, of what is reported it is asked only now. */
type Occasion = 'decided' | 'reported'

/** Charges what was counted, and answers what was paid of it; what a balance cannot pay is unfunded. A charge to no balance is nobody's. */
export function pay(course: Course, charges: Charges, now: number, occasion: Occasion): Decimal {
  let paid = zero
  for (const [metric, credits] of charges) {
    const balance = balanceNamed(course, metric)
    if (balance) paid = addDecimals(paid, payFrom(course, balance, credits, now, occasion))
  }
  return paid
}

/** Takes consumed credits from a balance as far as they go beside what is held, and answers how many; the rest is unfunded. */
export function payFrom(
  course: Course,
  balance: OpenBalance,
  credits: Decimal,
  now: number,
  occasion: Occasion,
): Decimal {
  const paid = payableOf(course, balance, credits, occasion)
  if (paid.units !== 0n) deduct(course, balance.id, 'Consumption', paid, now)
  const unfunded = subtractDecimals(credits, paid)
  if (unfunded.units !== 0n) recordUnfunded(course, balance.id, unfunded, now)
  reportLevel(course, balance.id, balance)
  return paid
}

function payableOf(course: Course, balance: OpenBalance, credits: Decimal, occasion: Occasion): Decimal {
  const { bands, isUnlimited } = balance.balance
  if (isUnlimited) return credits
  if (occasion === 'reported' && isBlocked(bands, remainingOf(balance.state.credits))) return zero
  return smallerOf(positiveOf(spendableOf(course, balance)), credits)
}
