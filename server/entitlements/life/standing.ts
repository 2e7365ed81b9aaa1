import type { entitlementStatuses, subscriptionStatuses } from '../../../catalog-schema/enumerations.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { renewsItself } from './periods.ts'
import { isTrial, type TrialColumn, trialEndOf } from './trials.ts'

/** What of an entitlement's row its standing follows from. */
export type StandingRow = Pick<
  EntitlementRow,
  'status' | 'not_valid_before_date_time' | 'expiration_date_time' | 'renewal_policy' | TrialColumn
>

/** Why an entitlement may not be used. */
export type StandingRefusal = 'license.entitlement_not_active' | 'license.not_yet_valid' | 'license.expired'

/**
 * Why the entitlement may not be used now (milliseconds); nothing when it may. It follows from the row and the time alone,
 * so that it is right before what is due at that time has been written.
 */
export function refusalOf(row: StandingRow, now: number): StandingRefusal | undefined {
  if (row.status !== 'Active' && row.status !== 'Expired') return 'license.entitlement_not_active'
  if (row.not_valid_before_date_time !== null && now < row.not_valid_before_date_time) return 'license.not_yet_valid'
  return row.status === 'Expired' || isOver(row, now) ? 'license.expired' : undefined
}

/**
 * When it ends (milliseconds) unless somebody renews it: its expiry or the end of its trial, whichever is sooner; null when
 * neither is known. The end of a period that the next one follows by itself is no end.
 */
export function endOf(row: StandingRow): number | null {
  const expiry = row.expiration_date_time === null || renewsItself(row) ? null : row.expiration_date_time
  const trialEnd = trialEndOf(row)
  return expiry === null || trialEnd === null ? (expiry ?? trialEnd) : Math.min(expiry, trialEnd)
}

/** Whether its end has come. */
export function isOver(row: StandingRow, now: number): boolean {
  const end = endOf(row)
  return end !== null && end <= now
}

type EntitlementStatus = (typeof entitlementStatuses)[number]
type SubscriptionStatus = (typeof subscriptionStatuses)[number]

const subscribed: Record<EntitlementStatus, SubscriptionStatus> = {
  Draft: 'Pending',
  Active: 'Active',
  Suspended: 'PastDue',
  Cancelled: 'Cancelled',
  Expired: 'Expired',
}

/** What its status and its trial make of the subscription; a trial that waits for its first device is one already. */
export const subscriptionStatusOf = (row: EntitlementRow): SubscriptionStatus =>
  row.status === 'Active' && isTrial(row) ? 'Trialing' : subscribed[row.status as EntitlementStatus]
