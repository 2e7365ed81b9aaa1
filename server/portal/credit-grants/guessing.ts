import { FailureLimit } from '../../kit/failure-limit.ts'
import { Problem } from '../../kit/problem.ts'

const minute = 60_000
/** A person mistypes a code a few times. */
const wrongCodes = new FailureLimit(60, minute, 10_000)

/**
 * Counts a code that redeems nothing for a user; throws request.rate_limited when the user showed too many of them in a
 * minute. The time is the server's own, which nobody can advance.
 */
export function recordWrongGrantCode(tenantId: string, userId: string): void {
  const now = Date.now()
  const key = `${tenantId}/${userId}`
  if (wrongCodes.record(key, now)) return
  throw new Problem('request.rate_limited', 'Too many wrong codes were shown; try again later.', {
    headers: { 'retry-after': String(wrongCodes.secondsLeft(key, now)) },
  })
}
