import type { RequestContext } from '../../kit/context.ts'
import { FailureLimit } from '../../kit/failure-limit.ts'
import { networkOf } from '../../kit/public-address.ts'

const minute = 60_000
/** An address may be that of a whole company, whose devices all come at once with an old code. */
const wrongCodes = new FailureLimit(6000, minute, 10_000)

/**
 * Counts a code that activation does not know, or admission does not admit; throws request.rate_limited when an address
 * showed too many of them in a minute of the server's own time, which nobody can advance.
 */
export const recordWrongCode = ({ tenant, ip }: Pick<RequestContext, 'tenant' | 'ip'>): void =>
  wrongCodes.count(
    `${tenant.id}/${networkOf(ip)}`,
    Date.now(),
    'This address showed too many wrong activation codes; try again later.',
  )
