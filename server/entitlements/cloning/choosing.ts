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
