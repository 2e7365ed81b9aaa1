import type { RequestContext } from '../../kit/context.ts'
import { FailureLimit } from '../../kit/failure-limit.ts'
import { Problem } from '../../kit/problem.ts'

const minute = 60_000
/** An address may be that of a whole company, whose devices all come at once with an old code. */
const wrongCodes = new FailureLimit(6000, minute, 10_000)

/**
 * Counts a code that activation does not know, or admission does not admit; throws request.rate_limited when an address
 * showed too many of them in a minute. The time is the server's own, which nobody can advance.
 */
export function recordWrongCode({ tenant, ip }: Pick<RequestContext, 'tenant' | 'ip'>): void {
  const now = Date.now()
  const key = `${tenant.id}/${ip}`
  if (wrongCodes.record(key, now)) return
  throw new Problem('request.rate_limited', 'This address showed too many wrong activation codes; try again later.', {
    headers: { 'retry-after': String(wrongCodes.secondsLeft(key, now)) },
  })
}
