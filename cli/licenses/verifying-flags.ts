import { string } from '@oclif/core/flags'
import { normalInstant } from '../../catalog-schema/instant.ts'
import { Problem } from '../problems.ts'

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
      'A date-time such as 2027-01-01T00:00:00Z: of a sandbox tenant whose clock is ahead, or a day to come.',
    helpValue: 'DATE-TIME',
  }),
}

/** The instant (milliseconds) that --at names, or now. Raises cli.usage. */
export function judgedAt(at: string | undefined): number {
  if (at === undefined) return Date.now()
  const instant = normalInstant(at)
  if (instant !== undefined) return Date.parse(instant)
  throw new Problem('cli.usage', '--at is no date-time.', { hint: '2027-01-01T00:00:00Z' })
}
