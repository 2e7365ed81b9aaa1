import { compareDecimals, decimalText, parseExactly, readStored } from '../../kit/decimal.ts'
import { addDuration } from '../../kit/duration-adding.ts'
import { newId } from '../../kit/ids.ts'
import { toInstant } from '../../kit/instants.ts'
import { Problem, recordNotFound } from '../../kit/problem.ts'
import type { Course } from './course.ts'
import type { HoldRow } from './decided-store.ts'
import type { Desk } from './desk.ts'
import { findHold, hold, mostHolds, release, settleHold } from './holding.ts'
import type { HoldDecision, Operation, Outcome, Released } from './operation.ts'

type Of<Deed extends Operation['deed']> = Extract<Operation, { deed: Deed }>

/** Holds an amount of a meter, if it may be had. */
export function openHold(
  desk: Desk,
  course: Course,
  meterId: string,
  { amount, holdsFor, sessionId, entitlementId }: Of<'hold'>,
  now: number,
): HoldDecision | Problem {
  if (course.get(meterId).state.holds.length >= mostHolds)
    return new Problem('usage.too_many_holds', `The meter has ${mostHolds} open holds; settle or release some.`)
  const id = newId()
  const expiresAt = addDuration(now, holdsFor)
  const decision = hold(course, meterId, { id, amount, expiresAt }, now)
  if (!decision.allowed) return { holdId: null, expiresAt: null, ...decision }
  const row: HoldRow = {
    id,
    tenant_id: desk.tenantId,
    entitlement_id: entitlementId,
    session_id: sessionId,
    meter_id: meterId,
    amount: decimalText(amount),
    expires_at: expiresAt,
    status: 'Open',
    settled_amount: null,
    answer: null,
  }
  desk.holds.set(id, row)
  desk.changedHolds.add(row)
  return { holdId: id, expiresAt: toInstant(expiresAt), ...decision }
}

/** Consumes in place of a hold; settled before with the same amount, it answers the same. */
export function settleHeld(desk: Desk, course: Course, operation: Of<'settle'>, now: number): Outcome {
  const row = rowOf(desk, operation)
  if (!row) return { refusal: recordNotFound('hold') }
  if (row.status === 'Settled') {
    if (compareDecimals(readStored(row.settled_amount!), operation.amount) !== 0)
      return { refusal: new Problem('request.idempotency_conflict', 'The hold was settled with another amount.') }
    return { answer: { ...(parseExactly(row.answer!) as HoldDecision), replayed: true } }
  }
  const held = row.status === 'Open' ? findHold(course, row.meter_id, row.id) : undefined
  if (!held) return { refusal: notOpen(row) }
  const decision = settleHold(course, row.meter_id, held, operation.amount, now)
  const answer: HoldDecision = { holdId: row.id, expiresAt: toInstant(row.expires_at), ...decision }
  if (decision.allowed) {
    Object.assign(row, { status: 'Settled', settled_amount: decimalText(operation.amount) })
    end(desk, row, answer)
  }
  return { answer }
}

/** Gives a hold back; released before, it answers the same. */
export function releaseHeld(desk: Desk, course: Course, operation: Of<'release'>, now: number): Outcome {
  const row = rowOf(desk, operation)
  if (!row) return { refusal: recordNotFound('hold') }
  if (row.status === 'Released') return { answer: JSON.parse(row.answer!) as Released }
  if (row.status !== 'Open' || !findHold(course, row.meter_id, row.id)) return { refusal: notOpen(row) }
  release(course, row.meter_id, row.id)
  row.status = 'Released'
  const answer: Released = { holdId: row.id, released: true, releasedAt: toInstant(now) }
  end(desk, row, answer)
  return { answer }
}

/** A hold is its session's alone. */
function rowOf({ holds }: Desk, { holdId, sessionId }: Of<'settle'> | Of<'release'>): HoldRow | undefined {
  const row = holds.get(holdId)
  return row?.session_id === sessionId ? row : undefined
}

function end(desk: Desk, row: HoldRow, answer: HoldDecision | Released): void {
  row.answer = JSON.stringify(answer)
  desk.changedHolds.add(row)
}

const notOpen = ({ status }: HoldRow) =>
  new Problem(
    'usage.hold_not_open',
    status === 'Open' ? 'The hold has lapsed; what it held is free again.' : `The hold was ${status.toLowerCase()}.`,
  )
