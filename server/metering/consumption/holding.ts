import { compareDecimals, type Decimal, zero } from '../../kit/decimal.ts'
import type { Course } from './course.ts'
import { decide } from './deciding.ts'
import type { Decision } from './decision.ts'
import { figuresOf } from './level.ts'
import type { Hold } from './meter.ts'

/** The most holds that one meter has open. */
export const mostHolds = 1000

/** Decides whether an amount may be held, and holds it if so: it counts against limits and balances until it ends. */
export function hold(course: Course, meterId: string, held: Hold, now: number): Decision {
  const decision = decide(course, meterId, { amount: held.amount, promised: zero, isHold: true }, now)
  if (!decision.allowed) return decision
  const meter = course.get(meterId)
  course.put(meter, { holds: [...meter.state.holds, held] })
  return afterwards(decision, course, meterId, now)
}

/** The hold of a settled meter under this id; undefined when it has ended, or the meter is closed. */
export const findHold = (course: Course, meterId: string, holdId: string): Hold | undefined =>
  course.find(meterId)?.state.holds.find(({ id }) => id === holdId)

/** Ends a hold; what it kept is free again. */
export function release(course: Course, meterId: string, holdId: string): void {
  const meter = course.get(meterId)
  course.put(meter, { holds: meter.state.holds.filter(({ id }) => id !== holdId) })
}

/**
 * Consumes an amount in a hold's place, and ends it. As much as was held is always allowed; of more, the rest is decided
 * like any consumption, and when that is refused the hold stays as it was.
 */
export function settleHold(course: Course, meterId: string, held: Hold, amount: Decimal, now: number): Decision {
  const { holds } = course.get(meterId).state
  release(course, meterId, held.id)
  const promised = compareDecimals(amount, held.amount) < 0 ? amount : held.amount
  const decision = decide(course, meterId, { amount, promised, isHold: false }, now)
  if (decision.allowed) return decision
  course.put(course.get(meterId), { holds })
  return afterwards(untilItLapses(decision, held, now), course, meterId, now)
}

/** A refusal that names a time to try again only where the hold is still there then: one that has lapsed is settled no more. */
function untilItLapses(decision: Decision, { expiresAt }: Hold, now: number): Decision {
  const { retryAfterSeconds } = decision
  const isInTime = retryAfterSeconds !== null && now + retryAfterSeconds * 1000 < expiresAt
  return isInTime ? decision : { ...decision, retryAfterSeconds: null }
}

/** A decision that tells what remains now that a hold came, or stays. */
const afterwards = (decision: Decision, course: Course, meterId: string, now: number): Decision => ({
  ...decision,
  remaining: figuresOf(course, course.get(meterId), now).remaining,
})
