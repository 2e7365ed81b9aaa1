import type { CodeRow } from '../../entitlements/activation-codes/lookup.ts'
import { endOf } from '../../entitlements/life/standing.ts'
import { isTrial, trialEndOf } from '../../entitlements/life/trials.ts'
import { trialPolicyOf } from '../../entitlements/policies/effective.ts'
import { seatUntil } from '../../entitlements/seats/holding.ts'
import { addDuration } from '../../kit/duration-adding.ts'
import { writable } from '../../kit/last-instant.ts'
import type { Granted } from './granted.ts'
import { leaseFrom } from './leasing.ts'
import type { SessionRow } from './licensed.ts'

/** What is known of a session's trial; `endsAt` in milliseconds, null when it is none. */
export interface Trial {
  is: boolean
  endsAt: number | null
}

const usualTrial = 'P14D'

/**
 * The trial of a device: the entitlement's own; that of an anonymous try; or, by a code that gives trials, one that began with
 * the device's first activation by it (`begunBefore`, when there was one).
 */
export function trialOf({ row }: Granted, code: CodeRow | undefined, begunBefore: number | null, now: number): Trial {
  if (isTrial(row)) return { is: true, endsAt: trialEndOf(row) }
  if (row.is_anonymous_try === 1) return { is: true, endsAt: row.expiration_date_time }
  if (code?.is_trial_activation !== 1) return { is: false, endsAt: null }
  return { is: true, endsAt: begunBefore ?? writable(addDuration(now, trialPolicyOf(row)?.duration ?? usualTrial)) }
}

/** What a whole new lease from `now` makes of a session: its times, and what its entitlement says at this moment. */
export function leased(
  { row, license, productIdsText }: Granted,
  trial: Trial,
  now: number,
): Pick<
  SessionRow,
  | 'last_access_at'
  | 'lease_expires_at'
  | 'grace_expires_at'
  | 'lease_time'
  | 'is_trial'
  | 'trial_expires_at'
  | 'not_before'
  | 'not_after'
  | 'plan_set_id'
  | 'plan_name'
  | 'product_ids'
  | 'is_seated'
  | 'seat_until'
> {
  const ends = [endOf(row), trial.endsAt].filter((end) => end !== null)
  const end = ends.length === 0 ? null : Math.min(...ends)
  const { leaseExpiresAt, graceExpiresAt } = leaseFrom(now, license, end)
  return {
    last_access_at: now,
    lease_expires_at: leaseExpiresAt,
    grace_expires_at: graceExpiresAt,
    lease_time: license.leaseTime,
    is_trial: trial.is ? 1 : 0,
    trial_expires_at: trial.endsAt,
    not_before: row.not_valid_before_date_time,
    not_after: end,
    plan_set_id: row.assigned_plan_set_id,
    plan_name: row.assigned_plan_name,
    product_ids: productIdsText,
    is_seated: 1,
    seat_until: seatUntil(now, license, graceExpiresAt),
  }
}
