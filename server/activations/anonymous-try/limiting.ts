import type { RequestContext } from '../../kit/context.ts'
import { FailureLimit } from '../../kit/failure-limit.ts'
import { Problem } from '../../kit/problem.ts'

const hour = 3_600_000
/** Every new try makes an entitlement, and anyone may ask for one. */
const newTries = new FailureLimit(1000, hour, 10_000)

/**
 * Counts a device that tries something for the first time; throws request.rate_limited when an address has brought too many
 * in an hour. The time is the server's own, which nobody can advance.
 */
export function recordNewTry({ tenant, ip }: Pick<RequestContext, 'tenant' | 'ip'>): void {
  const key = `${tenant.id}/${ip}`
  const now = Date.now()
  if (newTries.record(key, now)) return
  throw new Problem('request.rate_limited', 'Too many new devices have tried from this address; try again later.', {
    headers: { 'retry-after': String(newTries.secondsLeft(key, now)) },
  })
}
