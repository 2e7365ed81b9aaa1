import { FailureLimit } from '../../kit/failure-limit.ts'
import { notPublic } from '../../kit/outgoing/failures.ts'
import type { SecurityEvent } from '../../vocabulary/security-events.ts'
import type { Attempted } from './attempt.ts'
import type { Endpoint } from './endpoint.ts'

/** How often an endpoint is told of, however many deliveries are tried. */
const quietMillis = 3_600_000
const mostEndpoints = 1000
const event: SecurityEvent = 'endpoint_refused'

/** Tells the log of attempts that were not made since the address is not public, of each endpoint once an hour. */
export function refusalTeller(warn: (details: object, message: string) => void) {
  const told = new FailureLimit(1, quietMillis, mostEndpoints)
  return ({ id, slug }: Endpoint, { row }: Attempted) => {
    if (row.error !== notPublic || !told.record(id, performance.now())) return
    warn({ security: event, tenant: slug, subject: id, reason: notPublic }, event.replaceAll('_', ' '))
  }
}
