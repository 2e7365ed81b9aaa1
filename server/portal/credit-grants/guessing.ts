import { FailureLimit } from '../../kit/failure-limit.ts'

const minute = 60_000
/** A person mistypes a code a few times. */
const wrongCodes = new FailureLimit(60, minute, 10_000)

/** Counts a code that redeems nothing for a user; throws request.rate_limited when the user showed too many of them in a minute. */
export const recordWrongGrantCode = (tenantId: string, userId: string): void =>
  wrongCodes.count(`${tenantId}/${userId}`, 'Too many wrong codes were shown; try again later.')
