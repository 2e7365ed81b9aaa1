import { addDuration } from '../../kit/duration-adding.ts'
import { writable } from '../../kit/last-instant.ts'
import type { LicensePolicy } from '../policies/effective.ts'

/** What of a policy tells how long a seat is held. */
export type SeatPolicy = Pick<LicensePolicy, 'licenseModel' | 'inactivityTimeout'>

/**
 * When a seat that was last used at `usedAt` lapses by itself: Floating with its grace, InactivityBased when it was not used
 * for so long, NodeLocked never (null).
 */
export function seatUntil(usedAt: number, policy: SeatPolicy, graceExpiresAt: number): number | null {
  if (policy.licenseModel === 'Floating') return graceExpiresAt
  return policy.licenseModel === 'InactivityBased' ? writable(addDuration(usedAt, policy.inactivityTimeout)) : null
}

/** Until when (null: no end) each of these sessions holds its seat, by the present policies of their entitlements. */
export const seatEnds = (
  sessions: readonly { id: string; entitlement_id: string; last_access_at: number; grace_expires_at: number }[],
  policies: ReadonlyMap<string, SeatPolicy>,
) =>
  sessions.map(({ id, entitlement_id, last_access_at, grace_expires_at }) => ({
    id,
    until: seatUntil(last_access_at, policies.get(entitlement_id)!, grace_expires_at),
  }))

/** Whether a session's seat, if it is counted in its entitlement's, has not lapsed by `now`, as the present policy has it. */
export function isSeatHeld(
  { last_access_at, grace_expires_at }: { last_access_at: number; grace_expires_at: number },
  policy: SeatPolicy,
  now: number,
): boolean {
  const until = seatUntil(last_access_at, policy, grace_expires_at)
  return until === null || until > now
}
