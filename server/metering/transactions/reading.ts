import { compileCheck } from '../../../catalog-schema/checker.ts'
import { exactNumber } from '../../../catalog-schema/numeric.ts'
import { fieldError } from '../../kit/input.ts'
import { fromInstant } from '../../kit/instants.ts'
import type { ProblemName } from '../../vocabulary/problems.ts'
import { type Event, readEvent } from './event.ts'
import { TransactionRecord } from './record.ts'

/** A record that can be read; instants in milliseconds. */
export interface Transaction extends Event {
  readonly transactionId: number
  readonly sessionId: string | null
  readonly apiVersion: number | null
  readonly createdAt: number | null
  readonly eventName: string
  readonly eventData: string
}

/** A record that is not taken, and why; its id is null when it has none that could be acknowledged. */
export interface Rejection {
  readonly transactionId: number | null
  readonly codeName: ProblemName
  readonly message: string
}

export const isRejection = (one: Transaction | Rejection): one is Rejection => 'codeName' in one

/** A rejection of what is not acceptable at a place of the record. */
export const unacceptable = (transactionId: number | null, pointer: string, message: string): Rejection => ({
  transactionId,
  codeName: 'license.validation_error',
  message: `${pointer || 'The record'}: ${message}`,
})

interface Written {
  sessionId?: string | null
  apiVersion?: number | null
  creationDateTime?: string | null
  eventName: string
  eventData: string
}

const check = compileCheck(TransactionRecord)

/** Reads a record by itself: what is wrong with one says nothing of the others. */
export function readTransaction(raw: unknown): Transaction | Rejection {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return unacceptable(null, '', 'must be an object')
  // What is checked is made canonical in place.
  const record = { ...raw } as Record<string, unknown>
  const transactionId = readId(record.transactionId)
  if (transactionId === null)
    return unacceptable(null, '/transactionId', `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`)
  const [finding] = check(record).map(fieldError)
  if (finding) return unacceptable(transactionId, finding.pointer, finding.message)
  const { sessionId, apiVersion, creationDateTime, eventName, eventData } = record as unknown as Written
  const createdAt = fromInstant(creationDateTime ?? null)
  const event = readEvent(eventName, eventData, createdAt)
  if ('message' in event) return unacceptable(transactionId, `/eventData${event.pointer}`, event.message)
  return {
    transactionId,
    sessionId: sessionId?.toLowerCase() ?? null,
    apiVersion: apiVersion ?? null,
    createdAt,
    eventName,
    eventData,
    ...event,
  }
}

function readId(written: unknown): number | null {
  const id = typeof written === 'number' || typeof written === 'string' ? exactNumber(String(written)) : undefined
  return id !== undefined && Number.isSafeInteger(id) && id >= 0 ? id : null
}
