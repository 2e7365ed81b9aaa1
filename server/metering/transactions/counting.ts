import type { Course, PeriodAsked } from '../consumption/course.ts'
import { usualTolerance } from '../consumption/definitions.ts'
import { pastPeriodOf, report } from '../consumption/reporting.ts'
import { refusalOfDate } from './dating.ts'
import { featureUsed, type Usage } from './event.ts'
import { isRejection, type Rejection, type Transaction, unacceptable } from './reading.ts'

/** Whose records a batch holds: the entitlement's, or one session's of it. */
export interface Scope {
  readonly entitlementId: string
  /** Whose path it was sent to. */
  readonly sessionId: string | null
  /** The sessions that its records may name. */
  readonly sessionIds: ReadonlySet<string>
}

/** A record within the scope that it is identified in, by a session or the entitlement. */
export interface Placed extends Transaction {
  readonly scopeId: string
}

/** A record to be kept, and the meter that counted it. */
export interface Kept extends Placed {
  readonly meterId: string | null
}

/** A rejection within the scope that its record would be identified in; where that cannot be read, the one it was sent to. */
export interface Rejected extends Rejection {
  readonly scopeId: string
}

/** What came of a batch. */
interface Counted {
  readonly kept: readonly Kept[]
  readonly duplicates: number
  readonly rejected: readonly Rejected[]
}

/** By what a record is known among all. */
export const identityOf = ({ scopeId, transactionId }: Pick<Placed, 'scopeId' | 'transactionId'>) =>
  `${scopeId} ${transactionId}`

/** A record in the session that it names, else in the one that it was sent to, else in the entitlement. */
export function place(record: Transaction | Rejection, scope: Scope): Placed | Rejected {
  const sentTo = { scopeId: scope.sessionId ?? scope.entitlementId }
  if (isRejection(record)) return { ...record, ...sentTo }
  const { transactionId, sessionId } = record
  if (sessionId !== null && !scope.sessionIds.has(sessionId)) {
    const message = `must be ${scope.sessionId === null ? 'a session of the entitlement' : 'the session of the path'}`
    return { ...unacceptable(transactionId, '/sessionId', message), ...sentTo }
  }
  const own = sessionId ?? scope.sessionId
  return { ...record, sessionId: own, scopeId: own ?? scope.entitlementId }
}

/**
 * Takes records one after another: each once, the first of an identity; `known` are the identities of those that were taken
 * before. What is reported used is counted on the settled course, whatever its limits say.
 */
export function countAll(
  course: Course,
  records: readonly (Placed | Rejected)[],
  known: ReadonlySet<string>,
  now: number,
): Counted {
  const taken = new Set(known)
  const kept: Kept[] = []
  const rejected: Rejected[] = []
  let duplicates = 0
  for (const record of records) {
    if (isRejection(record)) rejected.push(record)
    else if (taken.has(identityOf(record))) duplicates++
    else {
      const counted = record.usage ? count(course, record, record.usage, now) : note(record, now)
      if (isRejection(counted)) rejected.push({ ...counted, scopeId: record.scopeId })
      else {
        taken.add(identityOf(counted))
        kept.push(counted)
      }
    }
  }
  return { kept, duplicates, rejected }
}

function count(course: Course, record: Placed, usage: Usage, now: number): Kept | Rejection {
  const { transactionId } = record
  const meter = course.named(usage.metricName)
  if (!meter) {
    const message = `The entitlement has no metric "${usage.metricName}"; its name is matched exactly, case and all.`
    return { transactionId, codeName: 'usage.metric_not_found', message }
  }
  const refusal = refusalOfDate(usage.occurredAt, meter.backDatingTolerance, now)
  if (refusal !== undefined) return { transactionId, codeName: 'license.validation_error', message: refusal }
  report(course, meter.id, usage.amount, usage.occurredAt, now)
  return { ...record, meterId: meter.id }
}

/** An event that counts nothing is kept as it came; a feature was used when it says, or now, but not long ago or in the future. */
function note(record: Placed, now: number): Kept | Rejection {
  if (record.eventName !== featureUsed) return { ...record, meterId: null }
  const occurredAt = record.occurredAt ?? now
  const message = refusalOfDate(occurredAt, usualTolerance, now)
  if (message === undefined) return { ...record, occurredAt, meterId: null }
  return { transactionId: record.transactionId, codeName: 'license.validation_error', message }
}

/** The periods that are over, of meters of the settled course, in which records have usage. */
export function pastOf(course: Course, records: readonly Placed[]): PeriodAsked[] {
  const asked = new Map<string, PeriodAsked>()
  for (const { usage } of records) {
    const meter = usage && course.named(usage.metricName)
    if (!meter) continue
    const period = pastPeriodOf(meter, usage.occurredAt)
    if (period) asked.set(`${period.meterId} ${period.periodStart}`, period)
  }
  return [...asked.values()]
}
