import type { RequestContext } from '../../kit/context.ts'
import { FailureLimit } from '../../kit/failure-limit.ts'

const minute = 60_000
/** A person mistypes a code a few times. */
const wrongCodes = new FailureLimit(60, minute, 10_000)

/**
 * Counts a code that redeems nothing for a user; throws request.rate_limited when the user showed too many of them in a
 * minute of the tenant's clock.
 */
export const recordWrongGrantCode = ({ tenant, now }: Pick<RequestContext, 'tenant' | 'now'>, userId: string): void =>
  wrongCodes.count(`${tenant.id}/${userId}`, now, 'Too many wrong codes were shown; try again later.')
