import { string } from '@oclif/core/flags'
import { normalInstant } from '../../catalog-schema/instant.ts'
import { Problem } from '../problems.ts'
import type { Moment } from './judging.ts'

/** What every verification takes. */
export const verifyingFlags = {
  'public-key': string({
    required: true,
    summary: 'The file with the public key: PEM, JWK or JWKS; - for stdin.',
    helpValue: 'FILE',
  }),
  fingerprint: string({ summary: 'The fingerprint of the device that it must be for.', helpValue: 'TEXT' }),
  at: string({
    summary: 'The time to judge by, instead of now.',
    description:
      'A date-time such as 2027-01-01T00:00:00Z: of a sandbox tenant whose clock is ahead, or a day to come. Then nbf ≤ it < exp; by now a licence may be valid up to a minute before its nbf, as clocks differ.',
    helpValue: 'DATE-TIME',
  }),
}

const leewayMs = 60_000

/** The very instant that --at names; or now, as well as this machine knows it. Raises cli.usage. */
export function judgedAt(at: string | undefined): Moment {
  if (at === undefined) return { now: Date.now(), leewayMs }
  const instant = normalInstant(at)
  if (instant !== undefined) return { now: Date.parse(instant), leewayMs: 0 }
  throw new Problem('cli.usage', '--at is no date-time.', { hint: '2027-01-01T00:00:00Z' })
}
