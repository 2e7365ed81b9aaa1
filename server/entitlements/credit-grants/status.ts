import type { CreditGrantTables } from './tables.ts'

export const grantStatuses = ['Open', 'Redeemed', 'Expired'] as const

/** How a grant stands at `now` (milliseconds): it expires at its very instant, unless it was redeemed before. */
export function statusOf(
  row: Pick<CreditGrantTables['credit_grants'], 'redeemed_at' | 'expires_at'>,
  now: number,
): (typeof grantStatuses)[number] {
  if (row.redeemed_at !== null) return 'Redeemed'
  return row.expires_at !== null && row.expires_at <= now ? 'Expired' : 'Open'
}
