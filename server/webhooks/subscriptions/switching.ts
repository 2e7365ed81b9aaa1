import type { SubscriptionStatus } from './status.ts'

/** Where a subscription stands, and when its endpoint passed the challenge; null when it has to pass one. */
export interface Stand {
  status: SubscriptionStatus
  verifiedAt: number | null
}

/** Where an edit takes a subscription: another URL has to be verified anew, and only what is verified is switched on. */
export function planSwitch(
  before: Stand,
  { isMoved, status }: { isMoved: boolean; status?: 'Active' | 'Disabled' | undefined },
): Stand | { refused: 'catalog.invalid_transition' } {
  const stand: Stand = isMoved ? { status: 'PendingVerification', verifiedAt: null } : before
  if (status === undefined) return stand
  if (status === 'Active' && stand.verifiedAt === null) return { refused: 'catalog.invalid_transition' }
  return { ...stand, status }
}
