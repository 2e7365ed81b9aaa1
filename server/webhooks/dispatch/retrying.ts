/** How many attempts a budget has, and how long it lasts from the first of them. */
export const mostAttempts = 10
export const budgetMillis = 2 * 3_600_000
const baseMillis = 2000
const longestGapMillis = 900_000

/** The attempts made of a budget, and when (milliseconds of the tenant's clock) the first of them was. */
export interface Budget {
  attempts: number
  startedAt: number
}

/** The longest gap before a retry, counted from 1: twice the one before it, up to 15 minutes. */
export const longestGap = (retry: number): number => Math.min(longestGapMillis, baseMillis * 2 ** (retry - 1))

/**
 * When the next attempt is due after one that failed just now; null when the budget is used up. The gap is drawn evenly
 * between none and the longest ("full jitter"), and is no shorter than the endpoint asked for, within the budget.
 */
export function planRetry(
  { attempts, startedAt }: Budget,
  now: number,
  askedMillis: number,
  draw: () => number,
): number | null {
  const end = startedAt + budgetMillis
  if (attempts >= mostAttempts || now >= end) return null
  const gap = Math.round(draw() * longestGap(attempts))
  return Math.min(end, now + Math.max(gap, askedMillis))
}
