import type { EntitlementRow } from '../entitlements/loading.ts'
import { isOver } from '../life/standing.ts'

/** An offer among those of one name. */
export interface NamedOffer {
  id: string
  status: string
  created_at: number
}

/** Whether entitlements are made of an offer: while it is prepared, to try it out, and while it is sold. */
export const isCloned = ({ status }: Pick<NamedOffer, 'status'>) => status === 'Draft' || status === 'Active'

/** The offer that a name means: of those that are sold (Active) the newest, or else the newest Draft; undefined when there is neither. */
export function chooseOffer<O extends NamedOffer>(offers: readonly O[]): O | undefined {
  const newestFirst = offers.toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
  return newestFirst.find(({ status }) => status === 'Active') ?? newestFirst.find(isCloned)
}

/** The same now (milliseconds): one that has ended only where all have. */
export const chooseOfferNow = (offers: readonly EntitlementRow[], now: number): EntitlementRow | undefined =>
  chooseOffer(offers.filter((offer) => !isOver(offer, now))) ?? chooseOffer(offers)
