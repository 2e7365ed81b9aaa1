import { lastInstant } from '../../../catalog-schema/instant.ts'
import { addDecimals, type Decimal, zero } from '../../kit/decimal.ts'
import { recordUnfunded } from '../balances/crediting.ts'
import { marksAccepted, marksEntered } from '../tiers/ruling.ts'
import type { Course } from './course.ts'
import type { Decision } from './decision.ts'
import { decisionOf } from './decision-figures.ts'
import { judgeBalance, judgeMetered, type Verdict, type Wanted } from './judging.ts'
import { periodOf, reportLevel } from './level.ts'
import { asBalance, heldOf, isMetered, type Meter, type MeteredMeter } from './meter.ts'
import { pay, payFrom } from './paying.ts'

/** Decides whether an amount may be consumed of a settled meter, and consumes it if so. */
export const consume = (course: Course, meterId: string, amount: Decimal, now: number): Decision =>
  decide(course, meterId, { amount, promised: zero, isHold: false }, now)

/** What would be decided of an amount now; nothing changes. */
export const preallocate = (course: Course, meterId: string, amount: Decimal, now: number): Decision =>
  consume(course.rehearsal(), meterId, amount, now)

/** Decides on an amount, and does what follows: counts and charges it unless it is only held, or remembers what speaks against it. */
export function decide(course: Course, meterId: string, wanted: Wanted, now: number): Decision {
  const meter = course.get(meterId)
  const verdict = isMetered(meter)
    ? judgeMetered(course, meter, wanted, now)
    : judgeBalance(course, asBalance(meter), wanted)
  const charged = verdict.reason === null ? accept(course, meter, wanted, verdict, now) : zero
  if (verdict.reason !== null) refuse(course, meter, verdict, now)
  return decisionOf(course, meterId, { amount: wanted.amount, charged }, verdict, now)
}

/** Does what was allowed; answers the credits that it cost. */
function accept(course: Course, meter: Meter, wanted: Wanted, { charges }: Verdict, now: number): Decimal {
  const { amount, promised, isHold } = wanted
  if (!isMetered(meter)) return isHold ? zero : payFrom(course, asBalance(meter), amount, now, 'decided')
  const { tiers } = meter.metered
  const from = addDecimals(meter.state.usage, heldOf(meter.state))
  // What was promised was accepted when it was held.
  const marks = marksAccepted(tiers, meter.state.marks, addDecimals(from, promised), addDecimals(from, amount), now)
  const accepted = course.put(meter, { marks })
  if (isHold) return zero
  count(course, accepted, amount, now)
  return pay(course, charges, now, 'decided')
}

/** Counts usage that happened at an instant (milliseconds), by which tiers are entered. */
export function count(course: Course, meter: MeteredMeter, amount: Decimal, at: number): void {
  const { usage, marks } = meter.state
  const after = addDecimals(usage, amount)
  course.put(meter, { usage: after, marks: marksEntered(meter.metered.tiers, marks, usage, after, at) })
  reportLevel(course, meter.id)
}

function refuse(course: Course, meter: Meter, { reason, ruling, short }: Verdict, now: number): void {
  if (short?.balance) recordUnfunded(course, short.balance.id, zero, now)
  if (reason === 'suspended' && ruling && isMetered(meter))
    course.put(meter, { suspendedUntil: periodOf(meter).end ?? lastInstant })
}
