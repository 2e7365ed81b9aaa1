import type { Tx } from '../../database/database.ts'
import { allDone } from '../../kit/compiled-query.ts'
import { decimalText, parseExactly } from '../../kit/decimal.ts'
import { Problem } from '../../kit/problem.ts'
import { runLastStatements } from '../../kit/records/store.ts'
import { type Asked, type FindDevices, findAskers, isSameAsker, readAsked } from './askers.ts'
import {
  type DecisionRow,
  decisionStatements,
  deviceLookupOf,
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
 * each. Sessions with a refusal consume and hold nothing new. `findDevices` is asked only where sessions come upon one key.
 */
export async function decideTogether(
  tx: Tx,
  tenantId: string,
  operations: readonly Operation[],
  refusals: ReadonlyMap<string, Problem>,
  findDevices: FindDevices,
): Promise<Outcome[]> {
  const now = Math.max(...operations.map(({ by }) => by.now))
  const lookups = operations.flatMap((one) => ('key' in one ? [lookupOf(one.entitlementId, one.key)] : []))
  const holdIds = operations.flatMap((one) => ('holdId' in one ? [one.holdId] : []))
  const [courses, decided, holds] = await allDone([
    loadCourses(tx, tenantId, [...new Set(operations.map(({ entitlementId }) => entitlementId))]),
    findDecisions(tx, tenantId, lookups),
    findHolds(tx, tenantId, holdIds),
  ])
  const { devices, ofDevices } = await findAskers(tx, tenantId, operations, { decided, holds }, findDevices)
  const desk: Desk = {
    courses,
    decided: new Map([...decided, ...ofDevices].map((row) => [row.lookup, row])),
    holds: new Map(holds.map((row) => [row.id, row])),
    devices,
    refusals,
    tenantId,
    newDecisions: [],
    changedHolds: new Set(),
  }
  for (const course of courses.values()) {
    course.by = { actor: 'clock', correlationId: operations[0]!.by.correlationId, now }
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

type Keyed = Extract<Operation, { key: string }>

/** Decides under a key, or answers what was decided under it: the key of another device is this one's own beside it. */
function decideOnce(desk: Desk, operation: Keyed, decide: () => Decision | Problem): Outcome {
  const { sessionId, key, deed, metric, amount } = operation
  const asked: Asked = [deed, sessionId, metric, decimalText(amount), deed === 'hold' ? operation.holdsFor : null]
  const lookup = ownLookupOf(desk, operation)
  const before = desk.decided.get(lookup)
  if (before) {
    if (!isSameRequest(asked, readAsked(before))) return { refusal: keyConflict() }
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
    asked: JSON.stringify(asked),
    answer: JSON.stringify(answer),
  }
  desk.decided.set(lookup, row)
  desk.newDecisions.push(row)
  return { answer }
}

/** Where the decision under a key is, or will be: with the first device that used it, or with this device's own. */
function ownLookupOf({ decided, devices }: Desk, { entitlementId, sessionId, key }: Keyed): string {
  const lookup = lookupOf(entitlementId, key)
  const before = decided.get(lookup)
  if (!before || isSameAsker(devices, readAsked(before)[1], sessionId)) return lookup
  return deviceLookupOf(entitlementId, key, devices.get(sessionId) ?? sessionId)
}

/** Whether the same is asked, be it by another session. */
const isSameRequest = ([deed, , ...what]: Asked, [before, , ...other]: Asked | []) =>
  deed === before && what.every((part, index) => part === other[index])

const keyConflict = () =>
  new Problem(
    'request.idempotency_conflict',
    'This idempotentKey was used with another metric or amount; use a new key for something new.',
  )
