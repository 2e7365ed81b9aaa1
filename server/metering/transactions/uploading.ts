import { decimalText } from '../../kit/decimal.ts'
import type { Cause } from '../../kit/outbox.ts'
import { problems } from '../../vocabulary/problems.ts'
import { settle } from '../consumption/settling.ts'
import { loadCourses, loadPast, writeCourses } from '../consumption/store.ts'
import { countAll, type Kept, type Placed, pastOf, place, type Scope } from './counting.ts'
import { isRejection, type Rejection, type Transaction } from './reading.ts'
import { findHighest, findKnown, insertTransactions, recordRejected } from './store.ts'

/**
 * Takes a batch of records in the transaction that is given: each is counted once, however often and by however many at
 * once it is sent, and what is wrong with one holds up none of the others. Acknowledged is the highest id that was ever
 * taken or rejected in the scopes of the batch: nothing up to it is to be sent again.
 */
export async function takeBatch(cause: Cause, scope: Scope, records: readonly (Transaction | Rejection)[]) {
  const { tx, tenantId, now, actor, correlationId } = cause
  const placed = records.map((record) => place(record, scope))
  const sound = placed.filter((record): record is Placed => !isRejection(record))
  // From here on whoever else uploads to this entitlement waits.
  const courses = await loadCourses(tx, tenantId, [scope.entitlementId])
  const course = courses.get(scope.entitlementId)!
  course.by = { actor, correlationId, now }
  settle(course, now)
  await loadPast(tx, tenantId, course, pastOf(course, sound))
  const known = await findKnown(tx, tenantId, sound)
  const { kept, duplicates, rejected } = countAll(course, placed, known, now)
  await writeCourses(tx, tenantId, [course])
  const rows = kept.map((record) => toRow(record, scope, cause))
  const processed = await insertTransactions(tx, rows)
  await recordRejected(tx, tenantId, rejected)
  const highest = await findHighest(tx, tenantId, scopeIdsOf(scope, sound, records.length))
  return {
    acknowledgedTransactionId: highestOf([highest, ...rejected.map(({ transactionId }) => transactionId)]),
    processed,
    duplicates: duplicates + kept.length - processed,
    rejected: rejected.map(({ transactionId, codeName, message }) => ({
      transactionId,
      code: problems[codeName][0],
      codeName,
      message,
    })),
  }
}

/** The scopes that a batch speaks of: of one without records, the one that it was sent to. */
const scopeIdsOf = ({ entitlementId, sessionId }: Scope, sound: readonly Placed[], size: number): string[] =>
  sessionId !== null || size === 0 ? [sessionId ?? entitlementId] : [...new Set(sound.map(({ scopeId }) => scopeId))]

function highestOf(ids: readonly (number | null)[]): number | null {
  const known = ids.filter((id) => id !== null)
  return known.length === 0 ? null : Math.max(...known)
}

const toRow = (record: Kept, { entitlementId }: Scope, { tenantId, now }: Cause) => ({
  scope_id: record.scopeId,
  transaction_id: record.transactionId,
  tenant_id: tenantId,
  entitlement_id: entitlementId,
  session_id: record.sessionId,
  api_version: record.apiVersion,
  created_at: record.createdAt,
  event_name: record.eventName,
  event_data: record.eventData,
  occurred_at: record.occurredAt,
  meter_id: record.meterId,
  amount: record.usage && decimalText(record.usage.amount),
  received_at: now,
})
