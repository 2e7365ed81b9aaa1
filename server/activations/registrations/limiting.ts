import type { RequestContext } from '../../kit/context.ts'
import { FailureLimit } from '../../kit/failure-limit.ts'
import { Problem } from '../../kit/problem.ts'

const hour = 3_600_000
/** Every registration sends a letter: nobody's mailbox is to be filled, and no network address is to fill many. */
const toMailbox = new FailureLimit(5, hour, 10_000)
const fromNetwork = new FailureLimit(1000, hour, 10_000)

/**
 * Counts a registration; throws request.rate_limited when its e-mail address, or the network address that it comes from, has
 * had too many in an hour. The time is the server's own, which nobody can advance.
 */
export function recordRegistration({ tenant, ip }: Pick<RequestContext, 'tenant' | 'ip'>, foldedEmail: string): void {
  const now = Date.now()
  for (const [limit, key] of [
    [fromNetwork, `${tenant.id}/${ip}`],
    [toMailbox, `${tenant.id}/${foldedEmail}`],
  ] as const)
    if (!limit.record(key, now))
      throw new Problem('request.rate_limited', 'Too many registrations; try again later.', {
        headers: { 'retry-after': String(limit.secondsLeft(key, now)) },
      })
}
