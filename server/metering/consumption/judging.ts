import { lastInstant } from '../../../catalog-schema/instant.ts'
import { addDecimals, compareDecimals, type Decimal, subtractDecimals, zero } from '../../kit/decimal.ts'
import { type Charges, chargesOf, mostChargesOf } from '../tiers/pricing.ts'
import { marksCarried, paceEnds, type Ruling, rulingOf } from '../tiers/ruling.ts'
import type { Course } from './course.ts'
import type { DecisionReason } from './decision.ts'
import { periodOf } from './level.ts'
import { heldOf, type MeteredMeter, type OpenBalance } from './meter.ts'
import { balanceNamed, shortageOf } from './reserving.ts'

/** What is wanted of a settled meter. */
export interface Wanted {
  amount: Decimal
  /** How much of it was held for it until now, and is allowed whatever is said to it. */
  promised: Decimal
  /** Whether it is only to be held. */
  isHold: boolean
}

/** What is said to an amount. */
export interface Verdict {
  /** Null when it is allowed. */
  reason: DecisionReason | null
  /** Of the tiers; undefined where none was asked. */
  ruling?: Ruling
  /** What consuming it costs. */
  charges: Charges
  /** The balance that cannot pay, by its metric, of which the entitlement may have none. */
  short?: { metric: string; balance: OpenBalance | undefined }
  /** When it may be otherwise, in milliseconds; null when nobody knows. */
  retryAt: number | null
}

const none: Charges = new Map()

/** Judges an amount of a metered asset: by its suspension, then by the tiers that it touches, then by who pays. */
export function judgeMetered(course: Course, meter: MeteredMeter, wanted: Wanted, now: number): Verdict {
  const { metered, state } = meter
  const after = addDecimals(state.usage, wanted.amount)
  const charges = wanted.isHold ? none : chargesOf(metered, state.usage, after)
  const verdict: Verdict = { reason: null, charges, retryAt: null }
  if (compareDecimals(wanted.amount, wanted.promised) <= 0) return verdict
  if (state.suspendedUntil !== null)
    return { ...verdict, reason: 'suspended', retryAt: chanceOf(meter, wanted, state.suspendedUntil) }
  const from = addDecimals(state.usage, heldOf(state))
  const ruling = rulingOf(
    metered,
    state.marks,
    addDecimals(from, wanted.promised),
    addDecimals(from, wanted.amount),
    now,
  )
  if (ruling.refusal !== null)
    return { ...verdict, ruling, reason: ruling.refusal, retryAt: chanceOf(meter, wanted, soonest(meter, ruling, now)) }
  return { ...verdict, ruling, ...shortage(course, meter, charges, wanted) }
}

/** Before when what was refused is so whatever lapses: what suspends usage does so until the period is over. */
const soonest = (meter: MeteredMeter, { refusal }: Ruling, now: number): number =>
  refusal === 'suspended' ? (periodOf(meter).end ?? lastInstant) : now

/**
 * When the tiers would allow what they refuse now, in milliseconds and not before `earliest`: the first time at which they do of
 * those at which holds lapse, the minute after a call is over, or the next period begins. Null when they do at none.
 */
function chanceOf(meter: MeteredMeter, { amount, promised }: Wanted, earliest: number): number | null {
  const { metered, state } = meter
  const { end } = periodOf(meter)
  const holds = state.holds.toSorted((a, b) => a.expiresAt - b.expiresAt)
  const times = [...holds.map(({ expiresAt }) => expiresAt), ...paceEnds(state.marks), ...(end === null ? [] : [end])]
  let held = heldOf(state)
  let lapsed = 0
  for (const at of times.sort((a, b) => a - b)) {
    for (; lapsed < holds.length && holds[lapsed]!.expiresAt <= at; lapsed++)
      held = subtractDecimals(held, holds[lapsed]!.amount)
    if (at < earliest) continue
    const isAnew = end !== null && at >= end
    const from = isAnew ? held : addDecimals(state.usage, held)
    const marks = isAnew ? marksCarried(state.marks) : state.marks
    const { refusal } = rulingOf(metered, marks, addDecimals(from, promised), addDecimals(from, amount), at)
    if (refusal === null) return at
  }
  return null
}

/**
 * Who of those that are to pay cannot: charges now, and what holds of the meter may still cost after that. One of whom no
 * more is asked than what was promised would cost is not asked again.
 */
function shortage(course: Course, meter: MeteredMeter, charges: Charges, { amount, promised, isHold }: Wanted) {
  const { metered, state } = meter
  if (!metered.tiers.some(({ fundedBy }) => fundedBy !== null)) return {}
  const held = heldOf(state)
  const after = addDecimals(state.usage, amount)
  const promisedAfter = addDecimals(state.usage, promised)
  const promisedCharges = chargesOf(metered, state.usage, promisedAfter)
  const kept = isHold
    ? mostChargesOf(metered, state.usage, addDecimals(after, held))
    : mostChargesOf(metered, after, addDecimals(after, held))
  const promisedKept = mostChargesOf(metered, promisedAfter, addDecimals(promisedAfter, held))
  for (const metric of new Set([...charges.keys(), ...kept.keys()])) {
    if (isWithin(charges, promisedCharges, metric) && isWithin(kept, promisedKept, metric)) continue
    const needed = addDecimals(charges.get(metric) ?? zero, kept.get(metric) ?? zero)
    const balance = balanceNamed(course, metric)
    const reason = balance ? shortageOf(course, balance, needed, meter) : 'insufficient_credits'
    if (reason) return { reason, short: { metric, balance } }
  }
  return {}
}

const isWithin = (some: Charges, all: Charges, metric: string) =>
  compareDecimals(some.get(metric) ?? zero, all.get(metric) ?? zero) <= 0

/** Judges an amount of a balance: by its bands, then by what can be spent of it. */
export function judgeBalance(course: Course, meter: OpenBalance, { amount, promised, isHold }: Wanted): Verdict {
  const charges: Charges = isHold ? none : new Map([[meter.metricName, amount]])
  const verdict: Verdict = { reason: null, charges, retryAt: meter.state.suspendedUntil }
  if (compareDecimals(amount, promised) <= 0) return verdict
  if (meter.state.suspendedUntil !== null) return { ...verdict, reason: 'suspended' }
  const reason = shortageOf(course, meter, amount)
  return reason ? { ...verdict, reason, short: { metric: meter.metricName, balance: meter } } : verdict
}
