import { deliveryOf } from '../../access/users/email-address.ts'
import type { RequestContext } from '../../kit/context.ts'
import { FailureLimit } from '../../kit/failure-limit.ts'
import { networkOf } from '../../kit/public-address.ts'

const hour = 3_600_000
/** Every registration sends a letter: nobody's mailbox is to be filled, and no network address is to fill many. */
const toMailbox = new FailureLimit(5, hour, 10_000)
const fromNetwork = new FailureLimit(1000, hour, 10_000)

/**
 * Counts a registration; throws request.rate_limited when its e-mail address, or the network address that it comes from, has
 * had too many in an hour of the tenant's clock.
 */
export function recordRegistration(context: Pick<RequestContext, 'tenant' | 'ip' | 'now'>, email: string): void {
  const { tenant, ip, now } = context
  const said = 'Too many registrations; try again later.'
  fromNetwork.count(`${tenant.id}/${networkOf(ip)}`, now, said)
  toMailbox.count(`${tenant.id}/${deliveryOf(email)}`, now, said)
}
