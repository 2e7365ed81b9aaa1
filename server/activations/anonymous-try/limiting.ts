import type { RequestContext } from '../../kit/context.ts'
import { FailureLimit } from '../../kit/failure-limit.ts'
import { networkOf } from '../../kit/public-address.ts'

const hour = 3_600_000
/** Every new try makes an entitlement, and anyone may ask for one. */
const newTries = new FailureLimit(1000, hour, 10_000)

/** Counts a device that tries something for the first time; throws request.rate_limited when an address has brought too many in an hour of the tenant's clock. */
export const recordNewTry = ({ tenant, ip, now }: Pick<RequestContext, 'tenant' | 'ip' | 'now'>): void =>
  newTries.count(
    `${tenant.id}/${networkOf(ip)}`,
    now,
    'Too many new devices have tried from this address; try again later.',
  )
