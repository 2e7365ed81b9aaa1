import type { Entitlement } from './tasks/tenant-records.ts'

/** How many seats an entitlement has; null for any number. */
export const seatLimit = ({ licensePolicy }: Pick<Entitlement, 'licensePolicy'>): number | null =>
  licensePolicy?.maxDeviceActivations ?? null

/** When an entitlement ends as it stands: at its expiry or at the end of its trial, whichever is sooner; null is never. */
export function endOf(entitlement: Pick<Entitlement, 'expirationDateTime' | 'isEntitlementTrial' | 'trialEndsAt'>) {
  const { expirationDateTime: expiry, isEntitlementTrial, trialEndsAt } = entitlement
  const trialEnd = isEntitlementTrial ? trialEndsAt : null
  if (expiry === null || trialEnd === null) return expiry ?? trialEnd
  return Date.parse(trialEnd) < Date.parse(expiry) ? trialEnd : expiry
}
