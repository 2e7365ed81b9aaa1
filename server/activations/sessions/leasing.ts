import { lastInstant } from '../../../catalog-schema/instant.ts'
import type { LicensePolicy } from '../../entitlements/policies/effective.ts'
import { isSeatHeld, type SeatPolicy, seatUntil } from '../../entitlements/seats/holding.ts'
import { addDuration } from '../../kit/duration-adding.ts'
import { writable } from '../../kit/last-instant.ts'

/** Until when a session may go on, in milliseconds. */
export interface Lease {
  leaseExpiresAt: number
  graceExpiresAt: number
}

type LeasePolicy = Pick<LicensePolicy, 'leaseTime' | 'graceTime'>

/** The lease that begins at `now` and the grace after it, neither beyond `end`, the end of the licence (null: none). */
export function leaseFrom(now: number, { leaseTime, graceTime }: LeasePolicy, end: number | null): Lease {
  const last = end ?? lastInstant
  const leaseExpiresAt = Math.min(later(now, leaseTime), last)
  return { leaseExpiresAt, graceExpiresAt: Math.min(later(leaseExpiresAt, graceTime), last) }
}

/**
 * Whether a session that is used at `now` has to be heard of: it holds no seat, or one that lapses unless it is used, and a
 * tenth of the time until then is over.
 */
export function isToBeHeardOf(
  session: { is_seated: number; last_access_at: number; grace_expires_at: number },
  policy: SeatPolicy,
  now: number,
): boolean {
  if (session.is_seated === 0 || !isSeatHeld(session, policy, now)) return true
  if (policy.licenseModel !== 'InactivityBased') return false
  const { last_access_at, grace_expires_at } = session
  return (now - last_access_at) * 10 > seatUntil(last_access_at, policy, grace_expires_at)! - last_access_at
}

/** The instant a duration later; one too far to be told is the last that can be. */
const later = (at: number, duration: string) => writable(addDuration(at, duration))
