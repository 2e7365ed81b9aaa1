import { addDuration } from '../../kit/duration-adding.ts'
import { writable } from '../../kit/last-instant.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { trialPolicyOf } from '../policies/effective.ts'

/** What of an entitlement's row says whether it is a trial, and until when. */
export type TrialColumn = 'is_entitlement_trial' | 'trial_policy' | 'trial_ends_at'
type TrialRow = Pick<EntitlementRow, TrialColumn>

/** Whether it is a trial that time ends: one that is marked so and has a trial policy in force. A paid licence is none. */
export const isTrial = (row: TrialRow) => row.is_entitlement_trial === 1 && trialPolicyOf(row) !== null

/** A trial policy that says nothing, so that its defaults hold. */
export const defaultTrial = {}

/** Whether what is made of an offer is a trial, and its policy: the default one where the offer only says that it is. */
export function offeredTrial(offer: Pick<EntitlementRow, 'is_entitlement_trial' | 'trial_policy'>) {
  const isOne = offer.is_entitlement_trial === 1
  return {
    is_entitlement_trial: isOne || trialPolicyOf(offer) !== null ? 1 : 0,
    trial_policy: offer.trial_policy ?? (isOne ? JSON.stringify(defaultTrial) : null),
  }
}

/** When its trial ends (milliseconds); null when it is no trial, or the trial has not begun. */
export const trialEndOf = (row: TrialRow) => (isTrial(row) ? row.trial_ends_at : null)

/** The row with its trial begun by now (milliseconds), if it is a trial that has not begun; else as it is. */
export const startTrial = (row: EntitlementRow, now: number): EntitlementRow =>
  isTrial(row) && row.trial_started_at === null ? withTrialFrom(row, now) : row

/** The row of a trial with a whole trial before it, from now (milliseconds), or from when it becomes valid. */
export function withTrialFrom(row: EntitlementRow, now: number): EntitlementRow {
  const start = Math.max(now, row.not_valid_before_date_time ?? now)
  return {
    ...row,
    trial_started_at: start,
    trial_ends_at: writable(addDuration(start, trialPolicyOf(row)!.duration)),
  }
}
