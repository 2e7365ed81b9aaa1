import { addDecimals, type Decimal, subtractDecimals, zero } from '../../kit/decimal.ts'
import type { Course, EntryKind } from '../consumption/course.ts'
import { type Balance, type Credits, type OpenBalance, remainingOf } from '../consumption/meter.ts'
import { keptOf, nextTimeOf } from './auto-balance.ts'

const nothing: Credits = {
  total: zero,
  used: zero,
  cumulativeUsed: zero,
  unfunded: zero,
  initialGiven: zero,
  lastUnfundedAt: null,
  lastDepositAt: null,
  lastAutoBalanceAt: null,
}

/** Changes the credits of a balance, and enters by how much that changes what remains; answers the balance. */
function change(
  course: Course,
  id: string,
  kind: EntryKind,
  occurredAt: number,
  credits: Credits,
  reference: string | null = null,
): OpenBalance {
  const before = course.get(id)
  const balanceAfter = remainingOf(credits)
  const amount = subtractDecimals(balanceAfter, remainingOf(before.state.credits ?? nothing))
  if (amount.units !== 0n) course.enter({ meterId: id, kind, amount, balanceAfter, occurredAt, reference })
  return course.put(before, { credits }) as OpenBalance
}

const creditsOf = (course: Course, id: string): Credits => course.get(id).state.credits ?? nothing

/** Gives a balance the initial credits that it was not given yet: all when it is opened, what a plan adds to them later. */
export function giveInitial(course: Course, id: string, { initialCredits }: Balance, now: number): void {
  const { openedAt, state } = course.get(id)
  const credits = creditsOf(course, id)
  const missing = subtractDecimals(initialCredits, credits.initialGiven)
  if (missing.units > 0n) {
    const given = { ...credits, total: addDecimals(credits.total, missing), initialGiven: initialCredits }
    change(course, id, 'Initial', state.credits ? now : openedAt, given)
  } else if (!state.credits) change(course, id, 'Initial', openedAt, credits)
}

/** Lets go of what was consumed beyond the credits while there was no end to them. */
export function waiveDebt(course: Course, id: string, now: number): void {
  const credits = creditsOf(course, id)
  if (remainingOf(credits).units < 0n) change(course, id, 'Waived', now, { ...credits, total: credits.used })
}

/** Adds credits: what remains and the amount are the new total, of which nothing is used. */
export function deposit(
  course: Course,
  id: string,
  kind: 'Deposit' | 'Grant' | 'AutoBalance',
  amount: Decimal,
  at: number,
  reference: string | null = null,
): void {
  waiveDebt(course, id, at)
  const credits = creditsOf(course, id)
  const total = addDecimals(remainingOf(credits), amount)
  change(course, id, kind, at, { ...credits, total, used: zero, lastDepositAt: at }, reference)
}

/** Takes credits away, whatever remains. */
export function deduct(
  course: Course,
  id: string,
  kind: 'Consumption' | 'Deduction',
  amount: Decimal,
  at: number,
  reference: string | null = null,
): void {
  const credits = creditsOf(course, id)
  const used = addDecimals(credits.used, amount)
  const cumulativeUsed = addDecimals(credits.cumulativeUsed, amount)
  change(course, id, kind, at, { ...credits, used, cumulativeUsed }, reference)
}

/** Remembers that a balance was asked for credits that it could not pay; `unfunded` of them were consumed all the same. */
export function recordUnfunded(course: Course, id: string, unfunded: Decimal, at: number): void {
  const credits = creditsOf(course, id)
  course.put(course.get(id), {
    credits: { ...credits, unfunded: addDecimals(credits.unfunded, unfunded), lastUnfundedAt: at },
  })
}

/** When a balance is next filled by itself, after `from` when it never was; null when it never is. */
export function nextFilling({ balance, openedAt, state }: Pick<OpenBalance, 'balance' | 'openedAt' | 'state'>) {
  if (!balance.autoBalance) return null
  return nextTimeOf(balance.autoBalance.schedule, state.credits.lastAutoBalanceAt ?? openedAt)
}

/** Fills a balance by itself: what may not stay of the rest lapses, then the credits come. */
export function fill(course: Course, id: string, { autoBalance }: Balance, at: number): void {
  if (!autoBalance) return
  waiveDebt(course, id, at)
  const credits = creditsOf(course, id)
  const kept = keptOf(autoBalance, remainingOf(credits))
  const lapsing = subtractDecimals(remainingOf(credits), kept)
  change(course, id, 'Lapse', at, { ...credits, total: subtractDecimals(credits.total, lapsing) })
  deposit(course, id, 'AutoBalance', autoBalance.amount, at)
  course.put(course.get(id), { credits: { ...creditsOf(course, id), lastAutoBalanceAt: at } })
}
