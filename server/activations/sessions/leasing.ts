import type { LicensePolicy } from '../../entitlements/policies/effective.ts'
import { addDuration } from '../../kit/duration-adding.ts'

/** Until when a session may go on, in milliseconds. */
export interface Lease {
  leaseExpiresAt: number
  graceExpiresAt: number
}

type LeasePolicy = Pick<LicensePolicy, 'leaseTime' | 'graceTime'>

/** The last instant that the wire can say. */
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/** The lease that begins at `now` and the grace after it, neither beyond `end`, the end of the licence (null: none). */
export function leaseFrom(now: number, { leaseTime, graceTime }: LeasePolicy, end: number | null): Lease {
  const last = end ?? lastInstant
  const leaseExpiresAt = Math.min(later(now, leaseTime), last)
  return { leaseExpiresAt, graceExpiresAt: Math.min(later(leaseExpiresAt, graceTime), last) }
}

/** What of a policy tells how long a seat is held. */
export type SeatPolicy = Pick<LicensePolicy, 'licenseModel' | 'inactivityTimeout'>

/**
 * When a seat that was last used at `usedAt` lapses by itself: Floating with its grace, InactivityBased when it was not used
 * for so long, NodeLocked never (null).
 */
export function seatUntil(usedAt: number, policy: SeatPolicy, graceExpiresAt: number): number | null {
  if (policy.licenseModel === 'Floating') return graceExpiresAt
  return policy.licenseModel === 'InactivityBased' ? later(usedAt, policy.inactivityTimeout) : null
}

/** Whether a session's seat, if it is counted in its entitlement's, has not lapsed by `now`, as the present policy has it. */
export function isSeatHeld(
  { last_access_at, grace_expires_at }: { last_access_at: number; grace_expires_at: number },
  policy: SeatPolicy,
  now: number,
): boolean {
  const until = seatUntil(last_access_at, policy, grace_expires_at)
  return until === null || until > now
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
  const { last_access_at } = session
  return (now - last_access_at) * 10 > later(last_access_at, policy.inactivityTimeout) - last_access_at
}

/** The instant a duration later; one too far to be told is the last that can be. */
const later = (at: number, duration: string) => Math.min(addDuration(at, duration) || lastInstant, lastInstant)
