import type { StoredFeature } from '../../entitlements/entitlements/stored.ts'
import { isSwitchedOn } from '../../entitlements/entitlements/switched-on.ts'

/** What of a session its features depend on: whether it is on trial (1), and when its lease is over and grace begins (milliseconds). */
interface Licence {
  is_trial: number
  lease_expires_at: number
}

/** Whether a session has a feature of its entitlement at `now` (milliseconds): switched on, not over, and not withheld from the trial or grace that it is in. */
export function isEntitledTo(feature: StoredFeature, licence: Licence, now: number): boolean {
  return (
    isSwitchedOn(feature, licence.is_trial === 1, now) &&
    !(feature.featureType === 'Boolean' && feature.value === 'false') &&
    (now < licence.lease_expires_at || feature.isAvailableDuringGracePeriod)
  )
}
