import type { Tx } from '../../database/database.ts'
import { allDone } from '../../kit/compiled-query.ts'
import { decimalText, parseExactly } from '../../kit/decimal.ts'
import { Problem } from '../../kit/problem.ts'
import { runLastStatements } from '../../kit/records/store.ts'
import {
  type DecisionRow,
  decisionStatements,
  findDecisions,
  findHolds,
  holdStatements,
  lookupOf,
} from './decided-store.ts'
import { consume } from './deciding.ts'
import type { Decision } from './decision.ts'
import type { Desk } from './desk.ts'
import { openHold, releaseHeld, settleHeld } from './held-operations.ts'
import type { Operation, Outcome } from './operation.ts'
import { settle } from './settling.ts'
import { metricNotFound } from './standing.ts'
import { loadCourses, stateStatements, writeHistory } from './store.ts'

/**
 * Decides operations of one tenant one after another and writes what comes of them, all in this transaction; an outcome for
 * each. Sessions with a refusal consume and hold nothing new.
 */
export async function decideTogether(
  tx: Tx,
  tenantId: string,
  operations: readonly Operation[],
  refusals: ReadonlyMap<string, Problem>,
): Promise<Outcome[]> {
  const now = Math.max(...operations.map(({ by }) => by.now))
  const lookups = operations.flatMap((one) => ('key' in one ? [lookupOf(one.entitlementId, one.key)] : []))
  const holdIds = operations.flatMap((one) => ('holdId' in one ? [one.holdId] : []))
  const [courses, decided, holds] = await allDone([
    loadCourses(tx, tenantId, [...new Set(operations.map(({ entitlementId }) => entitlementId))]),
    findDecisions(tx, tenantId, lookups),
    findHolds(tx, tenantId, holdIds),
  ])
  const desk: Desk = {
    courses,
    decided: new Map(decided.map((row) => [row.lookup, row])),
    holds: new Map(holds.map((row) => [row.id, row])),
    refusals,
    tenantId,
    newDecisions: [],
    changedHolds: new Set(),
  }
  const firstOf = new Map(operations.toReversed().map((operation) => [operation.entitlementId, operation]))
  for (const course of courses.values()) {
    course.by = { actor: 'clock', correlationId: firstOf.get(course.entitlementId)!.by.correlationId, now }
    settle(course, now)
  }
  const outcomes = operations.map((operation) => decideOne(desk, operation, now))
  const all = [...courses.values()]
  await writeHistory(tx, tenantId, all)
  await runLastStatements(tx, [
    ...stateStatements(tx, tenantId, all),
    ...decisionStatements(tx, desk.newDecisions),
    ...holdStatements(tx, [...desk.changedHolds]),
  ])
  return outcomes
}

function decideOne(desk: Desk, operation: Operation, now: number): Outcome {
  const course = desk.courses.get(operation.entitlementId)!
  course.by = operation.by
  if (operation.deed === 'settle') return settleHeld(desk, course, operation, now)
  if (operation.deed === 'release') return releaseHeld(desk, course, operation, now)
  return decideOnce(desk, operation, () => {
    const meter = course.named(operation.metric)
    if (!meter) return metricNotFound(operation.metric)
    return operation.deed === 'hold'
      ? openHold(desk, course, meter.id, operation, now)
      : consume(course, meter.id, operation.amount, now)
  })
}

/** Decides under a key, or answers what was decided under it. */
function decideOnce(
  desk: Desk,
  operation: Extract<Operation, { key: string }>,
  decide: () => Decision | Problem,
): Outcome {
  const { entitlementId, sessionId, key, deed, metric, amount } = operation
  const lookup = lookupOf(entitlementId, key)
  const holdsFor = deed === 'hold' ? operation.holdsFor : null
  const asked = JSON.stringify([deed, sessionId, metric, decimalText(amount), holdsFor])
  const before = desk.decided.get(lookup)
  if (before) {
    if (before.asked !== asked) return { refusal: keyConflict() }
    return { answer: { ...(parseExactly(before.answer) as Decision), replayed: true } }
  }
  const refusal = desk.refusals.get(sessionId)
  if (refusal) return { refusal }
  const decision = decide()
  if (decision instanceof Problem) return { refusal: decision }
  const answer: Decision = { ...decision, idempotentKey: key }
  const row: DecisionRow = {
    lookup,
    tenant_id: desk.tenantId,
    asked,
    answer: JSON.stringify(answer),
  }
  desk.decided.set(lookup, row)
  desk.newDecisions.push(row)
  return { answer }
}

const keyConflict = () =>
  new Problem(
    'request.idempotency_conflict',
    'This idempotentKey was used with another session, metric or amount; use a new key for something new.',
  )
