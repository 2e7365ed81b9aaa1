import type { StoredFeature } from './stored.ts'

/** Whether a feature of an entitlement is switched on at `now` (milliseconds): not over, and not withheld from a trial that it is for. */
export const isSwitchedOn = (
  { isEnabled, featureExpiration, isAvailableDuringTrialPeriod }: StoredFeature,
  isTrial: boolean,
  now: number,
): boolean =>
  isEnabled &&
  (featureExpiration === null || now < Date.parse(featureExpiration)) &&
  (!isTrial || isAvailableDuringTrialPeriod)
