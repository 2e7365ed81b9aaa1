/** Clocks that are no further apart are one: an answer is on its way for a while, and tokens count in seconds. */
const leewayMs = 60_000

let ahead = 0

/** Remembers what the clock of the tenant that is asked says (milliseconds): a sandbox has its own, which tests move on. */
export function hearClock(instant: number): void {
  const difference = instant - Date.now()
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) < leewayMs ? 0 : difference
}

/** What time it is for the tenant that was asked (milliseconds); for none, what time it is here. */
export const tenantNow = () => Date.now() + ahead
