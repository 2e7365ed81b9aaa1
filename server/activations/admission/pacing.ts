/** An answer is given a whole number of these after it was asked for, in milliseconds. */
export const paceMillis = 25

/** How long an answer that took `elapsed` has still to wait, in milliseconds, so that its time tells nothing of the work that it was. */
export const restOf = (elapsed: number): number => (Math.floor(elapsed / paceMillis) + 1) * paceMillis - elapsed
